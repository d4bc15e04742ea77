/**
 * `npm run bench -- qa [--apps shop,service] [--repeat 10] [--defects 10] [--drifts 5] [--no-times] [--thorough]`: quality of the
 * suites that Assay writes for the three fixture applications.
 * - Stability: scripts that pass every time on the unchanged site.
 * - Defects: seeded defects that the suite detects; a replay stops at the first detection unless `--thorough` is set.
 * - Drift: scripts that pass after a redesign, with and without fallback locators, and false alarms.
 * - Time: a bulk replay compared with the exportSuite files under plain Playwright, and one worker compared with two on slow pages.
 * Each row is printed as soon as it is known, so that an interrupted run has shown its results.
 */
import { parseArgs } from 'node:util';
import { type App, type AppOptions, apps, drifts } from '../../test/sites/apps/apps.ts';
import { printTable } from '../table.ts';
import { countAlarms, exportSuite, percent, replayBulk, runWithPlaywright, seconds } from './bulk-replay.ts';
import { type Bench, buildSuite, openBench, type Suite } from './qa-suite.ts';

const { values } = parseArgs({
  allowNegative: true,
  options: {
    apps: { type: 'string', default: Object.keys(apps).join(',') },
    repeat: { type: 'string', default: '10' },
    defects: { type: 'string', default: '10' },
    drifts: { type: 'string', default: String(drifts.length) },
    times: { type: 'boolean', default: true },
    thorough: { type: 'boolean', default: false },
  },
});
const appNames = values.apps.split(',');
const began = performance.now();
/** Workers of replays in which many scripts may fail: failing scripts mostly wait. */
const DRIFT_WORKERS = 4;

/** An application that can be started with seeded defects. */
interface TestedApp {
  defects: readonly string[];
  start(options?: AppOptions): Promise<App>;
}
const chosenApps: [string, TestedApp][] = Object.entries(apps).filter(([name]) => appNames.includes(name));
if (chosenApps.length < appNames.length)
  throw new Error(`--apps must be a list of ${Object.keys(apps).join(', ')}; got ${JSON.stringify(values.apps)}`);

const generated: string[][] = [];
const stable: string[][] = [];
const defects: string[][] = [];
const driftRows: string[][] = [];
const timeRows: string[][] = [];
const total = { always: 0, scripts: 0, caught: 0, seeded: 0 };

/** Adds a row to its table and prints it immediately. */
function addRow(rows: string[][], ...row: string[]): void {
  rows.push(row);
  process.stderr.write(`  ${seconds(performance.now() - began).padStart(9)}  ${row.join(' · ')}\n`);
}

for (const [name, testedApp] of chosenApps) {
  await using bench = await openBench();
  await using app = await testedApp.start();
  process.stderr.write(`${name}\n`);
  const suite = await buildSuite(bench, app, name);
  const written = [suite.seconds.scan, suite.seconds.generation].map((took) => seconds(took * 1000));
  addRow(generated, name, ...[suite.candidates, suite.testCases, suite.active, suite.failed].map(String), ...written);
  for (const { title, reason } of suite.reasons) process.stderr.write(`    not active: ${title}: ${reason}\n`);
  await judgeSuite(name, testedApp, bench, suite, app);
  printTables();
}

async function judgeSuite(
  name: string,
  { defects: seeds, start }: TestedApp,
  bench: Bench,
  suite: Suite,
  app: App,
): Promise<void> {
  if (Number(values.repeat) > 0) {
    const { failed } = await replayBulk(bench, suite, { repeatPerTestCase: Number(values.repeat) });
    const always = suite.active - failed.size;
    addRow(stable, name, `${suite.active}`, `${always}`, percent(always, suite.active));
    total.always += always;
    total.scripts += suite.active;
  }
  // A script that fails on another instance of the unchanged site is unreliable: it cannot prove a defect.
  await using fresh = await start();
  const elsewhere = await replayBulk(bench, suite, { baseUrl: fresh.url });
  const unreliable = new Set(elsewhere.failed.keys());
  addRow(stable, `${name}, another instance`, `${suite.active}`, `${suite.active - unreliable.size}`, '');
  for (const defect of seeds.slice(0, Number(values.defects))) {
    await using broken = await start({ defects: [defect] });
    const judged = await replayBulk(
      bench,
      suite,
      { baseUrl: broken.url, workers: DRIFT_WORKERS },
      {
        known: unreliable,
        untilAlarm: !values.thorough,
      },
    );
    const alarms = countAlarms(judged);
    total.seeded++;
    if (alarms > 0) total.caught++;
    addRow(defects, `${name}: ${defect}`, `${judged.failed.size}`, `${alarms}`, alarms > 0 ? 'caught' : 'missed');
  }
  for (const drift of drifts.slice(0, Number(values.drifts))) {
    await using changed = await start({ drift: [drift] });
    const judged = await replayBulk(
      bench,
      suite,
      { baseUrl: changed.url, workers: DRIFT_WORKERS },
      { known: unreliable },
    );
    const [survive, alarms] = [suite.active - judged.failed.size, countAlarms(judged)];
    const shares = [percent(survive, suite.active), percent(survive - judged.healed, suite.active)];
    addRow(driftRows, `${name}: ${drift}`, ...shares, `${judged.failed.size - alarms}`, `${alarms}`);
  }
  if (values.times) await judgeTimes(name, bench, suite, app, start);
}

async function judgeTimes(
  name: string,
  bench: Bench,
  suite: Suite,
  app: App,
  start: TestedApp['start'],
): Promise<void> {
  const path = await exportSuite(bench, suite);
  const theirs = await runWithPlaywright(path, app);
  const { ms: ours } = await replayBulk(bench, suite, { workers: 2 });
  const bare = await runWithPlaywright(path, app, ['--trace=off']);
  const ratio = (to: number) => (ours / to).toFixed(2);
  addRow(timeRows, `${name}, replay with 2 workers`, seconds(ours), seconds(theirs), ratio(theirs));
  addRow(timeRows, `${name}, the same without Playwright traces`, seconds(ours), seconds(bare), ratio(bare));
  await using slow = await start({ delayMs: 150 });
  const one = await replayBulk(bench, suite, { baseUrl: slow.url, workers: 1, limit: 20 });
  const two = await replayBulk(bench, suite, { baseUrl: slow.url, workers: 2, limit: 20 });
  const speedUp = (one.ms / two.ms).toFixed(2);
  addRow(timeRows, `${name}, slow pages, 1 → 2 workers`, seconds(one.ms), seconds(two.ms), speedUp);
}

function printTables(): void {
  const { always, scripts, caught, seeded } = total;
  printTable(
    'Generated suites',
    ['site', 'use cases', 'test cases', 'active', 'not active', 'scan time', 'generation time'],
    generated,
    `elapsed: ${seconds(performance.now() - began)}`,
  );
  printTable(
    `Stability: each script ${values.repeat} times on the unchanged site, then once on another instance`,
    ['site', 'scripts', 'always passed', 'share'],
    stable,
    `${percent(always, scripts)} of ${scripts} (target: 99 %)`,
  );
  printTable(
    'Seeded defects',
    ['defect', 'failed scripts', 'reported as defect', ''],
    defects,
    `${percent(caught, seeded)} of ${seeded} (target: 80 %)`,
  );
  printTable('Drift', ['drift', 'passed', 'without fallbacks', 'stale', 'false alarms'], driftRows, '');
  printTable(
    'Time',
    ['', 'Assay or 1 worker', 'Playwright or 2 workers', 'ratio'],
    timeRows,
    'replay: time of Assay / time of the exportSuite files with traces of failures, target 0.7; slow pages: speed-up of 2 workers',
  );
}
