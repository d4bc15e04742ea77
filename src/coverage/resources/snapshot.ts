import type { Resource } from '../../mcp/tool.ts';
import { Failure } from '../../platform/errors.ts';
import { listSnapshots, loadSnapshot } from '../snapshots.ts';

export const snapshotResource: Resource = {
  name: 'coverage-snapshot',
  title: 'Coverage snapshot',
  description: 'What start_coverage_snapshot has kept: totals, overall and per file.',
  uriTemplate: 'coverage://snapshots/{snapshotId}',
  mimeType: 'application/json',
  scope: 'coverage:read',
  complete: {
    snapshotId: async (typed, { principal }) =>
      (await listSnapshots(principal)).map(({ snapshotId }) => snapshotId).filter((id) => id.startsWith(typed)),
  },
  list: async ({ principal }) =>
    (await listSnapshots(principal)).map(({ snapshotId, timestamp, overall, files }) => ({
      uri: `coverage://snapshots/${snapshotId}`,
      name: snapshotId,
      description: `${overall} % of ${files} files, taken ${new Date(timestamp).toISOString()}`,
    })),
  async read({ snapshotId = '' }, { principal }) {
    try {
      return JSON.stringify(await loadSnapshot(snapshotId, principal));
    } catch (error) {
      if (error instanceof Failure && error.kind === 'not_found') return undefined;
      throw error;
    }
  },
};
