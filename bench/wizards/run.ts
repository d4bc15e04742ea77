/**
 * `npm run bench -- wizards [--sets 50] [--drift-sets 50] [--only aid-estimator] [--skip-drift] [--skip-trust] [--skip-speed]`:
 * every fixture site with many sets of data, as it was discovered and after every drift, judged by what the site received;
 * then, one by one, the time of one execution beside a script written by hand, and of eight at once beside one. About
 * half an hour; `--sets 5` gives an idea.
 */
import { parseArgs } from 'node:util';
import { oldAidEstimatorSets } from '../../test/sites/forms/data/aid-estimator.ts';
import type { Drift } from '../../test/sites/forms/definition.ts';
import { type Fixture, type FixtureName, fixtureNames, fixtures } from '../../test/sites/forms/index.ts';
import { median, printTable } from '../table.ts';
import { handScripts } from './by-hand.ts';
import { openEngine } from './engine.ts';
import { judge, type Verdict } from './judge.ts';

const { values } = parseArgs({
  options: {
    sets: { type: 'string', default: '50' },
    'drift-sets': { type: 'string' },
    only: { type: 'string' },
    'skip-trust': { type: 'boolean', default: false },
    'skip-drift': { type: 'boolean', default: false },
    'skip-speed': { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
});
const count = Number(values.sets);
const driftCount = Number(values['drift-sets'] ?? values.sets);
// A file in the original format knows no names: it shows what an engine does that has only ids to go by. It knows no questions
// and no hints either, so nobody can tell from it that others stand there by now.
const unknowable: readonly Drift[] = ['changed-question', 'unit-change'];
const oldDrifts = fixtures['aid-estimator'].drifts.filter((drift) => !unknowable.includes(drift));
const subjects: Record<string, Fixture> = {
  ...fixtures,
  'aid-estimator-old': { ...fixtures['aid-estimator'], drifts: oldDrifts, sets: oldAidEstimatorSets },
};
const isWanted = (name: string) => values.only === undefined || values.only === name;

await using engine = await openEngine();
const failed: string[] = [];
for (const [name, subject] of values['skip-trust'] ? [] : Object.entries(subjects))
  if (isWanted(name)) await trust(name, subject);
if (!values['skip-speed']) {
  await speed();
  await together();
}
process.exitCode = failed.length === 0 ? 0 : 1;

/** One site for one execution, so that its record is that execution's. */
async function execute(
  name: string,
  { start, sets }: Fixture,
  drift: Drift | undefined,
  index: number,
): Promise<Verdict> {
  const set = sets(index + 1)[index];
  if (!set) throw new Error('no such set of data');
  await using site = await start(drift ? { drift } : {});
  return judge(await engine.run(name, site.url, set.data), site.records, set);
}

/** Two at a time, as there are two cores; after a drift more, since most of them wait for what is not there. */
async function executeAll(name: string, subject: Fixture, drift: Drift | undefined): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  let next = 0;
  const most = drift ? driftCount : count;
  const work = async () => {
    while (next < most) verdicts.push(await execute(name, subject, drift, next++));
  };
  await Promise.all(Array.from({ length: drift ? 5 : 2 }, work));
  return verdicts;
}

async function trust(name: string, subject: Fixture): Promise<void> {
  const rows: string[][] = [];
  const changed: Verdict[] = [];
  const usual = await executeAll(name, subject, undefined);
  rows.push(rowOf('as discovered', usual));
  for (const drift of values['skip-drift'] ? [] : subject.drifts) {
    const verdicts = await executeAll(name, subject, drift);
    changed.push(...verdicts);
    rows.push(rowOf(drift, verdicts));
  }
  const right = usual.filter(({ correct }) => correct).length;
  const wrong = sum(changed, ({ wrongValues }) => wrongValues);
  const lies = sum(changed, ({ falseSuccess }) => Number(falseSuccess));
  printTable(
    `${name}: ${count} sets of data${driftCount === count ? '' : `, ${driftCount} after each drift`}, judged by the site's record`,
    ['', 'correct', 'wrong values', 'false successes', 'honest errors', 'unseen successes', 'heals', 'ms'],
    rows,
    [
      bar('as discovered, all correct', `${right} of ${usual.length}`, right === usual.length),
      ...(changed.length > 0
        ? [
            bar('after drift, no wrong value', `${wrong}`, wrong === 0),
            bar('after drift, no false success', `${lies}`, lies === 0),
          ]
        : []),
    ].join('\n'),
  );
  if (values.verbose) tellErrors([...usual, ...changed]);
}

function sum(verdicts: readonly Verdict[], of: (verdict: Verdict) => number): number {
  return verdicts.reduce((total, verdict) => total + of(verdict), 0);
}

function rowOf(title: string, verdicts: readonly Verdict[]): string[] {
  const times = (is: (verdict: Verdict) => boolean) => String(verdicts.filter(is).length);
  return [
    title,
    times(({ correct }) => correct),
    String(sum(verdicts, ({ wrongValues }) => wrongValues)),
    times(({ falseSuccess }) => falseSuccess),
    times(({ correct, falseSuccess }) => !correct && !falseSuccess),
    times(({ unseenSuccess }) => unseenSuccess),
    String(sum(verdicts, ({ heals }) => heals)),
    median(verdicts.map(({ ms }) => ms)).toFixed(0),
  ];
}

function bar(what: string, found: string, isMet: boolean): string {
  if (!isMet) failed.push(what);
  return `bar: ${what} — ${found}, ${isMet ? 'met' : 'MISSED'}`;
}

function tellErrors(verdicts: readonly Verdict[]): void {
  const errors = Map.groupBy(
    verdicts.filter(({ error }) => error !== ''),
    ({ error }) => error,
  );
  for (const [error, those] of errors) process.stdout.write(`  ${those.length} × ${error}\n`);
}

/** The same form and data, turn by turn, in the same warm browser. */
async function speed(): Promise<void> {
  const rows: string[][] = [];
  const ratios: number[] = [];
  for (const name of fixtureNames.filter(isWanted)) {
    const { ours, byHand } = await compareOn(name);
    ratios.push(ours / byHand);
    rows.push([name, byHand.toFixed(0), ours.toFixed(0), (ours / byHand).toFixed(2)]);
  }
  const [first = 0] = ratios;
  printTable(
    'One execution beside a script written by hand, milliseconds',
    ['', 'by hand', 'assay', 'times'],
    rows,
    bar(
      'at most 1.15 times the script',
      `${Math.max(first, ...ratios).toFixed(2)} at worst`,
      ratios.every((ratio) => ratio <= 1.15),
    ),
  );
}

async function compareOn(name: FixtureName): Promise<{ ours: number; byHand: number }> {
  const { start, sets } = fixtures[name];
  const ours: number[] = [];
  const byHand: number[] = [];
  await using site = await start();
  for (const { data } of sets(12)) {
    const begun = performance.now();
    const told = await engine.run(name, site.url, data);
    ours.push(performance.now() - begun);
    if (told.status !== 'success') throw new Error(`${name} did not succeed: ${told.error}`);
    byHand.push(await engine.time((page) => handScripts[name](page, site.url, data)));
  }
  // The first of each warms up what they share.
  return { ours: median(ours.slice(2)), byHand: median(byHand.slice(2)) };
}

/** Eight people at a site that takes 300 ms for each page. */
async function together(): Promise<void> {
  const { start, sets } = fixtures['aid-estimator'];
  await using site = await start({ delayMs: 300 });
  const chosen = sets(8);
  const run = async (data: Record<string, unknown>) => {
    const told = await engine.run('aid-estimator', site.url, data);
    if (told.status !== 'success') throw new Error(told.error);
  };
  const alone: number[] = [];
  const many: number[] = [];
  for (let turn = 0; turn < 3; turn++) {
    let begun = performance.now();
    await run(chosen[turn]?.data ?? {});
    alone.push(performance.now() - begun);
    begun = performance.now();
    await Promise.all(chosen.map(({ data }) => run(data)));
    many.push(performance.now() - begun);
  }
  const times = median(many) / median(alone);
  printTable(
    'Eight executions at once, 300 ms a page, milliseconds',
    ['', 'ms'],
    [
      ['one', median(alone).toFixed(0)],
      ['eight at once', median(many).toFixed(0)],
    ],
    bar('at most 2 times the time of one', `${times.toFixed(2)} times`, times <= 2),
  );
}
