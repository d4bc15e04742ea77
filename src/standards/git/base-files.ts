import { realpath } from 'node:fs/promises';
import { relativePath } from '../spec/project-file.ts';
import { findBranchPoint, type NoChangeSet } from './branch-point.ts';
import type { ProjectRepository } from './repository.ts';

/** The files of a project at the commit that a change is counted from. */
export interface BaseFiles {
  /** The name of the base, for messages. */
  base: string;
  commit: string;
  /** The text of a file, by its path in the project; undefined if there is none. */
  read(path: string): Promise<string | undefined>;
  /** The names in a folder. */
  list(folder: string): Promise<string[]>;
}

const MAX_BYTES = 4 * 1024 * 1024;

/** Opens the files at the base. */
export async function openBaseFiles(
  repository: ProjectRepository,
  root: string,
  base?: string,
): Promise<BaseFiles | NoChangeSet> {
  const point = await findBranchPoint(repository, base);
  if ('reason' in point) return point;
  const top = await realpath(repository.root).catch(() => repository.root);
  const prefix = relativePath(top, root);
  const show = async (...args: string[]) => {
    const { code, stdout } = await repository.git('cat-file', args, { maxOutputBytes: MAX_BYTES });
    return code === 0 ? stdout.toString('utf8') : undefined;
  };
  const nameOf = (path: string) => `${point.commit}:${prefix === '' ? path : `${prefix}/${path}`}`;
  return {
    ...point,
    read: (path) => show('blob', nameOf(path)),
    async list(folder) {
      const listing = (await show('-p', nameOf(folder))) ?? '';
      return listing.split('\n').flatMap((line) => /^\d+ blob [0-9a-f]+\t(.+)$/.exec(line)?.[1] ?? []);
    },
  };
}
