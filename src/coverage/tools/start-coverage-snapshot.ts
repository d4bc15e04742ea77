import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { createSnapshot } from '../snapshots.ts';
import { chosenPaths, include, readOptions, reportArguments } from './arguments.ts';

export const startCoverageSnapshot = defineTool({
  name: 'start_coverage_snapshot',
  title: 'Start a coverage snapshot',
  description: 'Snapshot of the coverage before a change; end_coverage_snapshot compares with its snapshotId.',
  effect: 'write',
  scope: 'coverage:read',
  local: 'files',
  input: z.object({ ...reportArguments, include }),
  output: z.object({
    snapshotId: z.string().describe('UUID v4; valid until the temporary folder is cleared'),
    timestamp: z.number().describe('When it was taken, in milliseconds since 1970'),
  }),
  async run(args, context) {
    return createSnapshot(await chosenPaths(args, context), {
      ...readOptions(args, context),
      owner: context.principal,
    });
  },
});
