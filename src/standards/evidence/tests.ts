import { packageOf, type SourceClock, staleness } from './freshness.ts';
import { type FoundReport, placesSearched } from './report-files.ts';
import { describeSource, type EvidenceSource } from './source.ts';
import { readTestReport, type TestCase } from './test-reports.ts';

export interface TestEvidence {
  sources: EvidenceSource[];
  /** Undefined where there is no evidence: `reason` says why. */
  cases: TestCase[] | undefined;
  reason: string;
}

/** What the fresh reports of tests say, together. One that broke off may have held what failed, so that nothing is known then. */
export async function testEvidence(
  found: readonly FoundReport[],
  { root, clock, nowMs }: { root: string; clock: SourceClock; nowMs: number },
): Promise<TestEvidence> {
  const reports = found.filter(({ kind }) => kind === 'junit' || kind === 'jest' || kind === 'tap');
  if (reports.length === 0) {
    return {
      sources: [],
      cases: undefined,
      reason: `no test report ${placesSearched('tests')}: write one as JUnit XML, Vitest or Jest JSON, or TAP, e.g. "node --test --test-reporter=junit --test-reporter-destination=junit.xml" or "pytest --junitxml=junit.xml"`,
    };
  }
  const sources: EvidenceSource[] = [];
  const cases: TestCase[] = [];
  for (const report of reports) {
    const stale = staleness(report, clock);
    const read = stale ? undefined : await readTestReport(root, report).catch((error: unknown) => error);
    const problem =
      stale ?? (Array.isArray(read) ? undefined : read instanceof Error ? read.message : 'it cannot be read');
    if (Array.isArray(read)) for (const test of read) cases.push(test);
    const state = stale ? 'stale' : problem ? 'invalid' : 'fresh';
    sources.push(await describeSource(root, report, nowMs, state, problem));
  }
  const lacking = sources.find(({ state }) => state === 'invalid') ?? staleAlone(sources);
  if (!lacking) return { sources, cases, reason: '' };
  const reason =
    lacking.state === 'stale'
      ? `${lacking.path} is ${lacking.note}: run the tests again`
      : `${lacking.path} cannot be read: ${lacking.note}`;
  return { sources, cases: undefined, reason };
}

/** A stale report that no fresh one stands in for: none of its own package, and none of the whole project. */
function staleAlone(sources: readonly EvidenceSource[]): EvidenceSource | undefined {
  const fresh = new Set(sources.filter(({ state }) => state === 'fresh').map(({ path }) => packageOf(path)));
  return sources.find(({ state, path }) => state === 'stale' && !fresh.has(packageOf(path)) && !fresh.has(''));
}
