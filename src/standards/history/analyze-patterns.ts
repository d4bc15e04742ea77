import { isSourceFile, isTestFile } from '../evidence/code-files.ts';
import type { TestReportCase } from '../evidence/test-reports.ts';
import { splitNul } from '../git/repository.ts';
import type { GovernedProject } from '../spec/project.ts';
import { loadWaivers } from '../spec/waivers.ts';
import { describeDistribution, roundTo } from './distribution.ts';
import type { HistoryAnalysis } from './history-analysis.ts';
import { type PastChange, readPastChanges } from './past-changes.ts';
import { readTestRuns } from './test-runs.ts';

const MAX_LISTED = 10;
/** Runs of a test that are needed to call it flaky. */
const MIN_RUNS = 3;
const RECENT_RUNS = 5;
const QUARANTINE_RATE = 0.15;
const MIN_CHANGES = 3;

/** Analyses how tests and sources change together, and how tests behave across runs. */
export async function analyzePatterns(project: GovernedProject, signal: AbortSignal): Promise<HistoryAnalysis> {
  const [changes, runs, files, waivers] = await Promise.all([
    readPastChanges(project),
    readTestRuns(project, signal),
    listTrackedFiles(project),
    loadWaivers(project.root, Date.now()),
  ]);
  if (changes.length < MIN_CHANGES && runs.length === 0) {
    const counts = `${changes.length} past changes and no report of tests; ${MIN_CHANGES} changes or one report are needed`;
    return {
      status: 'insufficient_data',
      lines: [`insufficient_data: ${counts}`],
      data: { changes: changes.length, runs: 0 },
    };
  }
  const coChanges = countCoChanges(changes);
  const hotSpots = findHotSpots(changes);
  const behaviour = analyzeTestRuns(runs);
  const sources = files.filter(isSourceFile).length;
  const tests = files.filter(isTestFile).length;
  const reasons = countValues(waivers.waivers.map(({ waiver }) => waiver.reason));
  return {
    status: 'ok',
    lines: [
      `${tests} test files, ${sources} source files`,
      coChanges.changes === 0
        ? 'no past change touched sources'
        : `${coChanges.withTests} of ${coChanges.changes} changes to sources (${Math.round((coChanges.withTests / coChanges.changes) * 100)} %) changed tests too`,
      ...hotSpots.map(
        ({ path, changes: count, lines }) => `hot spot ${JSON.stringify(path)}: ${count} changes, ${lines} lines`,
      ),
      ...behaviour.lines,
      ...reasons.map(([reason, count]) => `waivers for ${reason}: ${count}`),
    ],
    data: {
      test_files: tests,
      source_files: sources,
      changes_to_sources: coChanges.changes,
      changes_with_tests: coChanges.withTests,
      hot_spots: hotSpots,
      runs: runs.length,
      ...behaviour.data,
      waiver_reasons: Object.fromEntries(reasons),
    },
  };
}

async function listTrackedFiles({ repository, root }: GovernedProject): Promise<string[]> {
  if (!repository) return [];
  return splitNul((await repository.git('ls-files', ['-z', '--', '.'], { cwd: root })).stdout);
}

function countCoChanges(changes: readonly PastChange[]): { changes: number; withTests: number } {
  const touching = changes.filter(({ paths }) => paths.some(isSourceFile));
  return { changes: touching.length, withTests: touching.filter(({ paths }) => paths.some(isTestFile)).length };
}

/** Finds the sources that change most often, where tests pay off most. */
function findHotSpots(changes: readonly PastChange[]): { path: string; changes: number; lines: number }[] {
  const spots = new Map<string, { path: string; changes: number; lines: number }>();
  for (const { paths, lines } of changes)
    for (const path of paths.filter(isSourceFile)) {
      const sofar = spots.get(path) ?? { path, changes: 0, lines: 0 };
      spots.set(path, { path, changes: sofar.changes + 1, lines: sofar.lines + Math.round(lines / paths.length) });
    }
  return [...spots.values()]
    .filter(({ changes: count }) => count > 1)
    .sort((a, b) => b.changes - a.changes || b.lines - a.lines || (a.path < b.path ? -1 : 1))
    .slice(0, MAX_LISTED);
}

function analyzeTestRuns(runs: readonly TestReportCase[][]): { lines: string[]; data: Record<string, unknown> } {
  if (runs.length === 0)
    return {
      lines: ['flaky and slow tests: insufficient_data, no report of tests'],
      data: { flaky: null, slowest: null },
    };
  const histories = new Map<string, TestReportCase[]>();
  for (const cases of runs)
    for (const test of cases) histories.set(test.name, [...(histories.get(test.name) ?? []), test]);
  const judged = [...histories].filter(([, seen]) => executedTests(seen).length >= MIN_RUNS);
  const flaky = judged.flatMap(([name, seen]) => detectFlakiness(name, seen));
  const last = runs.flat();
  const timed = last.flatMap(({ name, seconds }) =>
    seconds === undefined ? [] : [{ name, seconds: roundTo(seconds, 3) }],
  );
  const slowest = [...new Map(timed.sort((a, b) => a.seconds - b.seconds).map((test) => [test.name, test])).values()]
    .reverse()
    .slice(0, MAX_LISTED);
  const spread = describeDistribution(timed.map(({ seconds }) => seconds));
  const skipped = [...histories.values()].filter((seen) => seen.at(-1)?.status === 'skipped').length;
  return {
    lines: [
      `${histories.size} tests in ${runs.length} runs on record, ${skipped} skipped in their last`,
      judged.length === 0
        ? `flaky tests: insufficient_data, none was seen in ${MIN_RUNS} runs`
        : `${flaky.length} flaky of ${judged.length} tests seen in ${MIN_RUNS} runs or more`,
      ...flaky
        .slice(0, MAX_LISTED)
        .map(
          ({ name, failure_rate, quarantine }) =>
            `flaky: ${JSON.stringify(name)} failed in ${Math.round(failure_rate * 100)} % of its runs${quarantine ? '; exclude it from the gate until it is fixed' : ''}`,
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

const executedTests = (seen: readonly TestReportCase[]) => seen.filter(({ status }) => status !== 'skipped');

function detectFlakiness(
  name: string,
  seen: readonly TestReportCase[],
): { name: string; runs: number; flips: number; failure_rate: number; quarantine: boolean }[] {
  const all = executedTests(seen);
  const late = all.slice(-RECENT_RUNS);
  const flips = late.filter((test, index) => index > 0 && test.status !== late[index - 1]?.status).length;
  // One change from failed to passed is a fix; more changes are flakiness.
  if (flips < 2) return [];
  const failure_rate = roundTo(all.filter(({ status }) => status === 'failed').length / all.length);
  return [{ name, runs: all.length, flips, failure_rate, quarantine: failure_rate >= QUARANTINE_RATE }];
}

function countValues(values: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}
