import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { Failure, quote, systemCode, systemReason } from '../../platform/errors.ts';
import { makeFolder, writeFileAtomic } from '../../platform/files/files.ts';
import { localIssuer, type Owner, ownerHome } from '../../platform/principal.ts';
import { safeJson } from '../../platform/text/untrusted-text.ts';
import { percent } from '../report/coverage-report.ts';
import { type ReadReportOptions, readReport } from '../report/read-report.ts';
import type { Totals } from '../store/coverage-store.ts';
import { createEventLoopYield } from '../store/event-loop-yield.ts';
import { coverageLimits } from '../store/report-limits.ts';

const totals = z.object({ found: z.int().min(0), hit: z.int().min(0) });
const measures = { lines: totals, branches: totals.optional(), functions: totals.optional() };

/** A stored snapshot has totals, not lines. */
const snapshotSchema = z.object({
  format: z.literal('assay-coverage-snapshot-1'),
  id: z.uuidv4(),
  timestamp: z.int().min(0),
  ...measures,
  files: z.array(z.object({ path: z.string(), identity: z.string(), ...measures })),
});

/** The folder and the owner of snapshots. */
export interface SnapshotLocation {
  home: string;
  owner: Owner;
}

export type Snapshot = z.infer<typeof snapshotSchema>;

export interface SnapshotSummary {
  snapshotId: string;
  timestamp: number;
  overall: number;
  files: number;
}

const snapshotIdPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const MAX_LISTED = 100;

/** Older snapshots are removed when a new one is created. */
export const SNAPSHOT_RETENTION_DAYS = 30;
const DAY_MS = 24 * 60 * 60_000;

/** Stores the totals of a report for 30 days. */
export async function createSnapshot(
  paths: string | readonly string[],
  options: ReadReportOptions & SnapshotLocation,
): Promise<{ snapshotId: string; timestamp: number }> {
  const report = await readReport(paths, options).catch((error: unknown) => {
    throw error instanceof Failure && error.code === 'LCOV_NOT_FOUND' ? reportNotFound(error) : error;
  });
  const identities = await report.identities();
  const snapshot: Snapshot = {
    format: 'assay-coverage-snapshot-1',
    id: randomUUID(),
    timestamp: Date.now(),
    ...pickMeasures(report),
    files: report.files.map((file, index) => ({
      path: file.path,
      identity: identities[index] ?? file.path,
      ...pickMeasures(file),
    })),
  };
  const text = await serializeSnapshot(snapshot, options.signal);
  options.signal?.throwIfAborted();
  try {
    await makeFolder(snapshotFolder(options));
    await writeFileAtomic(snapshotPath(snapshot.id, options), text, 0o600);
  } catch (error) {
    if (error instanceof Failure) throw error;
    const where =
      options.owner.issuer === localIssuer ? `ASSAY_HOME is ${quote(options.home)}` : 'in ASSAY_HOME of the server';
    const message = `Cannot create snapshot: ${systemReason(error)} (${where})`;
    throw new Failure('unavailable', 'SNAPSHOT_STORAGE', message, {}, { cause: error });
  }
  await removeExpiredSnapshots(options);
  return { snapshotId: snapshot.id, timestamp: snapshot.timestamp };
}

/** The JSON of a snapshot without raw invisible characters, written file by file so that other calls are served meanwhile. */
async function serializeSnapshot({ files, ...rest }: Snapshot, signal: AbortSignal | undefined): Promise<string> {
  const pace = createEventLoopYield();
  const texts: string[] = [];
  let length = 0;
  for (const file of files) {
    const text = safeJson(file);
    length += text.length + 1;
    if (length > coverageLimits.snapshotText) {
      const reason = `the paths of its ${files.length} source files are too long; take it of a part of the report`;
      throw new Failure('bad_input', 'SNAPSHOT_TOO_LARGE', `Cannot create snapshot: ${reason}`);
    }
    texts.push(text);
    const pause = pace();
    if (pause) {
      await pause;
      signal?.throwIfAborted();
    }
  }
  return `${safeJson(rest).slice(0, -1)},"files":[${texts.join(',')}]}`;
}

/**
 * Reads a snapshot of this owner; that of another owner is not found. Only a regular file of the server's own user is
 * trusted.
 */
export async function loadSnapshot(snapshotId: string, location: SnapshotLocation): Promise<Snapshot> {
  const id = snapshotId.toLowerCase();
  // Checked before the id becomes part of a path.
  if (!snapshotIdPattern.test(id)) throw snapshotNotFound(snapshotId);
  const text = await readPrivateFile(snapshotPath(id, location), snapshotId);
  const snapshot = snapshotSchema.safeParse(parseJson(text));
  if (!snapshot.success || snapshot.data.id !== id) {
    throw snapshotDamaged(snapshotId, 'its file was changed or cut short');
  }
  return snapshot.data;
}

/** The newest usable snapshots of this owner, newest first. */
export async function listSnapshots(location: SnapshotLocation): Promise<SnapshotSummary[]> {
  const written = await listSnapshotFiles(location);
  const newest = written.sort((a, b) => b.at - a.at).slice(0, MAX_LISTED);
  const summaries: SnapshotSummary[] = [];
  for (const { id } of newest) {
    const snapshot = await loadSnapshot(id, location).catch((error: unknown) => {
      if (error instanceof Failure) return undefined;
      throw error;
    });
    if (snapshot) summaries.push(summarizeSnapshot(snapshot));
  }
  return summaries.sort((a, b) => b.timestamp - a.timestamp);
}

function summarizeSnapshot({ id, timestamp, lines, files }: Snapshot): SnapshotSummary {
  return { snapshotId: id, timestamp, overall: percent(lines.hit, lines.found), files: files.length };
}

interface MeasuredTotals {
  lines: Totals;
  branches?: Totals | undefined;
  functions?: Totals | undefined;
}

function pickMeasures({ lines, branches, functions }: MeasuredTotals): MeasuredTotals {
  return { lines, ...(branches && { branches }), ...(functions && { functions }) };
}

/** Lists the snapshot files of the owner with their times. */
async function listSnapshotFiles(location: SnapshotLocation): Promise<{ id: string; at: number }[]> {
  const names = await readdir(snapshotFolder(location)).catch(() => []);
  const ids = names.flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : []));
  return Promise.all(
    ids
      .filter((id) => snapshotIdPattern.test(id))
      .map(async (id) => ({
        id,
        at: await stat(snapshotPath(id, location)).then(
          ({ mtimeMs }) => mtimeMs,
          () => 0,
        ),
      })),
  );
}

async function removeExpiredSnapshots(location: SnapshotLocation): Promise<void> {
  const oldest = Date.now() - SNAPSHOT_RETENTION_DAYS * DAY_MS;
  // Errors are ignored: another process may have removed the file, and a remaining one does no harm.
  for (const { id, at } of await listSnapshotFiles(location))
    if (at < oldest) await rm(snapshotPath(id, location), { force: true }).catch(() => {});
}

function snapshotFolder({ home, owner }: SnapshotLocation): string {
  return join(ownerHome(home, owner), 'coverage', 'snapshots');
}

function snapshotPath(id: string, location: SnapshotLocation): string {
  return join(snapshotFolder(location), `${id}.json`);
}

async function readPrivateFile(path: string, snapshotId: string): Promise<string> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  try {
    await using file = await open(path, flags);
    const stats = await file.stat();
    const foreign = process.getuid !== undefined && stats.uid !== process.getuid();
    if (!stats.isFile() || foreign) throw snapshotDamaged(snapshotId, 'it is not a file of this user');
    return await file.readFile('utf8');
  } catch (error) {
    if (error instanceof Failure) throw error;
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') throw snapshotNotFound(snapshotId);
    throw snapshotDamaged(snapshotId, code === 'ELOOP' ? 'it is a symbolic link' : systemReason(error), error);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reportNotFound(error: Failure): Failure {
  return new Failure(error.kind, error.code, `Cannot create snapshot - ${error.message}`, error.details, {
    cause: error,
  });
}

function snapshotNotFound(snapshotId: string): Failure {
  const id = snapshotId.length <= 200 ? snapshotId : `${snapshotId.slice(0, 200)}…`;
  return new Failure('not_found', 'SNAPSHOT_NOT_FOUND', `Snapshot not found with ID ${id}`, { snapshotId: id });
}

function snapshotDamaged(snapshotId: string, reason: string, cause?: unknown): Failure {
  const message = `Snapshot ${snapshotId} cannot be used: ${reason}; start a new one`;
  return new Failure('unavailable', 'SNAPSHOT_DAMAGED', message, { snapshotId }, { cause });
}
