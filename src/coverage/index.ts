export { type ChangedFile, parseDiff } from './change/git-diff.ts';
export { isTestPath as isTest, measureChangedLines as coverageOfChange } from './change/patch-coverage.ts';
export { normalizePath as tidyPath } from './paths/source-path.ts';
export {
  type CoverageReport as Report,
  createCoverageReport as createReport,
  percent,
  type SourceFile,
} from './report/coverage-report.ts';
export { formatRanges as rangeText, uncoveredRanges } from './report/line-ranges.ts';
export { type ReadReportOptions as ReadOptions, readReport } from './report/read-report.ts';
export { listUncoveredLines as uncoveredLines, type UncoveredFile } from './report/uncovered-lines.ts';
export { createCoverageStore, type Measure, type Totals } from './store/coverage-store.ts';
