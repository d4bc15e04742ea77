/** What other domains may use: coverage reports, and what a change covers. */
export { type ChangedFile, parseDiff } from './change/git-diff.ts';
export { isTestPath, measureChangedLines } from './change/patch-coverage.ts';
export { type CoverageReport, percent, type SourceFile } from './report/coverage-report.ts';
export { formatRanges, uncoveredRanges } from './report/line-ranges.ts';
export { readReport } from './report/read-report.ts';
export { listUncoveredLines, type UncoveredFile } from './report/uncovered-lines.ts';
