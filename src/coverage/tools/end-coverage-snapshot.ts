import * as z from 'zod';
import { untrustedName } from '../../platform/text/untrusted-schema.ts';
import { defineTool } from '../../tool/tool.ts';
import { compareSnapshot } from '../snapshots/compare-snapshot.ts';
import { checkReportPaths, createReadOptions, reportArguments } from './report-arguments.ts';

const changeSchema = (what: string) =>
  z.number().optional().describe(`Change of ${what} coverage, where the snapshot measured it`);

export const endCoverageSnapshot = defineTool({
  name: 'end_coverage_snapshot',
  title: 'Compare coverage before and after a change',
  description:
    'Effect of a change or refactoring on coverage: compare (diff) it with the baseline, to see whether coverage went up or down since the snapshot, got better, worse or lower, gained or lost. Overall and per file, in percentage points.',
  effect: 'read',
  scope: 'coverage:read',
  local: 'files',
  exact: true,
  longReply: { offset: true },
  input: z.object({
    snapshotId: z.string().describe('Snapshot id returned by start_coverage_snapshot'),
    ...reportArguments,
    changedOnly: z.boolean().optional().describe('Leave unchanged files out of fileChanges; default false'),
  }),
  output: z.object({
    overallChange: z.number().describe('Change of line coverage in percentage points, -100 to 100'),
    fileChanges: z
      .record(untrustedName(z.string()), z.number())
      .describe('Change of line coverage by file, in percentage points'),
    newFiles: untrustedName(z.array(z.string())),
    removedFiles: untrustedName(z.array(z.string())),
    branchesChange: changeSchema('branch'),
    functionsChange: changeSchema('function'),
  }),
  async run(args, context) {
    return compareSnapshot(args.snapshotId, await checkReportPaths(args, context), {
      ...createReadOptions(args, context),
      home: context.home,
      owner: context.principal,
      changedOnly: args.changedOnly,
    });
  },
});
