export { createCoverageStore, type Measure, type Totals } from './coverage-store.ts';
export { type ChangedFile, parseDiff } from './diff.ts';
export { coverageOfChange, isTest } from './patch.ts';
export { rangeText, uncoveredRanges } from './ranges.ts';
export { type ReadOptions, readReport } from './read.ts';
export { createReport, percent, type Report, type SourceFile } from './report.ts';
export { tidyPath } from './source-path.ts';
export { type UncoveredFile, uncoveredLines } from './uncovered.ts';
