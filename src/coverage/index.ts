export type { Measure, Totals } from './coverage-store.ts';
export { type ReadOptions, readReport } from './read.ts';
export { percent, type Report, type SourceFile } from './report.ts';
