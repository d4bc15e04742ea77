import { Failure } from '../../platform/errors.ts';
import type { Resource } from '../../tool/tool.ts';
import { listSnapshots, loadSnapshot } from '../snapshots/snapshot-store.ts';

export const snapshotResource: Resource = {
  name: 'coverage-snapshot',
  title: 'Coverage snapshot',
  description: 'Coverage figures saved by start_coverage_snapshot, overall and per file.',
  uriTemplate: 'coverage://snapshots/{snapshotId}',
  mimeType: 'application/json',
  scope: 'coverage:read',
  complete: {
    snapshotId: async (typed, { home, principal }) => {
      const listed = await listSnapshots({ home, owner: principal });
      return listed.map(({ snapshotId }) => snapshotId).filter((id) => id.startsWith(typed));
    },
  },
  list: async ({ home, principal }) =>
    (await listSnapshots({ home, owner: principal })).map(({ snapshotId, timestamp, overall, files }) => ({
      uri: `coverage://snapshots/${snapshotId}`,
      name: snapshotId,
      description: `${overall} % of ${files} files, taken ${new Date(timestamp).toISOString()}`,
    })),
  async read({ snapshotId = '' }, { home, principal }) {
    try {
      return JSON.stringify(await loadSnapshot(snapshotId, { home, owner: principal }));
    } catch (error) {
      if (error instanceof Failure && error.kind === 'not_found') return undefined;
      throw error;
    }
  },
};
