import type { Toolset } from '../tool/toolset.ts';
import { checkSharedWizards, wizardsSettings } from './settings.ts';

export const wizardsToolset: Toolset = {
  name: 'wizards',
  definitions: async () => (await import('./definitions.ts')).wizardsDefinitions,
  settings: wizardsSettings,
  needs: { browser: 'all' },
  checkSettings: checkSharedWizards,
};
