import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { findFiles } from '../lookup.ts';
import { uncoveredLines } from '../uncovered.ts';
import { readChosen, reportArguments } from './arguments.ts';
import { notInReport, uncoveredFile } from './measures.ts';

export const getUncoveredLines = defineTool({
  name: 'get_uncovered_lines',
  title: 'Uncovered lines',
  description: 'Uncovered lines: ranges that no test runs, per file, worst file first, from an LCOV report.',
  effect: 'read',
  scope: 'coverage:read',
  local: 'files',
  input: z.object({
    ...reportArguments,
    filePaths: z.array(z.string()).max(10_000).optional().describe('Only these source files'),
    limit: z.number().int().min(1).max(500).default(20).describe('At most so many'),
  }),
  output: z.object({
    files: z.array(uncoveredFile),
    notInReport: z.array(z.string()).optional().describe('Asked for, but unknown to the report: no test loads them'),
    totalFiles: z.number().describe('Files with uncovered lines, beyond the limit too'),
    totalLines: z.number().describe('Uncovered lines of all of them'),
  }),
  async run(args, context) {
    const report = await readChosen(args, context);
    if (!args.filePaths) return uncoveredLines(report, { limit: args.limit });
    const found = await findFiles(report, args.filePaths, context.signal);
    const uncovered = uncoveredLines(report, { files: found.filter((file) => file !== undefined), limit: args.limit });
    return { ...uncovered, ...notInReport(args.filePaths, found) };
  },
});
