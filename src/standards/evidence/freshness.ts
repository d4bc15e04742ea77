import { lstatSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProjectFileList } from '../git/file-list.ts';
import { isCodeFile, packageFolder } from './code-files.ts';
import { describeImpossibleTime } from './report-plausibility.ts';

/** Modification times of sources, to detect reports that are older. */
export interface SourceClock {
  /** The most recently written source of a folder. */
  newest(folder?: string): { path: string; modifiedMs: number } | undefined;
}

const MAX_FILES = 100_000;
const FILES_PER_SLICE = 2000;
const MAX_DEPTH = 8;

/** Reads the times of tracked and untracked code files; without git, of all code files in the folder. */
export async function readSourceClock(
  root: string,
  listing: Promise<ProjectFileList> | undefined,
  signal?: AbortSignal,
): Promise<SourceClock> {
  const paths = (await (listing?.then(({ tracked, untracked }) => [...tracked, ...untracked]) ?? walkFiles(root)))
    .filter(isCodeFile)
    .slice(0, MAX_FILES);
  const times: { path: string; modifiedMs: number }[] = [];
  for (const [index, path] of paths.entries()) {
    if (index % FILES_PER_SLICE === FILES_PER_SLICE - 1) {
      await new Promise(setImmediate);
      signal?.throwIfAborted();
    }
    // Synchronous calls are five times as fast, and each takes microseconds.
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

/** Explains why a report is stale; undefined if it is fresh. */
export function describeStaleness(
  report: { path: string; modifiedMs: number },
  clock: SourceClock,
  nowMs: number,
): string | undefined {
  const impossible = describeImpossibleTime(report.modifiedMs, nowMs);
  if (impossible) return impossible;
  const newest = clock.newest(packageFolder(report.path));
  if (!newest || newest.modifiedMs <= report.modifiedMs) return undefined;
  return `older than ${newest.path}, written ${formatDelay(newest.modifiedMs - report.modifiedMs)} later`;
}

const formatDelay = (ms: number) => (ms < 1000 ? 'a moment' : `${Math.round(ms / 1000)} s`);

async function walkFiles(root: string): Promise<string[]> {
  const found: string[] = [];
  let folders = [''];
  for (let depth = 0; depth < MAX_DEPTH && folders.length > 0 && found.length < MAX_FILES; depth++) {
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
