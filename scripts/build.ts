/**
 * Builds the release: a bundle and the catalog in dist/ or in the folder of the first argument. The bundle is split, so that
 * unused parts are not loaded; what `serve` loads at start is in two files.
 */
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { parserFiles } from '../src/standards/testcode/grammars.ts';
import { describeCatalog } from '../src/tool/catalog.ts';
import { builtinModulesByName } from './build/builtin-modules.ts';
import { finishedScript } from './build/finished-script.ts';
import { loggerOnUse } from './build/logger-on-use.ts';
import { mergeChunks } from './build/merge-chunks.ts';
import { root, say } from './steps.ts';

const outdir = process.argv[2] ?? join(root, 'dist');
await rm(outdir, { recursive: true, force: true });
const options: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  minifyWhitespace: true,
  minifySyntax: true,
  logLevel: 'warning',
};
const { metafile } = await build({
  ...options,
  entryPoints: ['src/main.ts'],
  outdir,
  splitting: true,
  metafile: true,
  alias: { '@modelcontextprotocol/server/_shims': './scripts/build/sdk-shims.ts' },
  plugins: [finishedScript, builtinModulesByName, loggerOnUse],
  // Too large to bundle, or read as files, so they are dependencies of the package. The last two are optional.
  external: ['playwright-core', 'axe-core', 'html-validate', '@sparticuz/chromium', 'pg-native'],
  // CommonJS packages in the bundle need `require`.
  banner: { js: "const require=process.getBuiltinModule('node:module').createRequire(import.meta.url);" },
});
await mergeChunks(outdir, metafile, ['src/main.ts', 'src/commands/serve.ts'], options);
// The OpenAPI validator reads these files at run time.
await cp(join(root, 'node_modules/@seriousme/openapi-schema-validator/schemas'), join(outdir, 'schemas'), {
  recursive: true,
});
// The grammars that read tests, with the runtime that loads them.
for (const file of parserFiles) await cp(join(root, 'node_modules', file), join(outdir, 'grammars', basename(file)));
await writeFile(join(outdir, 'catalog.json'), JSON.stringify(await describeCatalog()));
// The script for pages is bundled on its own, see `finishedScript`.
const { metafile: injected } = await build({
  ...options,
  entryPoints: ['src/page/injected/main.ts'],
  write: false,
  metafile: true,
});
const grammars = parserFiles.map((file) => `node_modules/${file}`);
const inputs = [...Object.keys(metafile.inputs), ...Object.keys(injected.inputs), ...grammars];
await writeFile(join(outdir, 'THIRD-PARTY.txt'), await licences(inputs));
const bytes = Object.values(metafile.outputs).reduce((sum, output) => sum + output.bytes, 0);
say(`dist: ${Object.keys(metafile.outputs).length} files, ${Math.round(bytes / 1024)} KiB`);

/** The licences of all bundled packages, which have to be published with the bundle. */
async function licences(inputs: string[]): Promise<string> {
  const packages = [
    ...new Set(inputs.flatMap((input) => /^node_modules\/(@[^/]+\/[^/]+|[^/]+)\//.exec(input)?.[1] ?? [])),
  ];
  const texts = packages.sort().map(async (name) => {
    const folder = join(root, 'node_modules', name);
    const { version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    const files = ['LICENSE', 'LICENSE.md', 'LICENCE', 'license'].map((file) => readFile(join(folder, file), 'utf8'));
    const text = (await Promise.allSettled(files)).find((result) => result.status === 'fulfilled')?.value ?? '';
    return `${name} ${version} (${license})\n\n${text.trim()}\n`;
  });
  return (await Promise.all(texts)).join(`\n${'-'.repeat(80)}\n\n`);
}
