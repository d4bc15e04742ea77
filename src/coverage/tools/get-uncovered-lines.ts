import * as z from 'zod';
import { untrustedName } from '../../platform/text/untrusted-schema.ts';
import { defineTool } from '../../tool/tool.ts';
import { findSourceFiles } from '../paths/source-file-lookup.ts';
import { listUncoveredLines } from '../report/uncovered-lines.ts';
import { readReportArguments, reportArguments } from './report-arguments.ts';
import { notInReport, uncoveredFileSchema } from './result-fields.ts';

export const getUncoveredLines = defineTool({
  name: 'get_uncovered_lines',
  title: 'Untested lines: code without test coverage',
  description:
    'Find untested code: uncovered lines (line numbers) that no unit test executes, touches or reaches, per file, worst first. Lists the gaps (holes): code without tests yet, where tests are missing.',
  effect: 'read',
  scope: 'coverage:read',
  local: 'files',
  longReply: { offset: true, lists: { files: { total: 'totalFiles' } } },
  input: z.object({
    ...reportArguments,
    filePaths: z
      .array(z.string())
      .max(10_000)
      .optional()
      .describe('Only these source files; default: all files of the report'),
    limit: z.number().int().min(1).max(500).default(20).describe('Maximum number of files to list'),
  }),
  output: z.object({
    files: z.array(uncoveredFileSchema),
    notInReport: untrustedName(z.array(z.string()))
      .optional()
      .describe('Requested files that are missing from the report, because no test loads them'),
    totalFiles: z.number().describe('Number of files with uncovered lines, including those beyond the limit'),
    totalLines: z.number().describe('Number of uncovered lines in all files with uncovered lines'),
  }),
  async run(args, context, { offset }) {
    const limit = offset + args.limit;
    const report = await readReportArguments(args, context);
    if (!args.filePaths) return listUncoveredLines(report, { limit });
    const found = await findSourceFiles(report, args.filePaths, context.signal);
    const uncovered = listUncoveredLines(report, {
      files: found.filter((file) => file !== undefined),
      limit,
    });
    return { ...uncovered, ...notInReport(args.filePaths, found) };
  },
});
