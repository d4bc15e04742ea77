import { packageFolder } from './code-files.ts';
import { describeEvidenceSource, type EvidenceSource } from './evidence-source.ts';
import { describeStaleness, type SourceClock } from './freshness.ts';
import { describeSearchedFolders, type FoundReport } from './report-files.ts';
import { describeWrongTimes, findUnreportedPackages } from './report-plausibility.ts';
import { readTestReport, readTestTimes, type TestReportCase } from './test-reports.ts';

export interface TestEvidence {
  sources: EvidenceSource[];
  /** Undefined without evidence; `reason` says why. */
  cases: TestReportCase[] | undefined;
  reason: string;
}

interface TestReadingContext {
  root: string;
  clock: SourceClock;
  nowMs: number;
  /** Changed code files: each package with one needs a report. */
  changed?: readonly string[];
}

/** Reads all fresh test reports. A truncated report may lack failed tests, so it makes the result unknown. */
export async function readTestEvidence(
  found: readonly FoundReport[],
  { root, clock, nowMs, changed = [] }: TestReadingContext,
): Promise<TestEvidence> {
  const reports = found.filter(({ kind }) => kind === 'junit' || kind === 'jest' || kind === 'tap');
  if (reports.length === 0) {
    return {
      sources: [],
      cases: undefined,
      reason: `no test report ${describeSearchedFolders('tests')}: write one as JUnit XML, Vitest or Jest JSON, or TAP, e.g. "node --test --test-reporter=junit --test-reporter-destination=junit.xml" or "pytest --junitxml=junit.xml"`,
    };
  }
  const sources: EvidenceSource[] = [];
  const cases: TestReportCase[] = [];
  for (const report of reports) {
    const newestSourceMs = clock.newest(packageFolder(report.path))?.modifiedMs;
    const times = { modifiedMs: report.modifiedMs, newestSourceMs, nowMs };
    const stale =
      describeStaleness(report, clock, nowMs) ?? describeWrongTimes(await readTestTimes(root, report), times);
    const read = stale ? undefined : await readTestReport(root, report).catch((error: unknown) => error);
    const problem =
      stale ?? (Array.isArray(read) ? undefined : read instanceof Error ? read.message : 'it cannot be read');
    if (Array.isArray(read)) for (const test of read) cases.push(test);
    const state = stale ? 'stale' : problem ? 'invalid' : 'fresh';
    sources.push(await describeEvidenceSource(root, report, nowMs, state, problem));
  }
  const unusable = sources.find(({ state }) => state === 'invalid') ?? findUnreplacedStale(sources);
  const usable = sources.filter(({ state }) => state === 'fresh').map(({ path }) => path);
  const [unreported] = unusable ? [] : findUnreportedPackages(changed, usable);
  if (unreported !== undefined) {
    const reason = `code of ${unreported === '' ? 'the top folder' : unreported} changed, and the only test reports are of other packages (${usable.join(', ')})`;
    return { sources, cases: undefined, reason };
  }
  if (!unusable) return { sources, cases, reason: '' };
  const reason =
    unusable.state === 'stale'
      ? `${unusable.path} is ${unusable.note}: run the tests again`
      : `${unusable.path} cannot be read: ${unusable.note}`;
  return { sources, cases: undefined, reason };
}

/** Finds a stale report without a fresh one of its package or of the whole project. */
function findUnreplacedStale(sources: readonly EvidenceSource[]): EvidenceSource | undefined {
  const fresh = new Set(sources.filter(({ state }) => state === 'fresh').map(({ path }) => packageFolder(path)));
  return sources.find(({ state, path }) => state === 'stale' && !fresh.has(packageFolder(path)) && !fresh.has(''));
}
