import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { CorpusLibrary } from './corpus-model.ts';

/** The script and the styles of one page of a library. */
export interface BuiltPage {
  script: string;
  style: string;
}

/** The path of a page script, `widgets.*` or `form.*`, of a library; undefined if it has none. */
export function pageScript({ folder }: CorpusLibrary, page: string): string | undefined {
  const found = readdirSync(folder).find((file) => file.startsWith(`${page}.`) && /\.jsx?$/.test(file));
  return found && join(folder, found);
}

/** Bundles a page script with the library that it imports. Nothing is written to the tree. */
export async function buildPage(script: string, outdir: string): Promise<BuiltPage> {
  if (!existsSync(script)) throw new Error(`no page script ${script}`);
  const { outputFiles } = await build({
    entryPoints: [script],
    outdir,
    write: false,
    bundle: true,
    format: 'iife',
    target: 'chrome120',
    jsx: 'automatic',
    minify: true,
    // Fonts and pictures that a site would serve beside its styles.
    external: ['/assets/*'],
    define: { 'process.env.NODE_ENV': '"production"', 'process.env': '{}', global: 'globalThis' },
    loader: { '.html': 'text', ...Object.fromEntries(assets.map((asset) => [asset, 'dataurl'])) },
    logLevel: 'error',
  });
  const textOf = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  return { script: textOf('.js'), style: textOf('.css') };
}

const assets = ['.svg', '.png', '.gif', '.jpg', '.webp', '.woff', '.woff2', '.ttf', '.eot'] as const;
