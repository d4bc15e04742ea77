import type { Owner } from '../platform/principal.ts';
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
      async load({ home, self, setting, artifacts, jobs, log }) {
        const [{ chooseEngine }, { createScanHandler }] = await Promise.all([
          import('./scan-engine.ts'),
          import('./scan-job.ts'),
        ]);
        const engineOf = (owner: Owner) => chooseEngine({ home, owner, self, setting });
        return createScanHandler(engineOf, { artifacts: await artifacts(), jobs, log });
      },
    },
    'accessibility.slice': {
      needs: ['browser'],
      async load({ home, self, artifacts, log }) {
        const [{ nativeEngine }, { createSliceHandler }] = await Promise.all([
          import('./scan-engine.ts'),
          import('./slice-job.ts'),
        ]);
        return createSliceHandler({
          artifacts: await artifacts(),
          log,
          engineFor: (owner, root) => nativeEngine({ home, owner, self }, 'a part of a scan', root),
        });
      },
    },
  },
};
