import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';

interface Chunk {
  entryPoint: string | undefined;
  exports: string[];
  /** Names of the chunks that load with this one. */
  imports: string[];
}

/**
 * Merges the chunks that load together with each entry into one file, because Node needs about half a millisecond for each file.
 * A merged chunk stays as a file that exports its names from there, for the chunks that are loaded later. Chunks of an earlier entry
 * are not merged again.
 */
export async function mergeChunks(
  outdir: string,
  metafile: Metafile,
  entries: readonly string[],
  options: BuildOptions,
): Promise<void> {
  const chunks = readChunks(metafile);
  const merged = new Set<string>();
  const files: string[] = [];
  for (const source of entries) {
    const [entry] = [...chunks].find(([, { entryPoint }]) => entryPoint === source) ?? [];
    if (entry === undefined) throw new Error(`no chunk of the bundle has the entry point ${source}`);
    const members = [...loadedWith(entry, chunks)].filter((name) => !merged.has(name));
    await mergeInto(entry, members);
    files.push(`./${entry}`);
    for (const name of members) merged.add(name);
  }

  async function mergeInto(entry: string, members: string[]): Promise<void> {
    // Two chunks may export one name.
    const publicName = (name: string, exported: string) =>
      name === entry ? exported : `chunk${members.indexOf(name)}_${exported}`;
    const renamed = (name: string) => (chunks.get(name)?.exports ?? []).map((one) => [one, publicName(name, one)]);
    const contents = members.map((name) => {
      const names = renamed(name).map(([own, shown]) => `${own} as ${shown}`);
      return names.length === 0 ? `import './${name}';` : `export { ${names.join(', ')} } from './${name}';`;
    });
    const { outputFiles } = await build({
      ...options,
      stdin: { contents: contents.join('\n'), resolveDir: outdir, loader: 'js' },
      outfile: join(outdir, entry),
      write: false,
      plugins: [
        {
          name: 'keep-lazy-chunks',
          setup({ onResolve }) {
            onResolve({ filter: /^\.\// }, ({ kind, path }) =>
              kind === 'dynamic-import' || files.includes(path) ? { path, external: true } : undefined,
            );
          },
        },
      ],
    });
    await writeFile(join(outdir, entry), outputFiles?.[0]?.contents ?? '');
    for (const name of members.filter((member) => member !== entry)) {
      const names = renamed(name).map(([own, shown]) => `${shown} as ${own}`);
      await writeFile(join(outdir, name), `export { ${names.join(', ')} } from './${entry}';`);
    }
  }
}

function readChunks({ outputs }: Metafile): Map<string, Chunk> {
  return new Map(
    Object.entries(outputs).map(([path, { entryPoint, exports, imports }]) => [
      basename(path),
      {
        entryPoint,
        exports,
        imports: imports
          .filter(({ kind, external }) => kind === 'import-statement' && !external)
          .map((one) => basename(one.path)),
      },
    ]),
  );
}

function loadedWith(name: string, chunks: Map<string, Chunk>, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const imported of chunks.get(name)?.imports ?? []) loadedWith(imported, chunks, found);
  return found;
}
