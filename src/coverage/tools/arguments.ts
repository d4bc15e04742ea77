import * as z from 'zod';
import type { ToolContext } from '../../tool/tool.ts';
import { findReports } from '../find-reports.ts';
import { type ReadOptions, readReport } from '../read.ts';
import type { Report } from '../report.ts';

/** The report, or the reports, that a tool reads. */
export const reportArguments = {
  lcovPath: z.string().min(1).describe('Path of the LCOV report, e.g. ./coverage/lcov.info'),
  otherLcovPaths: z
    .array(z.string().min(1))
    .max(100)
    .optional()
    .describe('Paths of more LCOV reports to merge with lcovPath'),
};

export const include = z
  .array(z.enum(['branches', 'functions']))
  .max(2)
  .optional()
  .describe('Measures to return in addition to lines');

interface ReportChoice {
  lcovPath: string;
  otherLcovPaths?: string[] | undefined;
  include?: ('branches' | 'functions')[] | undefined;
}

/** The reports to read, each where this call may read. */
export async function chosenPaths(
  { lcovPath, otherLcovPaths = [] }: ReportChoice,
  { checkPath }: ToolContext,
): Promise<string[]> {
  const paths = [lcovPath, ...otherLcovPaths];
  for (const path of paths) await checkPath(path);
  return paths;
}

/** How to read what the arguments name, within the call's own bounds. */
export function readOptions(choice: ReportChoice, context: ToolContext): ReadOptions {
  const { cwd, signal, progress } = context;
  return {
    cwd,
    signal,
    include: choice.include,
    progress: (done, total) => progress(done, total, 'reading the report'),
    nearby: () => findReports('', context),
  };
}

export async function readChosen(choice: ReportChoice, context: ToolContext): Promise<Report> {
  return readReport(await chosenPaths(choice, context), readOptions(choice, context));
}
