import type { Toolset } from '../tool/toolset.ts';
import { accessibilitySettings } from './settings.ts';

export const accessibilityToolset: Toolset = {
  name: 'accessibility',
  definitions: async () => (await import('./definitions.ts')).accessibilityDefinitions,
  settings: accessibilitySettings,
  needs: { browser: 'all' },
  checkMachine: async (machine) => (await import('./scan-engine.ts')).checkScanEngine(machine),
  jobHandlers: {
    'accessibility.scan': {
      needs: ['browser'],
      async load({ home, self, setting, artifacts, log }) {
        const [{ chooseEngine }, { createScanHandler }, { createScanArchive }] = await Promise.all([
          import('./scan-engine.ts'),
          import('./scan-job.ts'),
          import('./scan-archive.ts'),
        ]);
        const store = await artifacts();
        return createScanHandler(
          (owner) => chooseEngine({ home, owner, self, setting }),
          (owner, workspace) => createScanArchive(store, owner, workspace),
          log,
        );
      },
    },
  },
};
