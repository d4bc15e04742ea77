import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { patchCoverage } from '../patch.ts';
import { chosenPaths, readOptions, reportArguments } from './arguments.ts';
import { uncoveredFile } from './measures.ts';

export const getPatchCoverage = defineTool({
  name: 'get_patch_coverage',
  title: 'Coverage of a change',
  description: 'Patch coverage: do the tests run the lines changed in git since the merge base, committed or not?',
  effect: 'read',
  scope: 'coverage:read',
  local: 'files',
  input: z.object({
    ...reportArguments,
    base: z.string().min(1).optional().describe('Default: the main branch'),
    repoPath: z.string().min(1).optional().describe('If not here'),
    limit: z.number().int().min(1).max(500).default(20).describe('At most so many'),
  }),
  output: z.object({
    percent: z.number().nullable().describe('Of the changed lines that can run; null where there are none'),
    lines: z.object({ found: z.number(), hit: z.number() }).describe('Changed lines that can run, and that did'),
    base: z.string(),
    commit: z.string().describe('The merge base that the change is counted from'),
    files: z.array(uncoveredFile).describe('Worst first; the numbers count changed lines only'),
    totalFiles: z.number(),
    withoutData: z
      .array(z.string())
      .describe('Changed source files of which the report says nothing: no test loads them'),
    totalWithoutData: z.number(),
    stale: z.array(z.string()).describe('Files written after the report: run the tests again'),
    totalStale: z.number(),
  }),
  async run(args, context) {
    return patchCoverage(await chosenPaths(args, context), {
      ...readOptions(args, context),
      base: args.base,
      repository: args.repoPath,
      checkPath: context.checkPath,
      limit: args.limit,
    });
  },
});
