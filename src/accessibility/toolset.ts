import type { Toolset } from '../tool/toolset.ts';
import { accessibilitySettings } from './settings.ts';

export const accessibilityToolset: Toolset = {
  name: 'accessibility',
  definitions: async () => (await import('./definitions.ts')).accessibilityDefinitions,
  settings: accessibilitySettings,
  jobHandlers: {
    'accessibility.scan': {
      needs: ['browser'],
      async load({ home, self, setting }) {
        const [{ chooseEngine }, { createScanHandler }] = await Promise.all([
          import('./scan-engine.ts'),
          import('./scan-job.ts'),
        ]);
        return createScanHandler((owner) => chooseEngine({ home, owner, self, setting }));
      },
    },
  },
};
