import { createHash } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import * as z from 'zod';
import { writeFileAtomic } from '../../platform/files/files.ts';
import { invalidArgument } from '../owned-rows.ts';

/** Lists the exported files with their digests: a later export replaces these and no others. */
const MANIFEST = '.exported.json';
const manifest = z.object({ files: z.record(z.string(), z.string()) });
type ManifestDigests = Readonly<Record<string, string>>;

/** Files that a later export may remove. */
const specFile = /^(?:tests|one-at-a-time)\/[a-z0-9-]+\.spec\.ts$/;

/** Users edit this file, so it is written only if it does not exist. */
const USER_FILE = '.gitignore';

type ExportFiles = ReadonlyMap<string, string>;

/** Adds the manifest to the files. */
function withManifest(files: ExportFiles): Map<string, string> {
  const digests = Object.fromEntries([...files].map(([name, text]) => [name, digest(text)]));
  return new Map([...files, [MANIFEST, `${JSON.stringify({ files: digests }, null, 2)}\n`]]);
}

function digest(text: string): string {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex');
}

/** Replaces the files of an earlier export. Throws if a file in the way was not exported or was edited since. */
export async function writeExportFolder(path: string, files: ExportFiles): Promise<{ removed: string[] }> {
  const known = readManifest(await readText(path, MANIFEST));
  const stale = Object.keys(known).filter((name) => specFile.test(name) && !files.has(name));
  const foreign: string[] = [];
  for (const name of [...files.keys(), ...stale])
    if (name !== USER_FILE && isForeignFile(await readText(path, name), known[name], files.get(name)))
      foreign.push(name);
  if (foreign.length > 0)
    throw targetTaken(path, `holds ${abbreviate(foreign)}, which was not exported or was edited since`);
  for (const name of stale) await rm(resolve(path, name), { force: true });
  for (const [name, text] of withManifest(files)) {
    const file = resolve(path, name);
    if (name === USER_FILE && (await readText(path, name)) !== undefined) continue;
    await mkdir(dirname(file), { recursive: true });
    await writeFileAtomic(file, text, 0o644);
  }
  return { removed: stale };
}

function isForeignFile(there: string | undefined, known: string | undefined, wanted: string | undefined): boolean {
  return there !== undefined && there !== wanted && digest(there) !== known;
}

export async function writeExportZip(path: string, files: ExportFiles): Promise<{ removed: string[] }> {
  const there = await readFile(path).catch(ignoreMissing);
  if (there && !isExportedZip(there)) throw targetTaken(path, 'is not an exported zip file');
  const entries = [...withManifest(files)].map(([name, text]) => [name, strToU8(text)] as const);
  await mkdir(dirname(path), { recursive: true });
  await writeFileAtomic(path, zipSync(Object.fromEntries(entries), { level: 6 }), 0o644);
  return { removed: [] };
}

function isExportedZip(bytes: Uint8Array): boolean {
  try {
    const found = unzipSync(bytes, { filter: ({ name }) => name === MANIFEST })[MANIFEST];
    return found !== undefined && Object.keys(readManifest(strFromU8(found))).length > 0;
  } catch {
    return false;
  }
}

function readManifest(text: string | undefined): ManifestDigests {
  try {
    return manifest.safeParse(JSON.parse(text ?? '')).data?.files ?? {};
  } catch {
    return {};
  }
}

async function readText(path: string, name: string): Promise<string | undefined> {
  return readFile(resolve(path, name), 'utf8').catch(ignoreMissing);
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

function targetTaken(path: string, why: string) {
  return invalidArgument(
    'path',
    `${path} ${why}: nothing was written. Choose an empty folder or a new file, or move the file away.`,
    {
      path,
    },
  );
}

function abbreviate(names: readonly string[]): string {
  const [first = '', second, ...others] = names;
  return [first, ...(second ? [second] : []), ...(others.length > 0 ? [`${others.length} more`] : [])].join(', ');
}
