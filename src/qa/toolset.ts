import type { Toolset } from '../tool/toolset.ts';
import { BULK_PART_KIND, runKinds } from './runs/run-kinds.ts';
import { qaSettings } from './settings.ts';

export const qaToolset: Toolset = {
  name: 'qa',
  definitions: async () => (await import('./definitions.ts')).qaDefinitions,
  settings: qaSettings,
  needs: { browser: 'all' },
  checkMachine: async ({ setting }) => (await import('./delivery/check-delivery.ts')).checkDelivery(setting),
  migrations: async () => (await import('./store/qa-migrations.ts')).qaMigrations,
  jobHandlers: {
    ...Object.fromEntries(
      runKinds.map((kind) => [
        kind,
        {
          // Detection works on what a scan has stored.
          needs: kind === 'qa.detection' ? [] : ['browser'],
          load: async (services) => (await import('./runs/run-job.ts')).createRunJobHandler(kind, services),
        },
      ]),
    ),
    [BULK_PART_KIND]: {
      needs: ['browser'],
      load: async (services) => (await import('./bulk/bulk-part.ts')).createBulkPartHandler(services),
    },
  },
};
