import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../../platform/errors.ts';
import type { DemoSite } from './site.ts';
import { type Data, dataOf, list, type Stage } from './stage.ts';

/** From a URL to a suite that catches a regression, and one report for people: its page. */
export async function qa(stage: Stage, site: DemoSite): Promise<string | undefined> {
  const { call, ask, say, chapter } = stage;
  await chapter('QA: from the address of the site to a suite of tests, without a line written by hand');
  const { projectId } = await call('qa_project_create', { projectName: 'Corner shop', url: site.url });
  await follow(stage, 'website_scan', { projectId, url: site.url, description: 'Delivery costs' });
  const candidates = list(await call('qa_use_case_discovery_memory_get', { projectId }), 'useCaseCandidates');
  await say(`What people can do there: ${candidates.map(({ useCase }) => nameOf(useCase)).join('; ')}.`);
  const delivery = candidates.find(({ useCase }) => /deliver|cost|calculat/i.test(nameOf(useCase))) ?? candidates[0];
  await call('qa_use_case_candidates_approve', { projectId, approvedCandidateIds: [delivery?.['id']] });
  await say(
    `Approved: ${nameOf(delivery?.['useCase'])}. Scripts are written while they run in a browser (half a minute) …`,
  );
  await follow(stage, 'test_case_detection', { projectId });
  await follow(stage, 'test_script_generation', { projectId });
  const scripts = list(await ask('qa_test_script_list', { projectId, pageSize: 100 }), 'data');
  const active = scripts.filter(({ status }) => status === 'active');
  await say(
    `${active.length} of ${scripts.length} proved themselves, such as "${shortName(active.at(-1)?.['name'])}".`,
  );

  await chapter('The seeded defect: express delivery is no longer charged. Does the suite notice?');
  site.breakPrices();
  const started = await call('qa_workflow_start_test_script_replay_bulk', { projectId, name: 'After the change' });
  await waitFor(stage, 'qa_workflow_get_test_script_replay_bulk_latest_run', started);
  const { runBatchId } = started;
  const batch = await call('qa_workflow_get_replay_bulk_run_batch_summary', { runBatchId });
  await say(
    `${batch['passed']} of ${batch['totalScripts']} pass, ${batch['failed']} fail${batch['failed'] === 1 ? 's' : ''}:`,
  );
  for (const { name, failureClass, error } of list(batch, 'failures').slice(0, 2))
    await say(`"${shortName(name)}", ${failureClass}. ${error}`);

  await call('qa_report_final_generate', { projectId, exportFormat: 'html' });
  return projectId === undefined ? undefined : reportOf(stage, String(projectId));
}

/** Starts a workflow and waits for its end. */
async function follow(stage: Stage, workflow: string, args: Data): Promise<void> {
  const started = await stage.call(`qa_workflow_start_${workflow}`, args);
  const run = await waitFor(stage, `qa_workflow_get_${workflow}_latest_run`, started);
  if (run['status'] !== 'succeeded')
    throw new Failure('site_failed', 'DEMO_STEP', `${workflow} ${run['status']}: ${run['error']}`);
}

async function waitFor({ ask }: Stage, tool: string, { workflowRuntimeId }: Data): Promise<Data> {
  for (;;) {
    const run = await ask(tool, { workflowRuntimeId });
    if (run['status'] !== 'queued' && run['status'] !== 'running') return run;
    await pause(300);
  }
}

/** The page of the report, when it is written. */
async function reportOf({ ask, read }: Stage, projectId: string): Promise<string | undefined> {
  for (;;) {
    const report = dataOf((await ask('qa_report_stats_summary_get', { projectId }))['latestReport']);
    if (report['status'] === 'failed' || report['status'] === 'cancelled')
      throw new Failure('site_failed', 'DEMO_STEP', `The report ${report['status']}: ${report['error']}`);
    const uri = list(report, 'files').find(({ name }) => name === 'report.html')?.['uri'];
    if (report['status'] === 'succeeded' && typeof uri === 'string') return read(uri);
    await pause(300);
  }
}

function nameOf(useCase: unknown): string {
  return String(dataOf(useCase)['title'] ?? '');
}

/** Without the use case, which its name begins with. */
function shortName(name: unknown): string {
  return (
    String(name ?? '')
      .split(': ')
      .at(-1) ?? ''
  );
}
