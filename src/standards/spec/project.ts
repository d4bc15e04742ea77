import { realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Failure, quote, systemCode, systemReason } from '../../platform/errors.ts';
import { findRepository, type Repository } from '../git/repository.ts';
import { isInside, statsOf } from './project-file.ts';

/** What is held to a spec: a folder, usually in a git repository. */
export interface Project {
  /** Absolute and real; paths of specs, reports and changes are seen from here. */
  root: string;
  /** Undefined where there is no git. */
  repository: Repository | undefined;
}

interface Calling {
  cwd: string;
  signal: AbortSignal;
  checkPath(path: string): Promise<void>;
}

/**
 * The project that a folder belongs to: the nearest folder with `.caws` up to the top of the repository, or the folder
 * itself where there is none.
 */
export async function openProject(workingDirectory: string | undefined, calling: Calling): Promise<Project> {
  const folder = await existingFolder(workingDirectory, calling);
  const repository = await findRepository(folder, calling);
  const top = repository ? await realpath(repository.root).catch(() => folder) : folder;
  const root = await nearestWithCaws(folder, top);
  await calling.checkPath(root);
  return { root, repository };
}

/** The folder that a call is about; fails where it is none, or not allowed. */
export async function existingFolder(
  workingDirectory: string | undefined,
  { cwd, checkPath }: Pick<Calling, 'cwd' | 'checkPath'>,
): Promise<string> {
  const given = workingDirectory ?? '.';
  if (given === '' || given.includes('\0')) {
    throw new Failure('bad_input', 'EINVAL', 'workingDirectory is empty or holds a NUL byte');
  }
  await checkPath(given);
  const folder = await realpath(resolve(cwd, given)).catch((error: unknown) => {
    const code = systemCode(error) === 'EACCES' ? 'EACCES' : 'ENOENT';
    const message = `Cannot open workingDirectory ${quote(given)}: ${systemReason(error)}`;
    throw new Failure(code === 'ENOENT' ? 'not_found' : 'unavailable', code, message);
  });
  if ((await statsOf(folder))?.isDirectory()) return folder;
  throw new Failure('bad_input', 'EINVAL', `workingDirectory ${quote(given)} is not a folder`);
}

async function nearestWithCaws(folder: string, top: string): Promise<string> {
  for (let at = folder; isInside(top, at); at = dirname(at)) {
    if ((await statsOf(join(at, '.caws')))?.isDirectory()) return at;
    if (at === top) break;
  }
  return folder;
}
