import { execFile } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findBrowser } from '../../src/platform/browser/installed-browser.ts';
import type { App } from '../../test/sites/apps/apps.ts';
import { testHome } from '../../test/sites/workspace.ts';
import { type Result, root } from '../../test/support/assay.ts';
import type { Bench, Suite } from './qa-suite.ts';

export const percent = (part: number, whole: number) => (whole === 0 ? '–' : `${((part / whole) * 100).toFixed(1)} %`);
export const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/** Result of one bulk replay. */
export interface BulkResult {
  /** Failure classes of each script that did not pass every time. */
  failed: Map<string, string[]>;
  healed: number;
  ms: number;
}

export interface BulkOptions {
  /** Ids of unreliable scripts, whose results are ignored. */
  known?: ReadonlySet<string>;
  /** Cancels the bulk as soon as one script reports a product defect. */
  untilAlarm?: boolean;
}

/** Replays the suite or a part of it and prints the failures. */
export async function replayBulk(
  bench: Bench,
  { projectId }: Suite,
  more: Record<string, unknown> = {},
  { known = new Set(), untilAlarm = false }: BulkOptions = {},
): Promise<BulkResult> {
  const from = performance.now();
  const { workflowRuntimeId, runBatchId } = await bench.call('qa_workflow_start_test_script_replay_bulk', {
    projectId,
    ...more,
  });
  const readFailures = async () => {
    const { failures, failuresLeftOut } = await bench.call('qa_workflow_get_replay_bulk_run_batch_summary', {
      runBatchId,
    });
    const listed =
      failuresLeftOut > 0 ? [...failures, ...(await latestFailures(bench, projectId, failures))] : failures;
    return listed.filter(({ testScriptId }: Result) => !known.has(testScriptId));
  };
  const isAlarm = ({ failureClass, verdict }: Result) => failureClass === 'product defect' && verdict === 'failed';
  let isCancelled = false;
  await bench.ended('qa_workflow_get_test_script_replay_bulk_latest_run', workflowRuntimeId, async () => {
    if (isCancelled || !untilAlarm || !(await readFailures()).some(isAlarm)) return;
    isCancelled = true;
    await bench.call('qa_workflow_cancel_runtime', { workflowRuntimeId });
  });
  const ms = performance.now() - from;
  const failed = new Map<string, string[]>();
  for (const { testScriptId, verdict, failureClass = verdict, name, error } of await readFailures()) {
    failed.set(testScriptId, [...(failed.get(testScriptId) ?? []), failureClass]);
    process.stderr.write(`    ${failureClass} (${verdict}): ${name}: ${error}\n`);
  }
  const { healed } = await bench.call('qa_workflow_get_replay_bulk_run_batch_summary', { runBatchId });
  return { failed, healed, ms };
}

/** The batch summary lists a limited number of failures; the others are read from the latest verdict of each script. */
async function latestFailures(bench: Bench, projectId: string, listed: readonly Result[]): Promise<Result[]> {
  const ids = new Set(listed.map(({ testScriptId }) => testScriptId));
  const others: Result[] = [];
  for (let page = 1; ; page++) {
    const { data, hasMore } = await bench.call('qa_test_script_list_paginated', { projectId, page, pageSize: 100 });
    for (const { id, name, latestVerdict: verdict, latestFailureClass: failureClass } of data)
      if (verdict !== undefined && verdict !== 'passed' && !ids.has(id))
        others.push({ testScriptId: id, name, verdict, failureClass, error: '' });
    if (!hasMore) return others;
  }
}

/** Number of scripts that report a product defect. */
export const countAlarms = ({ failed }: BulkResult) =>
  [...failed.values()].filter((classes) => classes.includes('product defect')).length;

/** Exports a suite to files that Playwright can run. */
export async function exportSuite(bench: Bench, suite: Suite): Promise<string> {
  const path = join(bench.folder.path, 'exportSuite');
  await bench.call('qa_test_script_export', { projectId: suite.projectId, path });
  symlinkSync(join(root, 'node_modules'), join(path, 'node_modules'));
  return path;
}

/** Runs exportSuite files with plain Playwright and two workers; returns the time in milliseconds. */
export async function runWithPlaywright(path: string, app: App, more: readonly string[] = []): Promise<number> {
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
    const args = [program, 'test', '--workers=2', '--reporter=dot', ...more];
    // This process serves the site, so it must not block.
    await promisify(execFile)(process.execPath, args, { cwd: path, env, maxBuffer: 50_000_000 });
  } catch (error) {
    const output = error instanceof Error && 'stdout' in error ? error.stdout : error;
    process.stderr.write(`    not all exportSuite tests passed: ${output}\n`);
  }
  return performance.now() - from;
}
