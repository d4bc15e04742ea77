import {
  type ChangedFile,
  type CoverageReport,
  formatRanges,
  listUncoveredLines,
  measureChangedLines,
  percent,
  readReport,
  type SourceFile,
  type UncoveredFile,
  uncoveredRanges,
} from '../../coverage/index.ts';
import { Failure } from '../../platform/errors.ts';
import { pluralize } from '../pluralize.ts';
import { quoteIfUnsafe } from '../spec/project-file.ts';
import { isTestFile } from './code-files.ts';
import { describeEvidenceSource, type EvidenceSource } from './evidence-source.ts';
import { describeStaleness, type SourceClock } from './freshness.ts';
import { describeSearchedFolders, type FoundReport } from './report-files.ts';
import { findLineBeyondEnd } from './report-plausibility.ts';

interface PatchEvidence {
  /** Null if no changed line is coverable. */
  percent: number | null;
  found: number;
  hit: number;
  uncovered: UncoveredFile[];
  /** Changed source files that the report does not contain. */
  withoutData: string[];
}

export interface CoverageEvidence {
  sources: EvidenceSource[];
  /** Undefined without evidence; `reason` says why. */
  measured:
    | {
        /** The measure with the lower share: an uncalled function has lines, but often no branches. */
        measure: 'branches' | 'lines';
        percent: number;
        found: number;
        hit: number;
        /** The other measure; undefined if the report has no branches. */
        other: { measure: 'branches' | 'lines'; found: number; hit: number } | undefined;
        /** Descriptions of the files with most gaps. */
        worst: string[];
        patch: PatchEvidence | undefined;
      }
    | undefined;
  reason: string;
}

interface CoverageContext {
  root: string;
  clock: SourceClock;
  nowMs: number;
  signal: AbortSignal | undefined;
  /** Called only if there is a report. */
  changedLines(): Promise<readonly ChangedFile[] | undefined>;
}

const MAX_FILES = 20;

/** Reads coverage from the fresh reports: all LCOV reports, else the first Cobertura report. */
export async function readCoverageEvidence(
  found: readonly FoundReport[],
  context: CoverageContext,
): Promise<CoverageEvidence> {
  const { root, clock, nowMs, signal } = context;
  const reports = found.filter(({ kind }) => kind === 'lcov' || kind === 'cobertura');
  if (reports.length === 0) {
    return {
      sources: [],
      measured: undefined,
      reason: `no coverage report ${describeSearchedFolders('coverage')}: run the tests with coverage, as LCOV or Cobertura XML`,
    };
  }
  const fresh = reports.filter((report) => describeStaleness(report, clock, nowMs) === undefined);
  const lcov = fresh.filter(({ kind }) => kind === 'lcov');
  const used = lcov.length > 0 ? lcov : fresh.slice(0, 1);
  let report: CoverageReport | undefined;
  let problem: string | undefined;
  try {
    if (used.length > 0)
      report = await readReport(
        used.map(({ path }) => path),
        { cwd: root, include: ['branches'], signal },
      );
    if (report) problem = await findLineBeyondEnd(root, listLastLines(report));
    if (problem) report = undefined;
  } catch (error) {
    signal?.throwIfAborted();
    problem = error instanceof Failure || error instanceof Error ? error.message : 'it cannot be read';
  }
  const sources = await Promise.all(
    [...used, ...reports.filter((report) => !fresh.includes(report))].map((report) => {
      const stale = describeStaleness(report, clock, nowMs);
      return describeEvidenceSource(
        root,
        report,
        nowMs,
        stale ? 'stale' : problem ? 'invalid' : 'fresh',
        stale ?? problem,
      );
    }),
  );
  if (!report || report.lines.found === 0)
    return { sources, measured: undefined, reason: explainMissing(sources, problem) };
  const changed = await context.changedLines();
  return { sources, measured: await measureReport(report, root, changed, signal), reason: '' };
}

const MAX_CHECKED = 500;

function listLastLines({ files }: CoverageReport): { path: string; lastLine: number }[] {
  return files.slice(0, MAX_CHECKED).map((file) => {
    let lastLine = 0;
    file.visitLines((word, found) => {
      if (found !== 0) lastLine = word * 32 + 31 - Math.clz32(found);
    });
    return { path: file.path, lastLine };
  });
}

function explainMissing(sources: readonly EvidenceSource[], problem: string | undefined): string {
  if (problem) return `the coverage report cannot be read: ${problem}`;
  const stale = sources.find(({ state }) => state === 'stale');
  return stale
    ? `${stale.path} is ${stale.note}: run the tests with coverage again`
    : 'the coverage report has no lines';
}

async function measureReport(
  report: CoverageReport,
  root: string,
  changed: readonly ChangedFile[] | undefined,
  signal: AbortSignal | undefined,
): Promise<CoverageEvidence['measured']> {
  const lines = { measure: 'lines' as const, ...report.lines };
  const branches =
    report.branches && report.branches.found > 0 ? { measure: 'branches' as const, ...report.branches } : undefined;
  const [lower, other] =
    branches && branches.hit * lines.found <= lines.hit * branches.found ? [branches, lines] : [lines, branches];
  const sources = report.files.filter(({ path }) => !isTestFile(path));
  const patch = changed && (await measureChangedLines(report, root, changed, { limit: MAX_FILES, signal }));
  return {
    ...lower,
    percent: percent(lower.hit, lower.found),
    other,
    worst: lower === branches ? describeBranchGaps(sources) : describeLineGaps(report, sources),
    patch: patch && {
      percent: patch.percent,
      ...patch.lines,
      uncovered: patch.files.filter(({ uncovered }) => uncovered > 0),
      withoutData: patch.withoutData.filter((path) => !isTestFile(path)),
    },
  };
}

function describeLineGaps(report: CoverageReport, files: readonly SourceFile[]): string[] {
  return listUncoveredLines(report, { files, limit: MAX_FILES }).files.map(
    ({ path, lines, uncovered }) => `${quoteIfUnsafe(path)}:${lines || ` ${pluralize(uncovered, 'line')}`} did not run`,
  );
}

/** Describes branch gaps with the lines that did not run, if any, because those are easier to find. */
function describeBranchGaps(files: readonly SourceFile[]): string[] {
  const uncoveredBranches = ({ branches }: SourceFile) => (branches ? branches.found - branches.hit : 0);
  return files
    .filter((file) => uncoveredBranches(file) > 0)
    .sort((a, b) => uncoveredBranches(b) - uncoveredBranches(a) || (a.path < b.path ? -1 : 1))
    .slice(0, MAX_FILES)
    .map((file) => {
      const { text } = formatRanges(uncoveredRanges(file));
      const lines = text === '' ? '' : `, nor did lines ${text}`;
      return `${quoteIfUnsafe(file.path)}: ${uncoveredBranches(file)} of ${file.branches?.found} branches did not run${lines}`;
    });
}
