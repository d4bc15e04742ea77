import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { makeHomeFolder } from '../../../platform/files/files.ts';
import { safeJson } from '../../../platform/text/untrusted-text.ts';

/** Records older than this many of the same wizard are removed. */
const MAX_RECORDS = 100;

interface RunStep {
  step: 'open' | 'start' | 'field' | 'continue' | 'notice' | 'results' | 'end';
  page?: number;
  field?: string;
  locator?: string;
  /** Which rung of the ladder it was, from 0. */
  rung?: number;
  ms?: number;
  /** The value that was set: never itself. */
  value?: string;
  outcome?: string;
}

export interface RunRecord extends AsyncDisposable {
  id: string;
  /** Where a trace of the same run belongs. */
  tracePath: string;
  /** The same, relative to the home folder of the owner, as the caller is told. */
  traceFile: string;
  step(step: RunStep): void;
  /** Says only whether two values of this run are the same: the key is kept nowhere. */
  hash(value: string): string;
}

/** What an execution did, one line a step, without anything that somebody entered. */
export async function startRunRecord(runs: string, wizardId: string): Promise<RunRecord> {
  const folder = join(runs, wizardId);
  await makeHomeFolder(folder);
  const id = `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${randomUUID().slice(0, 8)}`;
  const key = randomBytes(32);
  const file = createWriteStream(join(folder, `${id}.jsonl`), { mode: 0o600 });
  // A disk that is full must not stop the run: the record is for later.
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
