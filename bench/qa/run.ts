/**
 * `npm run bench -- qa [--apps shop,service] [--repeat 10] [--defects 10] [--drifts 5] [--no-times] [--thorough]`: the
 * suites that Assay writes for the three fixture applications, judged. Stability: scripts that pass every time on the
 * unchanged site. Defects: seeded ones that the suite notices; it is played until it does, or with `--thorough` to its end.
 * Drift: scripts that survive a redesign, with and without fallback locators, and false alarms among those that do not.
 * Time: a bulk beside the exported files under plain Playwright, as they are and without any evidence, and one worker
 * beside two on pages that wait. Each figure is printed as soon as it is known, so that a run that is cut off has shown
 * what it had.
 */
import { parseArgs } from 'node:util';
import { type App, type AppOptions, apps, drifts } from '../../test/sites/apps/apps.ts';
import { printTable } from '../table.ts';
import { alarmsIn, bulk, exported, percent, seconds, underPlaywright } from './judge.ts';
import { type Bench, buildSuite, openBench, type Suite } from './suite.ts';

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
const wanted = values.apps.split(',');
const began = performance.now();
/** Scripts that fail spend their time waiting: where many may, more of them wait side by side. */
const WAITING = 4;

/** An application whose defects are taken by name. */
interface Breakable {
  defects: readonly string[];
  start(options?: AppOptions): Promise<App>;
}
const known: [string, Breakable][] = Object.entries(apps).filter(([name]) => wanted.includes(name));
if (known.length < wanted.length)
  throw new Error(`--apps takes ${Object.keys(apps).join(', ')}; it is ${JSON.stringify(values.apps)}`);

const made: string[][] = [];
const stable: string[][] = [];
const defects: string[][] = [];
const drifted: string[][] = [];
const timed: string[][] = [];
const total = { always: 0, scripts: 0, caught: 0, seeded: 0 };

/** Keeps a row for its table at the end, and says it at once. */
function note(rows: string[][], ...row: string[]): void {
  rows.push(row);
  process.stderr.write(`  ${seconds(performance.now() - began).padStart(9)}  ${row.join(' · ')}\n`);
}

for (const [name, breakable] of known) {
  await using bench = await openBench();
  await using app = await breakable.start();
  process.stderr.write(`${name}\n`);
  const suite = await buildSuite(bench, app, name);
  const written = [suite.seconds.scan, suite.seconds.generation].map((took) => seconds(took * 1000));
  note(made, name, ...[suite.candidates, suite.testCases, suite.active, suite.failed].map(String), ...written);
  for (const { title, reason } of suite.reasons) process.stderr.write(`    not active: ${title}: ${reason}\n`);
  await judge(name, breakable, bench, suite, app);
  printTables();
}

async function judge(
  name: string,
  { defects: seeds, start }: Breakable,
  bench: Bench,
  suite: Suite,
  app: App,
): Promise<void> {
  if (Number(values.repeat) > 0) {
    const { failed } = await bulk(bench, suite, { repeatPerTestCase: Number(values.repeat) });
    const always = suite.active - failed.size;
    note(stable, name, `${suite.active}`, `${always}`, percent(always, suite.active));
    total.always += always;
    total.scripts += suite.active;
  }
  // What fails on any other place of the same site says nothing about a defect there.
  await using fresh = await start();
  const elsewhere = await bulk(bench, suite, { baseUrl: fresh.url });
  const shaky = new Set(elsewhere.failed.keys());
  note(stable, `${name}, another instance`, `${suite.active}`, `${suite.active - shaky.size}`, '');
  for (const defect of seeds.slice(0, Number(values.defects))) {
    await using broken = await start({ defects: [defect] });
    const judged = await bulk(
      bench,
      suite,
      { baseUrl: broken.url, workers: WAITING },
      {
        known: shaky,
        untilAlarm: !values.thorough,
      },
    );
    const alarms = alarmsIn(judged);
    total.seeded++;
    if (alarms > 0) total.caught++;
    note(defects, `${name}: ${defect}`, `${judged.failed.size}`, `${alarms}`, alarms > 0 ? 'caught' : 'missed');
  }
  for (const drift of drifts.slice(0, Number(values.drifts))) {
    await using changed = await start({ drift: [drift] });
    const judged = await bulk(bench, suite, { baseUrl: changed.url, workers: WAITING }, { known: shaky });
    const [survive, alarms] = [suite.active - judged.failed.size, alarmsIn(judged)];
    const shares = [percent(survive, suite.active), percent(survive - judged.healed, suite.active)];
    note(drifted, `${name}: ${drift}`, ...shares, `${judged.failed.size - alarms}`, `${alarms}`);
  }
  if (values.times) await judgeTimes(name, bench, suite, app, start);
}

async function judgeTimes(
  name: string,
  bench: Bench,
  suite: Suite,
  app: App,
  start: Breakable['start'],
): Promise<void> {
  const path = await exported(bench, suite);
  const theirs = await underPlaywright(path, app);
  const { ms: ours } = await bulk(bench, suite, { workers: 2 });
  const bare = await underPlaywright(path, app, ['--trace=off']);
  const ratio = (to: number) => (ours / to).toFixed(2);
  note(timed, `${name}, replay with 2 workers`, seconds(ours), seconds(theirs), ratio(theirs));
  note(timed, `${name}, the same, no evidence from Playwright`, seconds(ours), seconds(bare), ratio(bare));
  await using slow = await start({ delayMs: 150 });
  const one = await bulk(bench, suite, { baseUrl: slow.url, workers: 1, limit: 20 });
  const two = await bulk(bench, suite, { baseUrl: slow.url, workers: 2, limit: 20 });
  const speedUp = (one.ms / two.ms).toFixed(2);
  note(timed, `${name}, pages that wait, 1 → 2 workers`, seconds(one.ms), seconds(two.ms), speedUp);
}

function printTables(): void {
  const { always, scripts, caught, seeded } = total;
  printTable(
    'Made',
    ['site', 'use cases', 'cases', 'active', 'not active', 'scanned in', 'written in'],
    made,
    `${seconds(performance.now() - began)} so far`,
  );
  printTable(
    `Unchanged site, each script ${values.repeat} times; then once on another instance`,
    ['site', 'scripts', 'always passed', 'share'],
    stable,
    `${percent(always, scripts)} of ${scripts} (bar: 99 %)`,
  );
  printTable(
    'Seeded defects',
    ['defect', 'noticed by', 'as a defect', ''],
    defects,
    `${percent(caught, seeded)} of ${seeded} (bar: 80 %)`,
  );
  printTable('Drift', ['drift', 'survive', 'without fallbacks', 'stale', 'false alarms'], drifted, '');
  printTable(
    'Time',
    ['what', 'Assay or 1', 'Playwright or 2', 'ratio'],
    timed,
    'replay: Assay / the exported files as they are, which keep traces of failures as a replay does, bar 0.7; pages that wait: speed-up',
  );
}
