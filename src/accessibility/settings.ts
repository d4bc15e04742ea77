import type { Setting } from '../platform/settings.ts';

export const accessibilitySettings = {
  engine: {
    env: 'ASSAY_ACCESSIBILITY_ENGINE',
    placeholder: 'name',
    help: 'The program that scans: native (part of Assay) or cwac.',
    fallback: 'cwac if it is installed, otherwise native',
    parse: (raw): string | undefined => raw,
  },
  cwacFolder: {
    env: 'ASSAY_CWAC_DIR',
    placeholder: 'folder',
    help: 'The folder of a CWAC installation.',
    fallback: '/workspaces/cwac',
    parse: (raw): string | undefined => raw,
  },
} satisfies Record<string, Setting<unknown>>;
