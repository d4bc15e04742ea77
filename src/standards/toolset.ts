import type { Toolset } from '../tool/toolset.ts';
import { standardsSettings } from './settings.ts';

export const standardsToolset: Toolset = {
  name: 'standards',
  definitions: async () => (await import('./definitions.ts')).standardsDefinitions,
  settings: standardsSettings,
  needs: { git: 'all' },
};
