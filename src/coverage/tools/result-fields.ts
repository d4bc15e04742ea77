import * as z from 'zod';
import { untrustedName } from '../../platform/text/untrusted-schema.ts';
import { percent } from '../report/coverage-report.ts';
import type { Totals } from '../store/coverage-store.ts';

/** Unlike lines, branches and functions are absent from many reports; that is not 0 %. */
export const percentOrNull = ({ hit, found }: Totals) => (found === 0 ? null : percent(hit, found));

export const optionalPercentSchema = (what: string) =>
  z.number().nullable().optional().describe(`${what} hit, in percent; null where the report has none`);

export const uncoveredFileSchema = z.object({
  path: untrustedName(z.string()),
  percent: z.number(),
  uncovered: z.number().describe('Number of lines that no test runs'),
  lines: z.string().describe('Line numbers that no test runs, as ranges, e.g. 3-7,12'),
  moreRanges: z.number().optional().describe('Number of line ranges that are left out of `lines`'),
});

/** The asked-for paths that were not found, if there are any: 0 % and unknown are not the same. */
export function notInReport(asked: readonly string[], found: readonly unknown[]): { notInReport?: string[] } {
  const unknown = asked.filter((_, index) => found[index] === undefined);
  return unknown.length > 0 ? { notInReport: unknown } : {};
}
