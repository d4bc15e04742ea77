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
  /** What the change is compared with, and the commit where it left it. */
  base: string;
  commit: string;
  /** Of the changed lines that can be covered, those that ran; null when no such line changed. */
  percent: number | null;
  lines: Totals;
  /** Changed files with coverable changed lines, worst first; paths are seen from the top of the repository. */
  files: UncoveredFile[];
  totalFiles: number;
  /** Changed files of a kind that the report knows, tests aside, of which it says nothing. */
  withoutData: string[];
  totalWithoutData: number;
  /** Files that were written after the report: its line numbers may not fit them. */
  stale: string[];
  totalStale: number;
}

export interface PatchOptions extends ReadReportOptions {
  /** Branch, tag or commit; the usual main branch unless given. */
  base?: string | undefined;
  /** A folder of the repository; `cwd` unless given. */
  repository?: string | undefined;
  /** Refuses a repository that the caller may not touch. */
  checkPath?: (path: string) => Promise<void>;
  /** How many entries a list may have. */
  limit: number;
}

interface CoveredChange {
  path: string;
  file: SourceFile;
  ranges: readonly LineRange[];
  lines: Totals;
}

/** How well the lines are covered that changed since the branch point, committed or not. */
export async function measurePatchCoverage(
  paths: string | readonly string[],
  options: PatchOptions,
): Promise<PatchCoverage> {
  const { signal } = options;
  const folder = resolve(options.cwd ?? '.', options.repository ?? '.');
  // Before the report: a wrong base is found in no time.
  const repository = await openWorkTree(folder, { signal, checkPath: options.checkPath });
  const { base, commit } = await findMergeBase(repository, options.base);
  const changed = await listChangesSince(repository, commit);
  const report = await readReport(paths, options);

  return { base, commit, ...(await measureChangedLines(report, repository.root, changed, options)) };
}

/** How well a report covers changed lines of a folder. */
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
    // Two changed files cannot be one file of the report, and there is no telling which it is.
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

/** Tells whether a line lies in ascending ranges, for lines that are asked in ascending order. */
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

/** Tells whether a path is of a kind that the report measures, by its extension. An empty report knows no kinds. */
function createKindTest(report: CoverageReport): (path: string) => boolean {
  const kinds = new Set(report.files.map(({ path }) => posix.extname(path.replaceAll('\\', '/'))));
  return (path) => kinds.size === 0 || kinds.has(posix.extname(path));
}

/** Tests are not what is measured, so a report need not know them. */
export function isTestPath(path: string): boolean {
  return /(^|\/)(tests?|__tests__|spec|e2e)\/|[._-](test|spec|e2e)\.[^/]+$|(^|\/)test_[^/]+$/.test(path);
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
