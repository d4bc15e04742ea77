import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { makeHomeFolder } from '../../../platform/files/files.ts';
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

export interface RunRecord extends AsyncDisposable {
  id: string;
  /** The path for a trace of the same run. */
  tracePath: string;
  /** The trace path relative to the home folder of the owner, as the caller sees it. */
  traceFile: string;
  step(step: RunStep): void;
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
    hash: (value) => createHmac('sha256', key).update(value).digest('hex').slice(0, 16),
    async [Symbol.asyncDispose]() {
      file.end();
      await finished(file).catch(() => {});
      await prune(folder);
    },
  };
}

async function prune(folder: string): Promise<void> {
  const names = (await readdir(folder).catch(() => [])).sort();
  const runs = [...new Set(names.map((name) => name.replace(/\.(?:jsonl|trace\.zip)$/, '')))];
  const old = new Set(runs.slice(0, Math.max(0, runs.length - MAX_RECORDS)));
  for (const name of names)
    if (old.has(name.replace(/\.(?:jsonl|trace\.zip)$/, ''))) await rm(join(folder, name), { force: true });
}
