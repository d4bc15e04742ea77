import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure, systemReason } from '../../platform/errors.ts';
import { acquireFileLock } from '../../platform/files/file-lock.ts';
import { writeFileAtomic } from '../../platform/files/files.ts';
import type { ProjectRepository } from '../git/repository.ts';
import { resolveInside } from '../spec/project-file.ts';
import { canonicalJson } from './canonical-json.ts';
import { type ChainEntry, chainEntrySchema, digestEntry, digestHead, type UnsealedEntry } from './chain-entry.ts';
import { formatHead } from './check-chain.ts';
import type { Signer } from './signing.ts';

export const chainFolder = '.caws/provenance';
export const chainPath = `${chainFolder}/chain.jsonl`;
const headPath = `${chainFolder}/head.json`;

export interface ChainFiles {
  chain: Uint8Array;
  head: Uint8Array | undefined;
}

/** Reads the files of the chain; undefined if there is none. */
export async function readChainFiles(root: string): Promise<ChainFiles | undefined> {
  const chain = await readChainPart(root, chainPath);
  if (!chain) return undefined;
  return { chain, head: await readChainPart(root, headPath) };
}

async function readChainPart(root: string, path: string): Promise<Uint8Array | undefined> {
  const stats = await lstat(join(root, path)).catch(() => undefined);
  if (!stats) return undefined;
  if (!stats.isFile()) throw new Failure('bad_input', 'EINVAL', `${path} is not a regular file; restore it from git`);
  await resolveInside(root, path, path);
  return readFile(join(root, path));
}

export function chainNotFound(): Failure {
  return new Failure(
    'not_found',
    'ENOENT',
    `No provenance chain found at ${chainPath}; start one with subcommand init`,
  );
}

/** Allows one writer at a time across all processes and work trees. */
export async function lockChain(repository: ProjectRepository, signal?: AbortSignal): Promise<Disposable> {
  return acquireFileLock(
    join(repository.gitDir, 'assay-provenance.lock'),
    'the provenance chain',
    signal && { signal },
  );
}

export function sealEntry<Entry extends UnsealedEntry>(
  entry: Entry,
  signer: Signer | undefined,
): Entry & Pick<ChainEntry, 'hash' | 'signature'> {
  const hash = digestEntry(entry);
  return { ...entry, hash, signature: signer ? { public_key: signer.publicKey, value: signer.sign(hash) } : null };
}

/** Appends the whole line or nothing: a partial line, as a full disk leaves it, would break the chain for good. */
async function appendOrTruncate(file: FileHandle, line: string, bytesBefore: number): Promise<void> {
  try {
    await file.appendFile(line);
    await file.sync();
  } catch (error) {
    await file.truncate(bytesBefore);
    throw error;
  }
}

/** Appends a line, then updates the head. The caller must hold the lock. */
export async function appendEntry(
  root: string,
  entry: ChainEntry,
  bytesBefore: number,
  signer: Signer | undefined,
): Promise<void> {
  const line = `${canonicalJson(chainEntrySchema.parse(entry))}\n`;
  const folder = await resolveInside(root, chainFolder, chainFolder);
  try {
    const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
    await using file = await open(join(folder, 'chain.jsonl'), flags, 0o644);
    await appendOrTruncate(file, line, bytesBefore);
    const head = {
      version: 1 as const,
      seq: entry.seq,
      hash: entry.hash,
      bytes: bytesBefore + Buffer.byteLength(line),
    };
    const signature = signer ? { public_key: signer.publicKey, value: signer.sign(digestHead(head)) } : null;
    await writeFileAtomic(join(folder, 'head.json'), formatHead({ ...head, signature }), 0o644);
  } catch (error) {
    throw new Failure(
      'unavailable',
      'EACCES',
      `Cannot write ${chainPath}: ${systemReason(error)}; make it writable for the user that runs Assay`,
      {},
      { cause: error },
    );
  }
}
