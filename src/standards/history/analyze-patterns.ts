import { isSource, isTestFile } from '../evidence/code-files.ts';
import type { TestCase } from '../evidence/test-reports.ts';
import { nulSeparated } from '../git/repository.ts';
import type { Project } from '../spec/project.ts';
import { loadWaivers } from '../spec/waivers.ts';
import type { Analysis } from './analysis.ts';
import { distributionOf, round } from './distribution.ts';
import { type PastChange, pastChanges } from './past-changes.ts';
import { testRuns } from './test-runs.ts';

const SHOWN = 10;
/** A test must have been seen so often before its flips mean anything. */
const ENOUGH_RUNS = 3;
const LAST_RUNS = 5;
const QUARANTINE = 0.15;
const ENOUGH_CHANGES = 3;

/** How tests and sources change together, and how the tests behave from run to run. */
export async function analyzePatterns(project: Project, signal: AbortSignal): Promise<Analysis> {
  const [changes, runs, files, waivers] = await Promise.all([
    pastChanges(project),
    testRuns(project, signal),
    trackedFiles(project),
    loadWaivers(project.root, Date.now()),
  ]);
  if (changes.length < ENOUGH_CHANGES && runs.length === 0) {
    const said = `${changes.length} past changes and no report of tests; ${ENOUGH_CHANGES} changes or one report are needed`;
    return {
      status: 'insufficient_data',
      lines: [`insufficient_data: ${said}`],
      data: { changes: changes.length, runs: 0 },
    };
  }
  const together = coChange(changes);
  const spots = hotSpots(changes);
  const behaviour = behaviourOf(runs);
  const sources = files.filter(isSource).length;
  const tests = files.filter(isTestFile).length;
  const reasons = countBy(waivers.waivers.map(({ waiver }) => waiver.reason));
  return {
    status: 'ok',
    lines: [
      `${tests} test files, ${sources} source files`,
      together.changes === 0
        ? 'no past change touched sources'
        : `${together.withTests} of ${together.changes} changes to sources (${Math.round((together.withTests / together.changes) * 100)} %) changed tests too`,
      ...spots.map(
        ({ path, changes: count, lines }) => `hot spot ${JSON.stringify(path)}: ${count} changes, ${lines} lines`,
      ),
      ...behaviour.lines,
      ...reasons.map(([reason, count]) => `waivers for ${reason}: ${count}`),
    ],
    data: {
      test_files: tests,
      source_files: sources,
      changes_to_sources: together.changes,
      changes_with_tests: together.withTests,
      hot_spots: spots,
      runs: runs.length,
      ...behaviour.data,
      waiver_reasons: Object.fromEntries(reasons),
    },
  };
}

async function trackedFiles({ repository, root }: Project): Promise<string[]> {
  if (!repository) return [];
  return nulSeparated((await repository.git('ls-files', ['-z', '--', '.'], { cwd: root })).stdout);
}

function coChange(changes: readonly PastChange[]): { changes: number; withTests: number } {
  const touching = changes.filter(({ paths }) => paths.some(isSource));
  return { changes: touching.length, withTests: touching.filter(({ paths }) => paths.some(isTestFile)).length };
}

/** The sources that change again and again: that is where tests pay. */
function hotSpots(changes: readonly PastChange[]): { path: string; changes: number; lines: number }[] {
  const spots = new Map<string, { path: string; changes: number; lines: number }>();
  for (const { paths, lines } of changes)
    for (const path of paths.filter(isSource)) {
      const sofar = spots.get(path) ?? { path, changes: 0, lines: 0 };
      spots.set(path, { path, changes: sofar.changes + 1, lines: sofar.lines + Math.round(lines / paths.length) });
    }
  return [...spots.values()]
    .filter(({ changes: count }) => count > 1)
    .sort((a, b) => b.changes - a.changes || b.lines - a.lines || (a.path < b.path ? -1 : 1))
    .slice(0, SHOWN);
}

function behaviourOf(runs: readonly TestCase[][]): { lines: string[]; data: Record<string, unknown> } {
  if (runs.length === 0)
    return {
      lines: ['flaky and slow tests: insufficient_data, no report of tests'],
      data: { flaky: null, slowest: null },
    };
  const histories = new Map<string, TestCase[]>();
  for (const cases of runs)
    for (const test of cases) histories.set(test.name, [...(histories.get(test.name) ?? []), test]);
  const judged = [...histories].filter(([, seen]) => ran(seen).length >= ENOUGH_RUNS);
  const flaky = judged.flatMap(([name, seen]) => flakiness(name, seen));
  const last = runs.flat();
  const timed = last.flatMap(({ name, seconds }) =>
    seconds === undefined ? [] : [{ name, seconds: round(seconds, 3) }],
  );
  const slowest = [...new Map(timed.sort((a, b) => a.seconds - b.seconds).map((test) => [test.name, test])).values()]
    .reverse()
    .slice(0, SHOWN);
  const spread = distributionOf(timed.map(({ seconds }) => seconds));
  const skipped = [...histories.values()].filter((seen) => seen.at(-1)?.status === 'skipped').length;
  return {
    lines: [
      `${histories.size} tests in ${runs.length} runs on record, ${skipped} skipped in their last`,
      judged.length === 0
        ? `flaky tests: insufficient_data, none was seen in ${ENOUGH_RUNS} runs`
        : `${flaky.length} flaky of ${judged.length} tests seen in ${ENOUGH_RUNS} runs or more`,
      ...flaky
        .slice(0, SHOWN)
        .map(
          ({ name, failure_rate, quarantine }) =>
            `flaky: ${JSON.stringify(name)} failed in ${Math.round(failure_rate * 100)} % of its runs${quarantine ? '; take it out of the gate until it is mended' : ''}`,
        ),
      ...slowest.slice(0, 3).map(({ name, seconds }) => `slow: ${JSON.stringify(name)} takes ${seconds} s`),
    ],
    data: {
      tests: histories.size,
      skipped,
      flaky: judged.length === 0 ? null : flaky,
      slowest,
      seconds: timed.length === 0 ? null : spread,
    },
  };
}

const ran = (seen: readonly TestCase[]) => seen.filter(({ status }) => status !== 'skipped');

function flakiness(
  name: string,
  seen: readonly TestCase[],
): { name: string; runs: number; flips: number; failure_rate: number; quarantine: boolean }[] {
  const all = ran(seen);
  const late = all.slice(-LAST_RUNS);
  const flips = late.filter((test, index) => index > 0 && test.status !== late[index - 1]?.status).length;
  // Red until a day and green since is a repair; to and fro is not.
  if (flips < 2) return [];
  const failure_rate = round(all.filter(({ status }) => status === 'failed').length / all.length);
  return [{ name, runs: all.length, flips, failure_rate, quarantine: failure_rate >= QUARANTINE }];
}

function countBy(values: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}
