import { lstatSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileList } from '../git/file-list.ts';
import { isCode } from './code-files.ts';

/** When sources were last written, so that a report can be told to be older. */
export interface SourceClock {
  /** The source below a folder that was written last. */
  newest(folder?: string): { path: string; modifiedMs: number } | undefined;
}

const MOST_FILES = 100_000;
const BETWEEN_PAUSES = 2000;
const DEEPEST = 8;

/** Looks at the code files that git knows, and those that it may yet be told of; without git, at what lies around. */
export async function sourceClock(
  root: string,
  listing: Promise<FileList> | undefined,
  signal?: AbortSignal,
): Promise<SourceClock> {
  const paths = (await (listing?.then(({ tracked, untracked }) => [...tracked, ...untracked]) ?? walked(root)))
    .filter(isCode)
    .slice(0, MOST_FILES);
  const times: { path: string; modifiedMs: number }[] = [];
  for (const [index, path] of paths.entries()) {
    if (index % BETWEEN_PAUSES === BETWEEN_PAUSES - 1) {
      await new Promise(setImmediate);
      signal?.throwIfAborted();
    }
    // Five times as fast as asking asynchronously, and each takes microseconds.
    const stats = lstatSync(join(root, path), { throwIfNoEntry: false });
    if (stats?.isFile()) times.push({ path, modifiedMs: stats.mtimeMs });
  }
  return {
    newest(folder = '') {
      const below = folder === '' ? times : times.filter(({ path }) => path.startsWith(`${folder}/`));
      return below.reduce<(typeof times)[number] | undefined>(
        (newest, file) => (newest && newest.modifiedMs >= file.modifiedMs ? newest : file),
        undefined,
      );
    },
  };
}

/** The package of a monorepo that a report lies in, or the whole project. */
export function packageOf(reportPath: string): string {
  return /^(?:packages|apps|crates|services|modules)\/[^/]+/.exec(reportPath)?.[0] ?? '';
}

/** Why a report is no evidence any more, if it is not. */
export function staleness(report: { path: string; modifiedMs: number }, clock: SourceClock): string | undefined {
  const newest = clock.newest(packageOf(report.path));
  if (!newest || newest.modifiedMs <= report.modifiedMs) return undefined;
  return `older than ${newest.path}, written ${seconds(newest.modifiedMs - report.modifiedMs)} later`;
}

const seconds = (ms: number) => (ms < 1000 ? 'a moment' : `${Math.round(ms / 1000)} s`);

async function walked(root: string): Promise<string[]> {
  const found: string[] = [];
  let folders = [''];
  for (let depth = 0; depth < DEEPEST && folders.length > 0 && found.length < MOST_FILES; depth++) {
    const next: string[] = [];
    for (const folder of folders.slice(0, 5000)) {
      for (const entry of await readdir(join(root, folder), { withFileTypes: true }).catch(() => [])) {
        const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
        if (entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.')) next.push(path);
        else if (entry.isFile()) found.push(path);
      }
    }
    folders = next;
  }
  return found;
}
