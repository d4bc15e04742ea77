import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../../platform/errors.ts';
import { type DemoSession, listRecords, type ToolData, toToolData } from './demo-session.ts';
import type { DemoSite } from './demo-site.ts';

/** Generates a test suite from a URL, finds a seeded regression with it, and returns the HTML report. */
export async function showQa(session: DemoSession, site: DemoSite): Promise<string | undefined> {
  const { call, callQuietly, printLine, printHeading } = session;
  await printHeading('QA: from the URL of the site to a test suite without hand-written code');
  const { projectId } = await call('qa_project_create', { projectName: 'Corner shop', url: site.url });
  await follow(session, 'website_scan', { projectId, url: site.url, description: 'Delivery costs' });
  const candidates = listRecords(await call('qa_use_case_discovery_memory_get', { projectId }), 'useCaseCandidates');
  await printLine(`Use cases found: ${candidates.map(({ useCase }) => nameOf(useCase)).join('; ')}.`);
  const delivery = candidates.find(({ useCase }) => /deliver|cost|calculat/i.test(nameOf(useCase))) ?? candidates[0];
  await call('qa_use_case_candidates_approve', { projectId, approvedCandidateIds: [delivery?.['id']] });
  await printLine(
    `Approved: ${nameOf(delivery?.['useCase'])}. Scripts are written while they run in a browser (half a minute) …`,
  );
  await follow(session, 'test_case_detection', { projectId });
  await follow(session, 'test_script_generation', { projectId });
  const { totalScripts, active } = await callQuietly('qa_project_test_scripts_summary_get', { projectId });
  const newest = { projectId, status: 'active', sortOrder: 'desc', pageSize: 1 };
  const [proven] = listRecords(await callQuietly('qa_test_script_list_paginated', newest), 'data');
  await printLine(`${active} of ${totalScripts} proved themselves, such as "${shortName(proven?.['name'])}".`);

  await printHeading('The seeded defect: express delivery is no longer charged. Does the suite notice?');
  site.breakPrices();
  const started = await call('qa_workflow_start_test_script_replay_bulk', { projectId, name: 'After the change' });
  await waitFor(session, 'qa_workflow_get_test_script_replay_bulk_latest_run', started);
  const { runBatchId } = started;
  const batch = await call('qa_workflow_get_replay_bulk_run_batch_summary', { runBatchId });
  await printLine(
    `${batch['passed']} of ${batch['totalScripts']} pass, ${batch['failed']} fail${batch['failed'] === 1 ? 's' : ''}:`,
  );
  for (const { name, failureClass, error } of listRecords(batch, 'failures').slice(0, 2))
    await printLine(`"${shortName(name)}", ${failureClass}. ${error}`);

  await call('qa_report_final_generate', { projectId, exportFormat: 'html' });
  return projectId === undefined ? undefined : reportOf(session, String(projectId));
}

/** Starts a workflow and waits for its end. */
async function follow(session: DemoSession, workflow: string, args: ToolData): Promise<void> {
  const started = await session.call(`qa_workflow_start_${workflow}`, args);
  const run = await waitFor(session, `qa_workflow_get_${workflow}_latest_run`, started);
  if (run['status'] !== 'succeeded')
    throw new Failure('site_failed', 'DEMO_STEP', `${workflow} ${run['status']}: ${run['error']}`);
}

async function waitFor({ callQuietly }: DemoSession, tool: string, { workflowRuntimeId }: ToolData): Promise<ToolData> {
  for (;;) {
    const run = await callQuietly(tool, { workflowRuntimeId });
    if (run['status'] !== 'queued' && run['status'] !== 'running') return run;
    await pause(300);
  }
}

/** Waits for the report and returns its HTML. */
async function reportOf({ callQuietly, read }: DemoSession, projectId: string): Promise<string | undefined> {
  for (;;) {
    const report = toToolData((await callQuietly('qa_report_stats_summary_get', { projectId }))['latestReport']);
    if (report['status'] === 'failed' || report['status'] === 'cancelled')
      throw new Failure('site_failed', 'DEMO_STEP', `The report ${report['status']}: ${report['error']}`);
    const uri = listRecords(report, 'files').find(({ name }) => name === 'report.html')?.['uri'];
    if (report['status'] === 'succeeded' && typeof uri === 'string') return read(uri);
    await pause(300);
  }
}

function nameOf(useCase: unknown): string {
  return String(toToolData(useCase)['title'] ?? '');
}

/** Removes the use case from the start of a script name. */
function shortName(name: unknown): string {
  return (
    String(name ?? '')
      .split(': ')
      .at(-1) ?? ''
  );
}
