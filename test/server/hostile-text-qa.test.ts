import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hostileTextSite } from '../sites/hostile-text.ts';
import { serveSite } from '../sites/serve.ts';
import { scanEnvironment } from '../support/accessibility/accessibility.ts';
import { connectStdio, type Result } from '../support/assay.ts';
import { newFolder } from '../support/folders.ts';
import { ranAlone } from '../support/qa/plain-playwright.ts';
import { qaOn } from '../support/qa/qa.ts';
import { reportingOn } from '../support/qa/qa-reports.ts';
import { expectClean, expectCleanFiles, expectingClean, forbidden } from '../support/server/hostile-text.ts';
import { MARKER } from '../support/server/marker.ts';
import { startMailServer, startReceiver } from '../support/services/receivers.ts';

test('cleans text of a hostile site in answers, reports, messages and scripts', async () => {
  await using folder = await newFolder();
  await using site = await serveSite(hostileTextSite);
  await using mail = await startMailServer();
  await using receiver = await startReceiver();
  const env = { ...(await scanEnvironment(folder)), ASSAY_SMTP_URL: mail.url };
  await using connection = await connectStdio('modern', { args: ['--toolsets', 'qa'], cwd: folder.path, env });
  const client = expectingClean(connection);
  const { call, ended } = qaOn(client);
  const { projectId } = await call('qa_project_create', { projectName: 'Hostile', url: site.url });
  // With control characters it would be refused as binary data.
  const invisible = `\u202e${MARKER}.\u2066\u200f\u{e0069}\u200b`;
  const document = `# Requirements\n\n- R1: The user must be able to write an entry ${invisible}.\n- R2: The user must be able to sign in ${invisible}.\n`;
  await call('qa_prd_file_upload', {
    projectId,
    fileName: 'prd.md',
    contentBase64: Buffer.from(document).toString('base64'),
  });
  await call('qa_prd_file_list_by_project', { projectId });
  const args = { projectId, url: site.url, description: 'Everything' };
  expect(await ended('scan', await call('qa_workflow_start_website_scan', args))).toMatchObject({
    status: 'succeeded',
  });
  const memory = await client.callTool({ name: 'qa_use_case_discovery_memory_get', arguments: { projectId } });
  expect(Buffer.byteLength(JSON.stringify(memory.structuredContent))).toBeLessThan(6_000);
  expect(JSON.stringify(memory._meta)).toContain('useCaseCandidates[].useCase.title');
  const { useCaseCandidates }: Result = memory.structuredContent;
  const approvedCandidateIds = useCaseCandidates.map(({ id }: Result) => id);
  await call('qa_use_case_candidates_approve', { projectId, approvedCandidateIds });
  const { data: useCases } = await call('qa_use_case_list', { projectId });
  for (const { useCaseId } of useCases) await call('qa_use_case_get', { useCaseId });
  await ended('detection', await call('qa_workflow_start_test_case_detection', { projectId }));
  const { data: cases } = await call('qa_test_case_list', { projectId });
  expect(cases.length).toBeGreaterThan(1);
  for (const { testCaseId } of cases) await call('qa_test_case_get', { testCaseId });
  await ended('generation', await call('qa_workflow_start_test_script_generation', { projectId }));
  const { data: scripts } = await call('qa_test_script_list', { projectId });
  for (const { testScriptId } of scripts) await call('qa_test_script_get', { testScriptId });
  const active = scripts.filter(({ status }: Result) => status === 'active');
  expect(active.length).toBeGreaterThan(0);
  const started = await call('qa_workflow_start_test_script_replay_bulk', { projectId });
  await ended('bulk', started);
  const { passed } = await call('qa_workflow_get_replay_bulk_run_batch_summary', { runBatchId: started.runBatchId });
  expect(passed).toBeGreaterThan(0);
  await call('qa_project_test_runs_summary_get', { projectId });

  await call('qa_report_preferences_upsert', {
    ...{ projectId, channels: ['email', 'webhook'], emails: ['team@shop.example'], webhookUrl: receiver.url },
  });
  const report = await reportingOn(call, folder.path).reportOf(projectId);
  expect(report.status).toBe('succeeded');
  for (const { uri, contentType } of report.files)
    if (/text|json|xml/.test(contentType)) expectClean((await client.readResource({ uri })).contents, uri);
  expect(mail.mails).toHaveLength(1);
  for (const { subject, text, html } of mail.mails) expectClean([subject, text, html], 'mail');
  expectClean(
    receiver.received.map(({ body }) => body),
    'webhook',
  );

  const path = join(folder.path, 'exported');
  const { files } = await call('qa_test_script_export', { projectId, path });
  expect(await expectCleanFiles(path)).toEqual(expect.arrayContaining(['playwright.config.ts', 'README.md']));
  const specs = files.filter((file: string) => file.endsWith('.spec.ts'));
  const sources = await Promise.all(specs.map((file: string) => readFile(join(path, file), 'utf8')));
  expect(sources.join('\n')).toContain('\\u202e');
  expect(sources.join('\n')).not.toMatch(forbidden);
  expect(await ranAlone(path, { args: specs.slice(0, 3), env: { BASE_URL: site.url } })).toContain(
    `${Math.min(3, specs.length)} passed`,
  );
});
