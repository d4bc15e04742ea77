/**
 * `npm run bench -- qa [--apps shop,service] [--repeat 10] [--defects 10] [--drifts 5]`: the suites that Assay writes for the
 * three fixture applications, judged. Stability: scripts that pass every time on the unchanged site. Defects: seeded ones that
 * the suite notices. Drift: scripts that survive a redesign, with and without fallback locators, and false alarms among
 * those that do not. Time: a bulk beside the exported files under plain Playwright, and one worker beside two on pages
 * that wait. About an hour with everything on two cores.
 */
import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findBrowser } from '../../src/platform/browser/find.ts';
import { type App, type AppOptions, apps, drifts } from '../../test/sites/apps/apps.ts';
import { testHome } from '../../test/sites/workspace.ts';
import { type Result, root } from '../../test/support/assay.ts';
import { printTable } from '../table.ts';
import { type Bench, buildSuite, openBench, type Suite } from './suite.ts';

const { values } = parseArgs({
  options: {
    apps: { type: 'string', default: Object.keys(apps).join(',') },
    repeat: { type: 'string', default: '10' },
    defects: { type: 'string', default: '10' },
    drifts: { type: 'string', default: String(drifts.length) },
  },
});
const wanted = values.apps.split(',');

/** An application whose defects are taken by name. */
interface Breakable {
  defects: readonly string[];
  start(options?: AppOptions): Promise<App>;
}
const known: [string, Breakable][] = Object.entries(apps).filter(([name]) => wanted.includes(name));

const percent = (part: number, whole: number) => (whole === 0 ? '–' : `${((part / whole) * 100).toFixed(1)} %`);
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

interface Judged {
  status: Result;
  /** By script: how often it did not pass, and as what. */
  failed: Map<string, string[]>;
  healed: number;
  ms: number;
}

async function bulk(bench: Bench, { projectId }: Suite, more: Record<string, unknown> = {}): Promise<Judged> {
  const from = performance.now();
  const started = await bench.call('qa_workflow_start_test_script_replay_bulk', { projectId, ...more });
  await bench.ended('qa_workflow_get_test_script_replay_bulk_latest_run', started.workflowRuntimeId);
  const ms = performance.now() - from;
  const status = await bench.call('qa_workflow_get_replay_bulk_run_batch_summary', { runBatchId: started.runBatchId });
  const failed = new Map<string, string[]>();
  for (const { testScriptId, verdict, failureClass = verdict, name, error } of status.failures) {
    failed.set(testScriptId, [...(failed.get(testScriptId) ?? []), failureClass]);
    process.stderr.write(`  ${failureClass} (${verdict}): ${name}: ${error}\n`);
  }
  const { healed } = await bench.call('qa_project_test_results_summary_get', { projectId });
  return { status, failed, healed, ms };
}

const made: string[][] = [];
const stable: string[][] = [];
const defects: string[][] = [];
const drifted: string[][] = [];
const timed: string[][] = [];
let [passedAlways, scripts, caught, seeded] = [0, 0, 0, 0];

for (const [name, { defects: seeds, start }] of known) {
  await using bench = await openBench();
  await using app = await start();
  const suite = await buildSuite(bench, app, name);
  const { testCases, active, failed } = suite;
  made.push([
    name,
    `${suite.candidates}`,
    `${testCases}`,
    `${active}`,
    `${failed}`,
    `${suite.seconds.generation.toFixed(0)} s`,
  ]);
  for (const { title, reason } of suite.reasons) process.stderr.write(`  not active: ${title}: ${reason}\n`);
  await judgeStability(name, bench, suite);
  // What fails on any other place of the same site says nothing about a defect there.
  await using fresh = await start();
  const shaky = new Set((await bulk(bench, suite, { baseUrl: fresh.url })).failed.keys());
  for (const defect of seeds.slice(0, Number(values.defects))) {
    await using broken = await start({ defects: [defect] });
    await judgeDefect(name, bench, suite, defect, broken, shaky);
  }
  for (const drift of drifts.slice(0, Number(values.drifts))) {
    await using changed = await start({ drift: [drift] });
    await judgeDrift(name, bench, suite, drift, changed, shaky);
  }
  await compareTimes(name, bench, suite, app);
  await using slow = await start({ delayMs: 150 });
  const one = await bulk(bench, suite, { baseUrl: slow.url, workers: 1, limit: 20 });
  const two = await bulk(bench, suite, { baseUrl: slow.url, workers: 2, limit: 20 });
  timed.push([
    `${name}, pages that wait, 1 → 2 workers`,
    seconds(one.ms),
    seconds(two.ms),
    (one.ms / two.ms).toFixed(2),
  ]);
}

printTable('Made', ['site', 'use cases', 'cases', 'active', 'not active', 'written in'], made, '');
printTable(
  `Unchanged site, each script ${values.repeat} times`,
  ['site', 'scripts', 'always passed', 'share'],
  stable,
  `${percent(passedAlways, scripts)} of ${scripts} (bar: 99 %)`,
);
printTable(
  'Seeded defects',
  ['defect', 'noticed by', 'as a defect'],
  defects,
  `${percent(caught, seeded)} of ${seeded} (bar: 80 %)`,
);
printTable('Drift', ['drift', 'survive', 'without fallbacks', 'stale', 'false alarms'], drifted, '');
printTable(
  'Time',
  ['what', 'Assay or 1', 'Playwright or 2', 'ratio'],
  timed,
  'replay: Assay / Playwright, bar 0.7; pages that wait: speed-up',
);

async function judgeStability(name: string, bench: Bench, suite: Suite): Promise<void> {
  const { failed } = await bulk(bench, suite, { repeatPerTestCase: Number(values.repeat) });
  stable.push([
    name,
    `${suite.active}`,
    `${suite.active - failed.size}`,
    percent(suite.active - failed.size, suite.active),
  ]);
  passedAlways += suite.active - failed.size;
  scripts += suite.active;
}

async function judgeDefect(
  name: string,
  bench: Bench,
  suite: Suite,
  defect: string,
  broken: App,
  shaky: ReadonlySet<string>,
): Promise<void> {
  const { failed } = await bulk(bench, suite, { baseUrl: broken.url });
  for (const id of shaky) failed.delete(id);
  const asDefect = [...failed.values()].filter((classes) => classes.includes('product defect')).length;
  defects.push([`${name}: ${defect}`, `${failed.size}`, `${asDefect}`]);
  seeded++;
  if (asDefect > 0) caught++;
}

async function judgeDrift(
  name: string,
  bench: Bench,
  suite: Suite,
  drift: string,
  changed: App,
  shaky: ReadonlySet<string>,
): Promise<void> {
  const { failed, healed } = await bulk(bench, suite, { baseUrl: changed.url });
  for (const id of shaky) failed.delete(id);
  const survive = suite.active - failed.size;
  const alarms = [...failed.values()].filter((classes) => classes.includes('product defect')).length;
  const without = percent(survive - healed, suite.active);
  drifted.push([`${name}: ${drift}`, percent(survive, suite.active), without, `${failed.size - alarms}`, `${alarms}`]);
}

async function compareTimes(name: string, bench: Bench, suite: Suite, app: App): Promise<void> {
  const path = join(bench.folder.path, 'exported');
  await bench.call('qa_test_script_export', { projectId: suite.projectId, path });
  symlinkSync(join(root, 'node_modules'), join(path, 'node_modules'));
  const found = await findBrowser({ env: process.env, home: testHome });
  const { username, password } = app.credentials;
  const secrets = { TEST_USER_NAME: username, TEST_USER_PASSWORD: password };
  const env = {
    ...process.env,
    ...found?.env,
    ...secrets,
    PLAYWRIGHT_EXECUTABLE: found?.path ?? '',
    BASE_URL: app.url,
  };
  const program = join(root, 'node_modules/@playwright/test/cli.js');
  const from = performance.now();
  try {
    execFileSync(process.execPath, [program, 'test', '--workers=2', '--reporter=dot'], {
      cwd: path,
      env,
      stdio: 'pipe',
    });
  } catch (error) {
    process.stderr.write(
      `  not all exported tests passed: ${error instanceof Error && 'stdout' in error ? error.stdout : ''}\n`,
    );
  }
  const theirs = performance.now() - from;
  const ours = await bulk(bench, suite, { workers: 2 });
  timed.push([`${name}, replay with 2 workers`, seconds(ours.ms), seconds(theirs), (ours.ms / theirs).toFixed(2)]);
}
