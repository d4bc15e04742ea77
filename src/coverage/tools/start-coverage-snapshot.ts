import * as z from 'zod';
import { defineTool } from '../../tool/tool.ts';
import { createSnapshot, SNAPSHOT_RETENTION_DAYS } from '../snapshots/snapshot-store.ts';
import { checkReportPaths, createReadOptions, includeMeasures, reportArguments } from './report-arguments.ts';

export const startCoverageSnapshot = defineTool({
  name: 'start_coverage_snapshot',
  title: 'Take a coverage snapshot before a change',
  description:
    'Record, remember, store, capture or freeze the current figures as a baseline or reference point, before a change or refactoring, to compare later. Pass the returned snapshotId to end_coverage_snapshot.',
  effect: 'write',
  scope: 'coverage:read',
  local: 'files',
  input: z.object({ ...reportArguments, include: includeMeasures }),
  output: z.object({
    snapshotId: z.string().describe(`UUID v4; valid for ${SNAPSHOT_RETENTION_DAYS} days`),
    timestamp: z.number().describe('Time of the snapshot, in milliseconds since 1970'),
  }),
  async run(args, context) {
    return createSnapshot(await checkReportPaths(args, context), {
      ...createReadOptions(args, context),
      home: context.home,
      owner: context.principal,
    });
  },
});
