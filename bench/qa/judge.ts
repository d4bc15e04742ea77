import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { findBrowser } from '../../src/platform/browser/find.ts';
import type { App } from '../../test/sites/apps/apps.ts';
import { testHome } from '../../test/sites/workspace.ts';
import { root } from '../../test/support/assay.ts';
import type { Bench, Suite } from './suite.ts';

export const percent = (part: number, whole: number) => (whole === 0 ? '–' : `${((part / whole) * 100).toFixed(1)} %`);
export const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/** What one bulk came to. */
export interface Judged {
  /** By script: each time that it did not pass, and as what. */
  failed: Map<string, string[]>;
  healed: number;
  ms: number;
}

/** Plays the suite, or part of it, and says on the way what did not pass. */
export async function bulk(
  bench: Bench,
  { projectId }: Suite,
  more: Record<string, unknown> = {},
  known: ReadonlySet<string> = new Set(),
): Promise<Judged> {
  const from = performance.now();
  const started = await bench.call('qa_workflow_start_test_script_replay_bulk', { projectId, ...more });
  await bench.ended('qa_workflow_get_test_script_replay_bulk_latest_run', started.workflowRuntimeId);
  const ms = performance.now() - from;
  const { failures } = await bench.call('qa_workflow_get_replay_bulk_run_batch_summary', {
    runBatchId: started.runBatchId,
  });
  const failed = new Map<string, string[]>();
  for (const { testScriptId, verdict, failureClass = verdict, name, error } of failures) {
    if (known.has(testScriptId)) continue;
    failed.set(testScriptId, [...(failed.get(testScriptId) ?? []), failureClass]);
    process.stderr.write(`    ${failureClass} (${verdict}): ${name}: ${error}\n`);
  }
  const { healed } = await bench.call('qa_project_test_results_summary_get', { projectId });
  return { failed, healed, ms };
}

/** How many scripts say that the product is broken. */
export const alarmsIn = ({ failed }: Judged) =>
  [...failed.values()].filter((classes) => classes.includes('product defect')).length;

/** The exported files under plain Playwright, with two workers: how long they take, in milliseconds. */
export async function underPlaywright(bench: Bench, suite: Suite, app: App): Promise<number> {
  const path = join(bench.folder.path, 'exported');
  await bench.call('qa_test_script_export', { projectId: suite.projectId, path });
  symlinkSync(join(root, 'node_modules'), join(path, 'node_modules'));
  const found = await findBrowser({ env: process.env, home: testHome });
  const { username, password } = app.credentials;
  const env = {
    ...process.env,
    ...found?.env,
    ...{ TEST_USER_NAME: username, TEST_USER_PASSWORD: password },
    PLAYWRIGHT_EXECUTABLE: found?.path ?? '',
    BASE_URL: app.url,
  };
  const program = join(root, 'node_modules/@playwright/test/cli.js');
  const from = performance.now();
  try {
    const args = [program, 'test', '--workers=2', '--reporter=dot'];
    execFileSync(process.execPath, args, { cwd: path, env, stdio: 'pipe' });
  } catch (error) {
    const said = error instanceof Error && 'stdout' in error ? error.stdout : error;
    process.stderr.write(`    not all exported tests passed: ${said}\n`);
  }
  return performance.now() - from;
}
