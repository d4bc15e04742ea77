import { type CoverageReport, percent, type SourceFile } from './coverage-report.ts';
import { formatRanges, uncoveredRanges } from './line-ranges.ts';

export interface UncoveredFile {
  path: string;
  percent: number;
  /** Number of coverable lines that did not run. */
  uncovered: number;
  /** Their ranges, e.g. `3-7,12`. Empty if the report has only totals. */
  lines: string;
  /** Number of ranges left out of `lines`. */
  moreRanges?: number;
}

export interface UncoveredLines {
  /** Worst first: most uncovered lines, then by path. */
  files: UncoveredFile[];
  /** All files with uncovered lines, and all those lines, beyond the limit too. */
  totalFiles: number;
  totalLines: number;
}

/** Lists the lines that did not run, of all files or of the given ones. */
export function listUncoveredLines(
  report: CoverageReport,
  options: { files?: readonly SourceFile[]; limit: number },
): UncoveredLines {
  const withGaps = [...new Set(options.files ?? report.files)]
    .filter((file) => uncoveredCount(file) > 0)
    .sort((a, b) => uncoveredCount(b) - uncoveredCount(a) || comparePaths(a, b));
  return {
    files: withGaps.slice(0, options.limit).map((file) => {
      const { text, more } = formatRanges(uncoveredRanges(file));
      return {
        path: file.path,
        percent: percent(file.lines.hit, file.lines.found),
        uncovered: uncoveredCount(file),
        lines: text,
        ...(more > 0 && { moreRanges: more }),
      };
    }),
    totalFiles: withGaps.length,
    totalLines: withGaps.reduce((lines, file) => lines + uncoveredCount(file), 0),
  };
}

function uncoveredCount(file: SourceFile): number {
  return file.lines.found - file.lines.hit;
}

export function comparePaths(a: { path: string }, b: { path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}
