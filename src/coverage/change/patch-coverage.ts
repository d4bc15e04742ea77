import { stat } from 'node:fs/promises';
import { posix, resolve } from 'node:path';
import { createSourceFileLookup } from '../paths/source-file-lookup.ts';
import { type CoverageReport, percent, type SourceFile } from '../report/coverage-report.ts';
import { formatRanges, type LineRange, uncoveredRanges, visitCoverableLines } from '../report/line-ranges.ts';
import { type ReadReportOptions, readReport } from '../report/read-report.ts';
import { comparePaths, type UncoveredFile } from '../report/uncovered-lines.ts';
import type { Totals } from '../store/coverage-store.ts';
import type { ChangedFile } from './git-diff.ts';
import { findMergeBase, listChangesSince, openWorkTree } from './git-work-tree.ts';

export interface PatchCoverage {
  /** Name of the base, and the merge base with it. */
  base: string;
  commit: string;
  /** Percentage of the changed coverable lines that ran; null if no such line changed. */
  percent: number | null;
  lines: Totals;
  /** Changed files with coverable changed lines, worst first; paths are relative to the top of the repository. */
  files: UncoveredFile[];
  totalFiles: number;
  /** Changed files of a measured kind, except tests, that the report does not contain. */
  withoutData: string[];
  totalWithoutData: number;
  /** Files written after the report: its line numbers may be wrong for them. */
  stale: string[];
  totalStale: number;
}

export interface PatchOptions extends ReadReportOptions {
  /** Branch, tag or commit; default: the main branch. */
  base?: string | undefined;
  /** A folder of the repository; default: `cwd`. */
  repository?: string | undefined;
  /** Throws if the caller may not use the repository. */
  checkPath?: (path: string) => Promise<void>;
  /** Maximum length of each list. */
  limit: number;
}

interface CoveredChange {
  path: string;
  file: SourceFile;
  ranges: readonly LineRange[];
  lines: Totals;
}

/** Measures the coverage of the lines that changed since the merge base, committed or not. */
export async function measurePatchCoverage(
  paths: string | readonly string[],
  options: PatchOptions,
): Promise<PatchCoverage> {
  const { signal } = options;
  const folder = resolve(options.cwd ?? '.', options.repository ?? '.');
  // Opened before the report, because a wrong base is found faster.
  const repository = await openWorkTree(folder, { signal, checkPath: options.checkPath });
  const { base, commit } = await findMergeBase(repository, options.base);
  const changed = await listChangesSince(repository, commit);
  const report = await readReport(paths, options);

  return { base, commit, ...(await measureChangedLines(report, repository.root, changed, options)) };
}

/** Measures how a report covers the changed lines of a folder. */
export async function measureChangedLines(
  report: CoverageReport,
  root: string,
  changed: readonly ChangedFile[],
  { limit, signal }: { limit: number; signal?: AbortSignal | undefined },
): Promise<Omit<PatchCoverage, 'base' | 'commit'>> {
  const { covered, unknown } = await matchChangedFiles(report, root, changed, signal);
  const files = covered
    .filter(({ lines }) => lines.found > 0)
    .sort((a, b) => uncoveredCount(b) - uncoveredCount(a) || comparePaths(a, b));
  const lines = files.reduce((sum, file) => ({ found: sum.found + file.lines.found, hit: sum.hit + file.lines.hit }), {
    found: 0,
    hit: 0,
  });
  const withoutData = unknown
    .filter(createKindTest(report))
    .filter((path) => !isTestPath(path))
    .sort();
  const stale = await findStaleFiles(report, root, covered);
  return {
    percent: lines.found === 0 ? null : percent(lines.hit, lines.found),
    lines,
    files: files.slice(0, limit).map(presentChange),
    totalFiles: files.length,
    withoutData: withoutData.slice(0, limit),
    totalWithoutData: withoutData.length,
    stale: stale.slice(0, limit),
    totalStale: stale.length,
  };
}

async function matchChangedFiles(
  report: CoverageReport,
  root: string,
  changed: readonly ChangedFile[],
  signal: AbortSignal | undefined,
) {
  const lookup = await createSourceFileLookup(report, root);
  const changesByFile = new Map<SourceFile, ChangedFile[]>();
  const unknown: string[] = [];
  for (const change of changed) {
    signal?.throwIfAborted();
    const file = await lookup.locate(posix.join(root, change.path));
    if (file && hasLines(file)) changesByFile.set(file, [...(changesByFile.get(file) ?? []), change]);
    else unknown.push(change.path);
  }
  const covered: CoveredChange[] = [];
  for (const [file, [change, ...others]] of changesByFile) {
    // If two changed files match one file of the report, it is unknown which one is meant.
    if (!change || others.length > 0) unknown.push(...[change, ...others].flatMap((other) => other?.path ?? []));
    else covered.push({ file, ...change, lines: countWithin(file, change.ranges) });
  }
  return { covered, unknown };
}

function hasLines(file: SourceFile): boolean {
  let hasAny = false;
  file.visitLines(() => {
    hasAny = true;
  });
  return hasAny;
}

function countWithin(file: SourceFile, ranges: readonly LineRange[]): Totals {
  const totals = { found: 0, hit: 0 };
  const within = createRangeTest(ranges);
  visitCoverableLines(file, (line, hit) => {
    if (!within(line)) return;
    totals.found += 1;
    if (hit) totals.hit += 1;
  });
  return totals;
}

/** Creates a test whether a line is in ascending ranges. Lines must be tested in ascending order. */
function createRangeTest(ranges: readonly LineRange[]): (line: number) => boolean {
  let at = 0;
  return (line) => {
    while (at < ranges.length && (ranges[at]?.[1] ?? 0) < line) at += 1;
    const range = ranges[at];
    return range !== undefined && range[0] <= line;
  };
}

function presentChange({ path, file, ranges, lines }: CoveredChange): UncoveredFile {
  const { text, more } = formatRanges(uncoveredRanges(file, createRangeTest(ranges)));
  return {
    path,
    percent: percent(lines.hit, lines.found),
    uncovered: lines.found - lines.hit,
    lines: text,
    ...(more > 0 && { moreRanges: more }),
  };
}

function uncoveredCount({ lines }: CoveredChange): number {
  return lines.found - lines.hit;
}

/** Creates a test whether the report measures files with the extension of a path. An empty report accepts all. */
function createKindTest(report: CoverageReport): (path: string) => boolean {
  const kinds = new Set(report.files.map(({ path }) => posix.extname(path.replaceAll('\\', '/'))));
  return (path) => kinds.size === 0 || kinds.has(posix.extname(path));
}

/** How the runners of tests name folders and files. */
const testPaths: readonly { runner: string; path: RegExp }[] = [
  { runner: 'any', path: /(^|\/)(tests?|__tests__|spec|e2e)\// },
  { runner: 'Vitest, Jest, Playwright', path: /[._-](test|spec|e2e)\.[^/]+$/ },
  { runner: 'pytest', path: /(^|\/)test_[^/]+$/ },
];

/** Whether a path is a test file. Tests are not measured, so a report need not contain them. */
export function isTestPath(path: string): boolean {
  return testPaths.some(({ path: convention }) => convention.test(path));
}

async function findStaleFiles(
  report: CoverageReport,
  root: string,
  covered: readonly CoveredChange[],
): Promise<string[]> {
  const oldest = Math.min(...report.origins.map(({ writtenAtMs }) => writtenAtMs));
  const stale: string[] = [];
  for (const { path } of covered) {
    const stats = await stat(posix.join(root, path)).catch(() => undefined);
    if (stats && stats.mtimeMs > oldest) stale.push(path);
  }
  return stale.sort();
}
