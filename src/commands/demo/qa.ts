import { setTimeout as pause } from 'node:timers/promises';
import type { DemoSite } from './site.ts';
import { ask, type Client, call, type Data, list, say, title } from './stage.ts';

/** From a URL to a suite that catches a regression, and one report for people. */
export async function qa(client: Client, site: DemoSite): Promise<string | undefined> {
  await title('QA. From a URL to a test suite: what can people do on this site?');
  const { projectId } = await call(client, 'qa_project_create', { projectName: 'Corner shop', url: site.url });
  await follow(client, 'website_scan', { projectId, url: site.url, description: 'Delivery costs' });
  const memory = await call(client, 'qa_use_case_discovery_memory_get', { projectId });
  const candidates = list(memory, 'useCaseCandidates');
  for (const { status, useCase } of candidates) await say(`${status}: ${nameOf(useCase)}`);
  const delivery = candidates.find(({ useCase }) => /deliver|cost|calculat/i.test(nameOf(useCase))) ?? candidates[0];
  await call(client, 'qa_use_case_candidates_approve', { projectId, approvedCandidateIds: [delivery?.['id']] });

  await title('Test cases and scripts, written while they are carried out in a browser');
  await follow(client, 'test_case_detection', { projectId });
  await follow(client, 'test_script_generation', { projectId });
  const scripts = await ask(client, 'qa_test_script_list', { projectId });
  for (const { name, status } of list(scripts, 'data')) await say(`${status}: ${name}`);

  await title('A careless change: express delivery is not charged any more. Does the suite notice?');
  site.breakPrices();
  const started = await call(client, 'qa_workflow_start_test_script_replay_bulk', {
    projectId,
    name: 'After the change',
  });
  await waitFor(client, 'qa_workflow_get_test_script_replay_bulk_latest_run', started);
  await call(client, 'qa_workflow_get_replay_bulk_run_batch_summary', { runBatchId: started['runBatchId'] });
  await call(client, 'qa_project_test_results_summary_get', { projectId });

  await title('One report');
  await call(client, 'qa_report_final_generate', { projectId, exportFormat: 'html' });
  return projectId === undefined ? undefined : reportOf(client, String(projectId));
}

/** Starts a workflow and waits for its end. */
async function follow(client: Client, workflow: string, args: Data): Promise<void> {
  const started = await call(client, `qa_workflow_start_${workflow}`, args);
  const run = await waitFor(client, `qa_workflow_get_${workflow}_latest_run`, started);
  await say(`${run['status']}${run['error'] ? `: ${run['error']}` : ''}`);
}

async function waitFor(client: Client, tool: string, { workflowRuntimeId }: Data): Promise<Data> {
  for (;;) {
    const run = await ask(client, tool, { workflowRuntimeId });
    if (run['status'] !== 'queued' && run['status'] !== 'running') return run;
    await pause(300);
  }
}

/** The page of the report, when it is written. */
async function reportOf(client: Client, projectId: string): Promise<string | undefined> {
  for (;;) {
    const { latestReport } = await ask(client, 'qa_report_stats_summary_get', { projectId });
    const report: Data = { ...(typeof latestReport === 'object' ? latestReport : {}) };
    if (report['status'] === 'failed' || report['status'] === 'cancelled') return undefined;
    const uri = list(report, 'files').find(({ name }) => name === 'report.html')?.['uri'];
    if (report['status'] === 'succeeded' && typeof uri === 'string') return readText(client, uri);
    await pause(300);
  }
}

async function readText(client: Client, uri: string): Promise<string | undefined> {
  const [content] = (await client.readResource({ uri })).contents;
  if (!content) return undefined;
  return 'blob' in content ? Buffer.from(content.blob, 'base64').toString('utf8') : content.text;
}

function nameOf(useCase: unknown): string {
  return typeof useCase === 'object' && useCase && 'title' in useCase ? String(useCase.title) : '';
}
