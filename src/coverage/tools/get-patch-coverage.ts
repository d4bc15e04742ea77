import * as z from 'zod';
import { untrustedName } from '../../platform/text/untrusted-schema.ts';
import { defineTool } from '../../tool/tool.ts';
import { measurePatchCoverage } from '../change/patch-coverage.ts';
import { checkReportPaths, createReadOptions, reportArguments } from './report-arguments.ts';
import { uncoveredFileSchema } from './result-fields.ts';

export const getPatchCoverage = defineTool({
  name: 'get_patch_coverage',
  title: 'Test coverage of a pull request or diff',
  description:
    'Are my changes tested? Coverage of the new lines, added or changed in a pull request (PR), merge request, feature branch, commit or diff since main: percent covered by tests, and untested ones. For a review; uncommitted changes count.',
  effect: 'read',
  scope: 'coverage:read',
  local: 'files',
  longReply: {
    offset: true,
    lists: {
      files: { total: 'totalFiles' },
      withoutData: { total: 'totalWithoutData' },
      stale: { total: 'totalStale' },
    },
  },
  input: z.object({
    ...reportArguments,
    base: z.string().min(1).optional().describe('Branch, tag or commit to compare with; default: the main branch'),
    repoPath: z.string().min(1).optional().describe('Folder of the git repository; default: the working directory'),
    limit: z.number().int().min(1).max(500).default(20).describe('Maximum number of entries per list'),
  }),
  output: z.object({
    percent: z
      .number()
      .nullable()
      .describe('Share of the changed executable lines that ran, in percent; null if there are none'),
    lines: z
      .object({ found: z.number(), hit: z.number() })
      .describe('Number of changed executable lines (found) and of those that ran (hit)'),
    base: untrustedName(z.string()),
    commit: z.string().describe('The merge base that the change is counted from'),
    files: z
      .array(uncoveredFileSchema)
      .describe('Changed files, lowest coverage first; their numbers count changed lines only'),
    totalFiles: z.number(),
    withoutData: z
      .array(untrustedName(z.string()))
      .describe('Changed source files that are missing from the report, because no test loads them'),
    totalWithoutData: z.number(),
    stale: untrustedName(z.array(z.string())).describe('Files that are newer than the report; run the tests again'),
    totalStale: z.number(),
  }),
  async run(args, context, { offset }) {
    return measurePatchCoverage(await checkReportPaths(args, context), {
      ...createReadOptions(args, context),
      base: args.base,
      repository: args.repoPath,
      checkPath: context.checkPath,
      limit: offset + args.limit,
    });
  },
});
