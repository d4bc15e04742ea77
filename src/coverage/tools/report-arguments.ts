import * as z from 'zod';
import type { ToolContext } from '../../tool/tool.ts';
import type { CoverageReport } from '../report/coverage-report.ts';
import { findLcovReports } from '../report/find-lcov-reports.ts';
import { type ReadReportOptions, readReport } from '../report/read-report.ts';

/** The report, or the reports, that a tool reads. */
export const reportArguments = {
  lcovPath: z
    .string()
    .min(1)
    .describe('Path of the report, e.g. ./coverage/lcov.info: LCOV, Cobertura, JaCoCo, Go or Istanbul JSON'),
  otherLcovPaths: z
    .array(z.string().min(1))
    .max(100)
    .optional()
    .describe('Paths of more reports to merge with lcovPath'),
};

export const includeMeasures = z
  .array(z.enum(['branches', 'functions']))
  .max(2)
  .optional()
  .describe('Measures to return in addition to lines');

interface ReportArguments {
  lcovPath: string;
  otherLcovPaths?: string[] | undefined;
  include?: ('branches' | 'functions')[] | undefined;
}

/** The reports to read, each where this call may read. */
export async function checkReportPaths(
  { lcovPath, otherLcovPaths = [] }: ReportArguments,
  { checkPath }: ToolContext,
): Promise<string[]> {
  const paths = [lcovPath, ...otherLcovPaths];
  for (const path of paths) await checkPath(path);
  return paths;
}

/** How to read what the arguments name, within the call's own bounds. */
export function createReadOptions(choice: ReportArguments, context: ToolContext): ReadReportOptions {
  const { cwd, signal, progress } = context;
  return {
    cwd,
    signal,
    include: choice.include,
    progress: (done, total) => progress(done, total, 'reading the report'),
    listAvailableReports: () => findLcovReports('', context),
  };
}

export async function readReportArguments(choice: ReportArguments, context: ToolContext): Promise<CoverageReport> {
  return readReport(await checkReportPaths(choice, context), createReadOptions(choice, context));
}
