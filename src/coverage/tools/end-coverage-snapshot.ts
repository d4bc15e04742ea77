import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { compareSnapshot } from '../compare.ts';
import { chosenPaths, readOptions, reportArguments } from './arguments.ts';

const points = (what: string) =>
  z.number().optional().describe(`Change of ${what} coverage, where the snapshot measured it`);

export const endCoverageSnapshot = defineTool({
  name: 'end_coverage_snapshot',
  title: 'Compare coverage with a snapshot',
  description:
    'What a change did to coverage: compares a report with a snapshot, overall and per file, with new and removed files.',
  effect: 'read',
  scope: 'coverage:read',
  local: 'files',
  exact: true,
  input: z.object({
    snapshotId: z.string().describe('From start_coverage_snapshot'),
    ...reportArguments,
    changedOnly: z.boolean().optional().describe('Leave out unchanged files'),
  }),
  output: z.object({
    overallChange: z.number().describe('In percentage points, -100 to 100'),
    fileChanges: z.record(z.string(), z.number()).describe('In percentage points, for the files of either side'),
    newFiles: z.array(z.string()),
    removedFiles: z.array(z.string()),
    branchesChange: points('branch'),
    functionsChange: points('function'),
  }),
  async run(args, context) {
    return compareSnapshot(args.snapshotId, await chosenPaths(args, context), {
      ...readOptions(args, context),
      owner: context.principal,
      changedOnly: args.changedOnly,
    });
  },
});
