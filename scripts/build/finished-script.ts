import type { Plugin } from 'esbuild';
import { readInjectedScript } from '../../src/page/world/injected-script.ts';

/** Puts the script for pages into the bundle, in place of the module that makes it from the sources. */
export const finishedScript: Plugin = {
  name: 'finished-script',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/]page[\\/]world[\\/]injected-script\.ts$/ }, async () => ({
      contents: `export const readInjectedScript = async () => ${JSON.stringify(await readInjectedScript())};`,
    }));
  },
};
