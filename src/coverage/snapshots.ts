import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { Failure, quote, systemCode, systemReason } from '../platform/errors.ts';
import { writeFileAtomic } from '../platform/files.ts';
import { ownerKey, type Principal } from '../platform/principal.ts';
import type { Totals } from './coverage-store.ts';
import { limits } from './limits.ts';
import { type ReadOptions, readReport } from './read.ts';
import { percent } from './report.ts';

const totals = z.object({ found: z.int().min(0), hit: z.int().min(0) });
const measures = { lines: totals, branches: totals.optional(), functions: totals.optional() };

/** What is kept of a report: totals, not lines. */
const snapshotSchema = z.object({
  format: z.literal('assay-coverage-snapshot-1'),
  id: z.uuidv4(),
  timestamp: z.int().min(0),
  ...measures,
  files: z.array(z.object({ path: z.string(), identity: z.string(), ...measures })),
});

/** Whose it is. */
export type Owner = Pick<Principal, 'issuer' | 'subject'>;

export type Snapshot = z.infer<typeof snapshotSchema>;

export interface SnapshotSummary {
  snapshotId: string;
  timestamp: number;
  overall: number;
  files: number;
}

const idForm = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const MOST_LISTED = 100;

/** Keeps the totals of a report until the system clears its temporary folder. */
export async function createSnapshot(
  paths: string | readonly string[],
  options: ReadOptions & { owner: Owner },
): Promise<{ snapshotId: string; timestamp: number }> {
  const report = await readReport(paths, options).catch((error: unknown) => {
    throw error instanceof Failure && error.code === 'LCOV_NOT_FOUND' ? withoutReport(error) : error;
  });
  const identities = await report.identities();
  const snapshot: Snapshot = {
    format: 'assay-coverage-snapshot-1',
    id: randomUUID(),
    timestamp: Date.now(),
    ...measured(report),
    files: report.files.map((file, index) => ({
      path: file.path,
      identity: identities[index] ?? file.path,
      ...measured(file),
    })),
  };
  options.signal?.throwIfAborted();
  try {
    await writeFileAtomic(snapshotPath(snapshot.id, options.owner), textOf(snapshot), 0o600);
  } catch (error) {
    if (error instanceof Failure) throw error;
    const message = `Cannot create snapshot: ${systemReason(error)} (temporary folder ${quote(tmpdir())})`;
    throw new Failure('unavailable', 'SNAPSHOT_STORAGE', message, {}, { cause: error });
  }
  return { snapshotId: snapshot.id, timestamp: snapshot.timestamp };
}

function textOf(snapshot: Snapshot): string {
  try {
    const text = JSON.stringify(snapshot);
    if (text.length <= limits.snapshotText) return text;
  } catch (error) {
    // Longer than any text may be.
    if (!(error instanceof RangeError)) throw error;
  }
  const reason = `the paths of its ${snapshot.files.length} source files are too long; take it of a part of the report`;
  throw new Failure('bad_input', 'SNAPSHOT_TOO_LARGE', `Cannot create snapshot: ${reason}`);
}

/**
 * Reads a snapshot of this owner; somebody else's is not found. Only a private file of the server's own user is trusted:
 * anybody may write into the temporary folder.
 */
export async function loadSnapshot(snapshotId: string, owner: Owner): Promise<Snapshot> {
  const id = snapshotId.toLowerCase();
  // Before the id becomes part of a path.
  if (!idForm.test(id)) throw notFound(snapshotId);
  const text = await readPrivateFile(snapshotPath(id, owner), snapshotId);
  const snapshot = snapshotSchema.safeParse(parseJson(text));
  if (!snapshot.success || snapshot.data.id !== id) {
    throw damaged(snapshotId, 'its file was changed or cut short');
  }
  return snapshot.data;
}

/** The newest usable snapshots of this owner, newest first. */
export async function listSnapshots(owner: Owner): Promise<SnapshotSummary[]> {
  const [before = '', after = ''] = fileName('|', owner).split('|');
  const names = await readdir(tmpdir()).catch(() => []);
  const ids = names.flatMap((name) =>
    name.startsWith(before) && name.endsWith(after) ? [name.slice(before.length, -after.length)] : [],
  );
  const written = await Promise.all(
    ids.map(async (id) => ({
      id,
      at: await stat(snapshotPath(id, owner)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    })),
  );
  const newest = written.sort((a, b) => b.at - a.at).slice(0, MOST_LISTED);
  const summaries: SnapshotSummary[] = [];
  for (const { id } of newest) {
    const snapshot = await loadSnapshot(id, owner).catch((error: unknown) => {
      if (error instanceof Failure) return undefined;
      throw error;
    });
    if (snapshot) summaries.push(summary(snapshot));
  }
  return summaries.sort((a, b) => b.timestamp - a.timestamp);
}

function summary({ id, timestamp, lines, files }: Snapshot): SnapshotSummary {
  return { snapshotId: id, timestamp, overall: percent(lines.hit, lines.found), files: files.length };
}

interface Measured {
  lines: Totals;
  branches?: Totals | undefined;
  functions?: Totals | undefined;
}

function measured({ lines, branches, functions }: Measured): Measured {
  return { lines, ...(branches && { branches }), ...(functions && { functions }) };
}

function snapshotPath(id: string, owner: Owner): string {
  return join(tmpdir(), fileName(id, owner));
}

function fileName(id: string, owner: Owner): string {
  return `assay-coverage-${ownerKey(owner)}-${id}.json`;
}

async function readPrivateFile(path: string, snapshotId: string): Promise<string> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  try {
    await using file = await open(path, flags);
    const stats = await file.stat();
    const foreign = process.getuid !== undefined && stats.uid !== process.getuid();
    if (!stats.isFile() || foreign) throw damaged(snapshotId, 'it is not a file of this user');
    return await file.readFile('utf8');
  } catch (error) {
    if (error instanceof Failure) throw error;
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') throw notFound(snapshotId);
    throw damaged(snapshotId, code === 'ELOOP' ? 'it is a symbolic link' : systemReason(error), error);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function withoutReport(error: Failure): Failure {
  return new Failure(error.kind, error.code, `Cannot create snapshot - ${error.message}`, error.details, {
    cause: error,
  });
}

function notFound(snapshotId: string): Failure {
  const id = snapshotId.length <= 200 ? snapshotId : `${snapshotId.slice(0, 200)}…`;
  return new Failure('not_found', 'SNAPSHOT_NOT_FOUND', `Snapshot not found with ID ${id}`, { snapshotId: id });
}

function damaged(snapshotId: string, reason: string, cause?: unknown): Failure {
  const message = `Snapshot ${snapshotId} cannot be used: ${reason}; start a new one`;
  return new Failure('unavailable', 'SNAPSHOT_DAMAGED', message, { snapshotId }, { cause });
}
