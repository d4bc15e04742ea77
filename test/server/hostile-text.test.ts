import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UNTRUSTED_KEY } from '../../src/server/served-surface.ts';
import { hostileTextSite, manyViolations } from '../sites/hostile-text.ts';
import { type ServedSite, serveSite } from '../sites/serve.ts';
import { ended, scanEnvironment } from '../support/accessibility/accessibility.ts';
import { type Connection, connectStdio, type Result, runAssay } from '../support/assay.ts';
import { type Folder, newFolder } from '../support/folders.ts';
import { newRepo } from '../support/git/repos.ts';
import {
  expectClean,
  expectCleanFiles,
  expectingClean,
  hostileName,
  hostileText,
} from '../support/server/hostile-text.ts';
import { MARKER } from '../support/server/marker.ts';

let folder: Folder;
let env: Record<string, string>;
let client: Connection;
let site: ServedSite;
beforeAll(async () => {
  folder = await newFolder();
  env = await scanEnvironment(folder);
  client = expectingClean(await connectStdio('modern', { cwd: folder.path, env }));
  site = await serveSite(hostileTextSite);
});
afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

/** Calls a tool that must work; its answer, with the positions of untrusted text that it declares. */
async function call(name: string, args: Record<string, unknown> = {}): Promise<{ data: Result; untrusted: string[] }> {
  const { structuredContent, content, isError, _meta } = await client.callTool({ name, arguments: args });
  expect(isError, JSON.stringify(content).slice(0, 500)).not.toBe(true);
  const untrusted = _meta?.[UNTRUSTED_KEY];
  return { data: structuredContent, untrusted: Array.isArray(untrusted) ? untrusted.map(String) : [] };
}

/** The message of a call that must not work. */
async function refusal(name: string, args: Record<string, unknown>): Promise<string> {
  const { content, isError } = await client.callTool({ name, arguments: args });
  expect(isError).toBe(true);
  return content[0]?.type === 'text' ? content[0].text : '';
}

test('returns clean results, tables and reports for a scan of a hostile page', async () => {
  const { data: started } = await call('cwac_scan', { urls: [site.url], plugins: { focus_indicator_audit: true } });
  const { scan_id } = started;
  await ended(async (name, args) => (await call(name, args)).data, scan_id);
  const { data, untrusted } = await call('cwac_get_results', { scan_id, detail: true });
  expect(untrusted).toEqual(expect.arrayContaining(['results[].html', 'results[].page_title', 'results[].url']));
  expect(data.results.length).toBeGreaterThan(0);
  for (const { page_title } of data.results) expect(page_title.length).toBeLessThan(350);
  await call('cwac_get_summary', { scan_id });
  await call('cwac_list_scans');
  const { data: report } = await call('cwac_generate_report', { scan_id });
  expect(report.report_files.length).toBeGreaterThan(3);
  const { data: status } = await call('cwac_scan_status', { scan_id });
  const names = await expectCleanFiles(status.results_dir);
  expect(names).toEqual(
    expect.arrayContaining([
      'axe_core_audit.csv',
      'title_audit.csv',
      'report.html',
      'report.sarif',
      'report.junit.xml',
      'pages.jsonl',
    ]),
  );
  const title = await readFile(join(status.results_dir, 'title_audit.csv'), 'utf8');
  expect(title).toContain(`"'=HYPERLINK(""http://x.example"",""open"")`);
  expect(title).not.toMatch(/(^|,)"?=/m);
  const { resources } = await client.listResources();
  expectClean(resources, 'resources/list');
  for (const { uri } of resources.filter(({ uri }) => uri.startsWith('accessibility://')))
    expectClean((await client.readResource({ uri })).contents, uri);
  const cli = await runAssay(['call', 'cwac_get_results', '--scan_id', scan_id], { env, cwd: folder.path });
  expect(cli.code).toBe(0);
  expectClean([cli.stdout, cli.stderr], 'assay call');
});

test('returns a short reply for a page with thousands of violations, and everything by offset', async () => {
  await using many = await serveSite(manyViolations);
  const { data: started } = await call('cwac_scan', { urls: [many.url], max_links_per_domain: 1 });
  const { scan_id } = started;
  await ended(async (name, args) => (await call(name, args)).data, scan_id);
  const { data } = await call('cwac_get_results', { scan_id });
  expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThan(6_000);
  expect(data.total_results).toBeGreaterThan(3_000);
  expect(data.returned_results).toBe(data.results.length);
  const { nextOffset } = data.shortened;
  expect(nextOffset).toBe(data.returned_results);
  const { data: more } = await call('cwac_get_results', { scan_id, offset: nextOffset, detail: true });
  expect(more.results[0].issue_id).not.toBe(data.results[0].issue_id);
  expect(Buffer.byteLength(JSON.stringify(more))).toBeLessThan(20_000);
  expect(Buffer.byteLength(JSON.stringify((await call('cwac_get_summary', { scan_id })).data))).toBeLessThan(6_000);
});

test('discovers and runs a wizard on a hostile form with clean results and files', async () => {
  const { data: start } = await call('federalscout_start_discovery', { url: `${site.url}/write` });
  const { session_id } = start;
  const { data: info, untrusted } = await call('federalscout_get_page_info', { session_id });
  expect(untrusted).toEqual(
    expect.arrayContaining(['page_title', 'elements.inputs[].label', 'proposed_page_metadata']),
  );
  const { screenshot: _, ...withoutPicture } = info;
  expect(Buffer.byteLength(JSON.stringify(withoutPicture))).toBeLessThan(6_000);
  expect(await refusal('federalscout_click_element', { session_id, selector: hostileText('Nowhere') })).toContain(
    '\\\\u202e',
  );
  await call('federalscout_execute_actions', {
    session_id,
    actions: [
      { action: 'fill', selector: '#name', value: 'Ada' },
      { action: 'select', selector: '#from', value: 'Elsewhere' },
    ],
  });
  await call('federalscout_save_page_metadata', { session_id, page_metadata: info.proposed_page_metadata });
  // The caller knows the button only by its clean name.
  const { data: sent } = await call('federalscout_click_element', { session_id, selector: `Send entryred${MARKER}.!` });
  expect(sent.current_url).toContain('/done');
  const { data: done } = await call('federalscout_complete_discovery', {
    session_id,
    wizard_name: 'Entry',
    wizard_id: 'entry',
  });
  expect(done.success).toBe(true);
  await call('federalrunner_list_wizards');
  const { data: wizard } = await call('federalrunner_get_wizard_info', { wizard_id: 'entry' });
  const needed = Object.keys({ ...wizard.required_user_data, ...wizard.optional_user_data });
  await call('federalrunner_validate_user_data', { wizard_id: 'entry', user_data: {} });
  const { data: ran } = await call('federalrunner_execute_wizard', {
    wizard_id: 'entry',
    user_data: Object.fromEntries(needed.map((key) => [key, /from/.test(key) ? 'Far' : 'Ada'])),
  });
  expect(ran.pages_completed).toBe(1);
  await call('federalscout_check_wizard', { wizard_id: 'entry' });
  expect((await expectCleanFiles(join(folder.path, 'home/wizards'))).length).toBeGreaterThan(1);
});

test('escapes file names of a hostile coverage report', async () => {
  const record = (name: string) => `SF:${name}\nDA:1,1\nDA:2,0\nend_of_record\n`;
  await folder.write('lcov.info', record(`src/${hostileName}.ts`) + record('src/name.ts'));
  const lcovPath = 'lcov.info';
  const { data, untrusted } = await call('get_uncovered_lines', { lcovPath });
  expect(untrusted).toEqual(['files[].path']);
  expect(data.files.map(({ path }: Result) => path).sort()).toEqual([
    `src/na\\u001b[31mme${MARKER}\\u202e\\u009b2J\\udb40\\udc69.ts`,
    'src/name.ts',
  ]);
  const { data: files } = await call('get_file_coverage', {
    lcovPath,
    filePaths: [`src/${hostileName}.ts`, 'src/name.ts'],
  });
  expect(Object.keys(files.files)).toHaveLength(2);
  await refusal('get_file_coverage', { lcovPath: `${hostileName}.info`, filePaths: ['a'] });
  const { data: snapshot } = await call('start_coverage_snapshot', { lcovPath });
  await folder.write('lcov.info', record('src/name.ts'));
  const { data: change } = await call('end_coverage_snapshot', { lcovPath, snapshotId: snapshot.snapshotId });
  expect(change.removedFiles).toHaveLength(1);
});

test('returns clean results of the standards tools for a hostile repository', async () => {
  await using repo = await newRepo({ 'package.json': `{"name":"x-${MARKER}"}`, 'src/a.ts': 'export const a = 1;\n' });
  const workingDirectory = repo.path;
  await call('caws_init', { workingDirectory });
  const spec = await readFile(join(repo.path, '.caws/working-spec.yaml'), 'utf8');
  const changed = {
    [`src/${hostileName}.ts`]: 'export const b = 2;\n',
    'test/a.test.js': `test('${MARKER} A1', () => expect(1).toBe(1));\n`,
    'reports/junit.xml': `<testsuites><testsuite name="${MARKER}"><testcase name="${MARKER} A1" file="test/a.test.js"><failure message="${MARKER}"/></testcase></testsuite></testsuites>`,
    '.caws/working-spec.yaml': spec.replace(/^title:.*$/m, `title: ${JSON.stringify(hostileText('Title'))}`),
  };
  await repo.commit(`feat: ${hostileText('message')}`, changed, { author: `Ann ${MARKER} <ann@example.test>` });
  repo.git('checkout', '-q', '-b', `feature/na\u202eme${MARKER}\u{e0069}`);
  await repo.put({
    [`src/${hostileName}.ts`]: 'export const b = 3;\n',
    'coverage/lcov.info': `SF:src/${hostileName}.ts\nDA:1,0\nend_of_record\n`,
  });
  for (const name of ['caws_validate', 'caws_evaluate', 'caws_iterate', 'caws_status', 'caws_diagnose'])
    await call(name, { workingDirectory });
  for (const action of ['file_saved', 'code_edited', 'test_run'])
    await call('caws_quality_monitor', { action, workingDirectory });
  for (const subcommand of ['assess-budget', 'analyze-patterns', 'find-similar'])
    await call('caws_test_analysis', { subcommand, workingDirectory });
  for (const subcommand of ['init', 'update', 'show', 'verify', 'analyze-ai'])
    await call('caws_provenance', { subcommand, workingDirectory });
  await call('caws_hooks', { subcommand: 'status', workingDirectory });
  await call('caws_workflow_guidance', { workflowType: 'tdd', currentStep: 1, context: { workingDirectory } });
  const { data } = await call('get_patch_coverage', {
    lcovPath: join(repo.path, 'coverage/lcov.info'),
    repoPath: repo.path,
    base: 'main',
  });
  expect(data.files[0].path).toBe(`src/na\\u001b[31mme${MARKER}\\u202e\\u009b2J\\udb40\\udc69.ts`);
  const cli = await runAssay(['call', 'caws_status', '--workingDirectory', repo.path], { env, cwd: folder.path });
  expectClean([cli.stdout, cli.stderr], 'assay call');
});
