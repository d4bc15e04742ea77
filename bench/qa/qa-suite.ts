import { setTimeout as pause } from 'node:timers/promises';
import type { App } from '../../test/sites/apps/apps.ts';
import { scanEnvironment } from '../../test/support/accessibility/accessibility.ts';
import { type Connection, callOn, connectStdio, type Result } from '../../test/support/assay.ts';
import { type Folder, newFolder } from '../../test/support/folders.ts';

/** A server with its own home folder, and a client that is connected to it. */
export interface Bench extends AsyncDisposable {
  call(name: string, args?: Record<string, unknown>): Promise<Result>;
  /** Waits for the end of a workflow; `onPoll` runs at each poll. */
  ended(latest: string, workflowRuntimeId: string, onPoll?: () => Promise<void>): Promise<Result>;
  env: Record<string, string>;
  folder: Folder;
}

export async function openBench(): Promise<Bench> {
  const folder = await newFolder();
  const env = await scanEnvironment(folder);
  const client: Connection = await connectStdio('modern', {
    args: ['--toolsets', 'qa', '--log-level', 'error'],
    env,
    stderr: 'inherit',
  });
  const call = callOn(client);
  return {
    call,
    env,
    folder,
    async ended(latest, workflowRuntimeId, onPoll) {
      for (;;) {
        const run = await call(latest, { workflowRuntimeId });
        if (['succeeded', 'failed', 'cancelled'].includes(run.status)) return run;
        await onPoll?.();
        await pause(250);
      }
    },
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

export interface Suite {
  projectId: string;
  candidates: number;
  testCases: number;
  active: number;
  failed: number;
  seconds: { scan: number; detection: number; generation: number };
  /** Reasons of the scripts that did not become active. */
  reasons: { title: string; reason: string }[];
}

/** Builds a suite from an address: scan, approve all use cases, detect test cases, generate scripts. */
export async function buildSuite({ call, ended }: Bench, app: App, name: string): Promise<Suite> {
  const { projectId } = await call('qa_project_create', { projectName: name, url: app.url });
  // Not every site has a login.
  for (const [secret, value] of [
    ['TEST_USER_NAME', app.credentials.username],
    ['TEST_USER_PASSWORD', app.credentials.password],
  ])
    if (value) await call('qa_secret_create', { projectId, name: secret, value });
  const seconds = { scan: 0, detection: 0, generation: 0 };
  const timed = async (
    what: keyof typeof seconds,
    start: string,
    latest: string,
    args: Record<string, unknown> = {},
  ) => {
    const from = performance.now();
    const { workflowRuntimeId } = await call(start, { projectId, ...args });
    const run = await ended(latest, workflowRuntimeId);
    seconds[what] = (performance.now() - from) / 1000;
    return run;
  };
  await timed('scan', 'qa_workflow_start_website_scan', 'qa_workflow_get_website_scan_latest_run', {
    url: app.url,
    description: 'Everything',
  });
  const memory = await call('qa_use_case_discovery_memory_get', { projectId });
  const ids: string[] = memory.useCaseCandidates.map(({ id }: Result) => id);
  await call('qa_use_case_candidates_approve', { projectId, approvedCandidateIds: ids });
  const detected = await timed(
    'detection',
    'qa_workflow_start_test_case_detection',
    'qa_workflow_get_test_case_detection_latest_run',
  );
  const generated = await timed(
    'generation',
    'qa_workflow_start_test_script_generation',
    'qa_workflow_get_test_script_generation_latest_run',
  );
  return {
    projectId,
    candidates: ids.length,
    testCases: detected.result.testCases,
    active: generated.result?.active ?? 0,
    failed: generated.result?.failed ?? 0,
    seconds,
    reasons: (generated.result?.scripts ?? [])
      .filter(({ status }: Result) => status !== 'active')
      .map(({ title, reason }: Result) => ({ title, reason })),
  };
}
