import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Failure } from '../platform/errors.ts';
import type { Setting, SettingValues } from '../platform/settings.ts';

export const wizardsSettings = {
  wizardsBaseUrl: {
    env: 'ASSAY_WIZARDS_BASE_URL',
    placeholder: 'url',
    help: 'What {base_url} stands for in wizard files, to run them against another host.',
    fallback: "the file's own base_url",
    parse: (raw): string | undefined => raw || undefined,
  },
  sharedWizards: {
    flag: 'shared-wizards',
    env: 'ASSAY_SHARED_WIZARDS',
    placeholder: 'folder',
    help: 'A folder of wizard files that every caller can list and run, and no caller can save over.',
    fallback: 'none: each caller has only their own wizards',
    parse: (raw): string | undefined => (raw ? resolve(raw) : undefined),
  },
} satisfies Record<string, Setting<unknown>>;

/** Rejects a folder that does not exist, because it would look like one without wizards. */
export function checkSharedWizards(setting: SettingValues['get']): void {
  const folder = setting(wizardsSettings.sharedWizards);
  if (folder === undefined || existsSync(folder)) return;
  const { flag, env } = wizardsSettings.sharedWizards;
  const message = `--${flag} (${env}) names ${JSON.stringify(folder)}, which does not exist. Create the folder, or correct the path.`;
  throw new Failure('configuration', 'BAD_SETTING', message);
}
