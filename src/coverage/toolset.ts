import type { Toolset } from '../tool/toolset.ts';

export const coverageToolset: Toolset = {
  name: 'coverage',
  definitions: async () => (await import('./definitions.ts')).coverageDefinitions,
  settings: {},
  needs: { git: 'some' },
};
