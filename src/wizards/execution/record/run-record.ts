import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { systemCode } from '../../../platform/errors.ts';
import { makeHomeFolder } from '../../../platform/files/files.ts';
import type { KeptPicture } from '../../../platform/files/kept-picture.ts';
import { safeJson } from '../../../platform/text/untrusted-text.ts';

/** How many records of a wizard are kept; older ones are removed. */
const MAX_RECORDS = 100;

interface RunStep {
  step: 'open' | 'start' | 'field' | 'continue' | 'notice' | 'results' | 'end';
  page?: number;
  field?: string;
  locator?: string;
  /** The index of the rung in the ladder, from 0. */
  rung?: number;
  ms?: number;
  /** A hash of the value, never the value itself. */
  value?: string;
  outcome?: string;
}

/** What a picture of a run shows: the page of this position in the wizard, the results, or the page where it failed. */
export type PictureSubject = number | 'results' | 'error';

export interface RunRecord extends AsyncDisposable {
  id: string;
  /** The path for a trace of the same run. */
  tracePath: string;
  /** The trace path relative to the home folder of the owner, as the caller sees it. */
  traceFile: string;
  step(step: RunStep): void;
  /** Stores a picture in the folder of the record, as long as the record; undefined if it cannot be written. */
  keepPicture(subject: PictureSubject, jpeg: Uint8Array): Promise<KeptPicture | undefined>;
  /** A keyed hash that only shows whether two values of this run are equal; the key is never stored. */
  hash(value: string): string;
}

/** Starts the record of an execution: one line per step, without user data. */
export async function startRunRecord(runs: string, wizardId: string): Promise<RunRecord> {
  const folder = join(runs, wizardId);
  await makeHomeFolder(folder);
  const id = `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${randomUUID().slice(0, 8)}`;
  const key = randomBytes(32);
  const file = createWriteStream(join(folder, `${id}.jsonl`), { mode: 0o600 });
  // A full disk must not stop the run: the record is only for later analysis.
  file.on('error', () => {});
  const begun = performance.now();
  return {
    id,
    tracePath: join(folder, `${id}.trace.zip`),
    traceFile: `wizards/runs/${wizardId}/${id}.trace.zip`,
    step: (step) => void file.write(`${safeJson({ at: Math.round(performance.now() - begun), ...step })}\n`),
    async keepPicture(subject, data) {
      const part = typeof subject === 'number' ? `page-${subject}` : subject;
      const path = join(folder, `${id}.${part}.jpg`);
      // Like the record, a picture must not stop a run that may already have sent the form.
      const isWritten = await writeFile(path, data, { mode: 0o600 }).then(
        () => true,
        () => false,
      );
      if (!isWritten) return undefined;
      const name = typeof subject === 'number' ? `Page ${subject}` : `Page of the ${subject}`;
      return { uri: `${RUN_PICTURES}${wizardId}.${id}.${part}.jpg`, name, data, mimeType: 'image/jpeg', path };
    },
    hash: (value) => createHmac('sha256', key).update(value).digest('hex').slice(0, 16),
    async [Symbol.asyncDispose]() {
      file.end();
      await finished(file).catch(() => {});
      await prune(folder);
    },
  };
}

const RUN_PICTURES = 'wizards://runs/';

/** The resource that `keepPicture` names. `picture` is the last part of its URI. */
export const runPictureTemplate = `${RUN_PICTURES}{runPicture}`;

/** Reads a picture in the folder of the records of one owner; undefined if there is none. */
export async function readRunPicture(
  runs: string,
  picture: string,
): Promise<{ data: Uint8Array; mimeType: string; path: string } | undefined> {
  const [, wizardId, file] = /^([a-z0-9-]{1,100})\.([\w-]+\.[\w-]+\.jpg)$/.exec(picture) ?? [];
  if (wizardId === undefined || file === undefined) return undefined;
  const path = join(runs, wizardId, file);
  try {
    return { data: await readFile(path), mimeType: 'image/jpeg', path };
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** An id has no dot, so the files of a run are those whose names start with its id and a dot. */
const runOf = (name: string) => name.split('.')[0] ?? name;

async function prune(folder: string): Promise<void> {
  const names = (await readdir(folder).catch(() => [])).sort();
  const runs = [...new Set(names.map(runOf))];
  const old = new Set(runs.slice(0, Math.max(0, runs.length - MAX_RECORDS)));
  for (const name of names) if (old.has(runOf(name))) await rm(join(folder, name), { force: true });
}
