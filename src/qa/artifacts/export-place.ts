import { createHash } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import * as z from 'zod';
import { writeFileAtomic } from '../../platform/files.ts';
import { invalid } from '../access.ts';

/** What an export wrote, each with its digest: the next one takes the place of that, and of nothing else. */
const LIST = '.exported.json';
const list = z.object({ files: z.record(z.string(), z.string()) });
type Known = Readonly<Record<string, string>>;

/** What may be taken away again when an export no longer holds it. */
const specFile = /^(?:tests|one-at-a-time)\/[a-z0-9-]+\.spec\.ts$/;

/** What people add lines to: written where there is none. */
const THEIRS = '.gitignore';

type Files = ReadonlyMap<string, string>;

/** With the list of what was written. */
function listed(files: Files): Map<string, string> {
  const digests = Object.fromEntries([...files].map(([name, text]) => [name, digest(text)]));
  return new Map([...files, [LIST, `${JSON.stringify({ files: digests }, null, 2)}\n`]]);
}

function digest(text: string): string {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex');
}

/** Writes the files into a folder, in the place of those of an earlier export. What is somebody else's is left alone. */
export async function writeFolder(path: string, files: Files): Promise<{ removed: string[] }> {
  const known = knownIn(await textAt(path, LIST));
  const stale = Object.keys(known).filter((name) => specFile.test(name) && !files.has(name));
  const foreign: string[] = [];
  for (const name of [...files.keys(), ...stale])
    if (name !== THEIRS && isForeign(await textAt(path, name), known[name], files.get(name))) foreign.push(name);
  if (foreign.length > 0) throw taken(path, `holds ${inShort(foreign)}, which no export wrote, or which changed since`);
  for (const name of stale) await rm(resolve(path, name), { force: true });
  for (const [name, text] of listed(files)) {
    const file = resolve(path, name);
    if (name === THEIRS && (await textAt(path, name)) !== undefined) continue;
    await mkdir(dirname(file), { recursive: true });
    await writeFileAtomic(file, text, 0o644);
  }
  return { removed: stale };
}

function isForeign(there: string | undefined, known: string | undefined, wanted: string | undefined): boolean {
  return there !== undefined && there !== wanted && digest(there) !== known;
}

export async function writeZip(path: string, files: Files): Promise<{ removed: string[] }> {
  const there = await readFile(path).catch(unlessMissing);
  if (there && !isOurZip(there)) throw taken(path, 'is a file that no export wrote');
  const entries = [...listed(files)].map(([name, text]) => [name, strToU8(text)] as const);
  await mkdir(dirname(path), { recursive: true });
  await writeFileAtomic(path, zipSync(Object.fromEntries(entries), { level: 6 }), 0o644);
  return { removed: [] };
}

function isOurZip(bytes: Uint8Array): boolean {
  try {
    const found = unzipSync(bytes, { filter: ({ name }) => name === LIST })[LIST];
    return found !== undefined && Object.keys(knownIn(strFromU8(found))).length > 0;
  } catch {
    return false;
  }
}

function knownIn(text: string | undefined): Known {
  try {
    return list.safeParse(JSON.parse(text ?? '')).data?.files ?? {};
  } catch {
    return {};
  }
}

async function textAt(path: string, name: string): Promise<string | undefined> {
  return readFile(resolve(path, name), 'utf8').catch(unlessMissing);
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

function taken(path: string, why: string) {
  return invalid('path', `${path} ${why}: nothing was written. Name an empty folder or a new file, or move it away.`, {
    path,
  });
}

function inShort(names: readonly string[]): string {
  const [first = '', second, ...others] = names;
  return [first, ...(second ? [second] : []), ...(others.length > 0 ? [`${others.length} more`] : [])].join(', ');
}
