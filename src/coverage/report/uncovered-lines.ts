import { type CoverageReport, percent, type SourceFile } from './coverage-report.ts';
import { formatRanges, uncoveredRanges } from './line-ranges.ts';

export interface UncoveredFile {
  path: string;
  percent: number;
  /** How many coverable lines did not run. */
  uncovered: number;
  /** Where they are: `3-7,12`. Empty when the report states totals only. */
  lines: string;
  /** How many ranges are left out of `lines`. */
  moreRanges?: number;
}

export interface UncoveredLines {
  /** Worst first: most uncovered lines, then by path. */
  files: UncoveredFile[];
  /** All files with uncovered lines, and all those lines, beyond the limit too. */
  totalFiles: number;
  totalLines: number;
}

/** The lines that no test runs, of all files or of those given. */
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
