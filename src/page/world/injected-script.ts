import { fileURLToPath } from 'node:url';

/**
 * The modules of `injected/` as one expression, whose value has the exports of `main.ts`. From source it is bundled here; the release build replaces this module by one that
 * returns the finished script (`scripts/build/finished-script.ts`), because the package has neither the sources nor esbuild.
 */
export async function readInjectedScript(): Promise<string> {
  const { buildSync } = await import('esbuild');
  // A build in the background would leave a helper process until this process ends.
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL('../injected/main.ts', import.meta.url))],
    bundle: true,
    format: 'iife',
    globalName: 'injected',
    target: 'chrome120',
    minify: true,
    legalComments: 'none',
    write: false,
  });
  return `(() => {${outputFiles[0]?.text ?? ''};return injected})()`;
}
