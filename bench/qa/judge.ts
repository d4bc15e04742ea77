import { execFile } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findBrowser } from '../../src/platform/browser/installed-browser.ts';
import type { App } from '../../test/sites/apps/apps.ts';
import { testHome } from '../../test/sites/workspace.ts';
import { type Result, root } from '../../test/support/assay.ts';
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

export interface BulkWishes {
  /** Scripts that say nothing, whatever they do. */
  known?: ReadonlySet<string>;
  /** Ends as soon as one script says that the product is broken: that is all there is to know. */
  untilAlarm?: boolean;
}

/** Plays the suite, or part of it, and says on the way what did not pass. */
export async function bulk(
  bench: Bench,
  { projectId }: Suite,
  more: Record<string, unknown> = {},
  { known = new Set(), untilAlarm = false }: BulkWishes = {},
): Promise<Judged> {
  const from = performance.now();
  const { workflowRuntimeId, runBatchId } = await bench.call('qa_workflow_start_test_script_replay_bulk', {
    projectId,
    ...more,
  });
  const soFar = async () => {
    const { failures, failuresLeftOut } = await bench.call('qa_workflow_get_replay_bulk_run_batch_summary', {
      runBatchId,
    });
    const listed =
      failuresLeftOut > 0 ? [...failures, ...(await latestFailures(bench, projectId, failures))] : failures;
    return listed.filter(({ testScriptId }: Result) => !known.has(testScriptId));
  };
  const isAlarm = ({ failureClass, verdict }: Result) => failureClass === 'product defect' && verdict === 'failed';
  let isEnough = false;
  await bench.ended('qa_workflow_get_test_script_replay_bulk_latest_run', workflowRuntimeId, async () => {
    if (isEnough || !untilAlarm || !(await soFar()).some(isAlarm)) return;
    isEnough = true;
    await bench.call('qa_workflow_cancel_runtime', { workflowRuntimeId });
  });
  const ms = performance.now() - from;
  const failed = new Map<string, string[]>();
  for (const { testScriptId, verdict, failureClass = verdict, name, error } of await soFar()) {
    failed.set(testScriptId, [...(failed.get(testScriptId) ?? []), failureClass]);
    process.stderr.write(`    ${failureClass} (${verdict}): ${name}: ${error}\n`);
  }
  const { healed } = await bench.call('qa_workflow_get_replay_bulk_run_batch_summary', { runBatchId });
  return { failed, healed, ms };
}

/** The summary of a batch lists only so many; each script knows its own latest verdict. */
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

/** How many scripts say that the product is broken. */
export const alarmsIn = ({ failed }: Judged) =>
  [...failed.values()].filter((classes) => classes.includes('product defect')).length;

/** The files that a suite is exported as, ready to be run. */
export async function exported(bench: Bench, suite: Suite): Promise<string> {
  const path = join(bench.folder.path, 'exported');
  await bench.call('qa_test_script_export', { projectId: suite.projectId, path });
  symlinkSync(join(root, 'node_modules'), join(path, 'node_modules'));
  return path;
}

/** Exported files under plain Playwright, with two workers: how long they take, in milliseconds. */
export async function underPlaywright(path: string, app: App, more: readonly string[] = []): Promise<number> {
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
    // The site is served by this process, which must not stand still meanwhile.
    await promisify(execFile)(process.execPath, args, { cwd: path, env, maxBuffer: 50_000_000 });
  } catch (error) {
    const said = error instanceof Error && 'stdout' in error ? error.stdout : error;
    process.stderr.write(`    not all exported tests passed: ${said}\n`);
  }
  return performance.now() - from;
}
