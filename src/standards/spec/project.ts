import { realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Failure, quote, systemCode, systemReason } from '../../platform/errors.ts';
import { findRepository, type ProjectRepository } from '../git/repository.ts';
import { isInside, lstatIfExists } from './project-file.ts';

/** A folder with a working spec, usually in a git repository. */
export interface GovernedProject {
  /** Absolute and real; paths of specs, reports and changes are relative to it. */
  root: string;
  /** Undefined outside of git. */
  repository: ProjectRepository | undefined;
}

interface CallContext {
  cwd: string;
  signal: AbortSignal;
  checkPath(path: string): Promise<void>;
}

/**
 * Finds the project of a folder: the nearest parent with `.caws` up to the top of the repository, or the folder itself if
 * there is none.
 */
export async function openProject(
  workingDirectory: string | undefined,
  context: CallContext,
): Promise<GovernedProject> {
  const folder = await resolveWorkingFolder(workingDirectory, context);
  const repository = await findRepository(folder, context);
  const top = repository ? await realpath(repository.root).catch(() => folder) : folder;
  const root = await findCawsFolder(folder, top);
  await context.checkPath(root);
  return { root, repository };
}

/** Resolves the folder of a call. Throws if it is not a folder or the caller may not use it. */
export async function resolveWorkingFolder(
  workingDirectory: string | undefined,
  { cwd, checkPath }: Pick<CallContext, 'cwd' | 'checkPath'>,
): Promise<string> {
  const given = workingDirectory ?? '.';
  if (given === '' || given.includes('\0')) {
    throw new Failure(
      'bad_input',
      'EINVAL',
      'workingDirectory is empty or holds a NUL byte; pass the path of a folder',
    );
  }
  await checkPath(given);
  const folder = await realpath(resolve(cwd, given)).catch((error: unknown) => {
    const code = systemCode(error) === 'EACCES' ? 'EACCES' : 'ENOENT';
    const message = `Cannot open workingDirectory ${quote(given)}: ${systemReason(error)}; pass a folder that this server can read`;
    throw new Failure(code === 'ENOENT' ? 'not_found' : 'unavailable', code, message);
  });
  if ((await lstatIfExists(folder))?.isDirectory()) return folder;
  throw new Failure('bad_input', 'EINVAL', `workingDirectory ${quote(given)} is not a folder; pass its folder`);
}

async function findCawsFolder(folder: string, top: string): Promise<string> {
  for (let at = folder; isInside(top, at); at = dirname(at)) {
    if ((await lstatIfExists(join(at, '.caws')))?.isDirectory()) return at;
    if (at === top) break;
  }
  return folder;
}
