import { lstat, mkdir, realpath } from 'node:fs/promises';
import { Failure, quote, systemReason } from '../../platform/errors.ts';
import type { ProjectRepository } from '../git/repository.ts';
import type { GovernedProject } from '../spec/project.ts';
import { isInside } from '../spec/project-file.ts';

/** The folder where git looks for hooks, also in work trees and with `core.hooksPath`. */
export interface HookFolder {
  path: string;
  /** `core.hooksPath`, where it is set. */
  configured: string | undefined;
}

export async function resolveHookFolder({
  repository,
}: GovernedProject): Promise<HookFolder & { repository: ProjectRepository }> {
  if (!repository) throw new Failure('not_found', 'ENOENT', 'Hooks need a git repository; run "git init" first');
  const { path, configured } = await repository.hooks();
  await rejectSharedFolder(path, [repository.commonDir, repository.root], configured);
  return { path, configured, repository };
}

/** Throws if the hooks are outside of the repository, where other repositories may share them. */
async function rejectSharedFolder(
  path: string,
  homes: readonly string[],
  configured: string | undefined,
): Promise<void> {
  const real = await realpath(path).catch(() => path);
  const inside = await Promise.all(
    homes.map(async (home) => isInside(await realpath(home), real) || isInside(home, real)),
  );
  if (inside.some(Boolean)) return;
  const why =
    configured === undefined
      ? 'the hooks folder is a link that leads outside'
      : `core.hooksPath is ${quote(configured)}`;
  throw new Failure(
    'conflict',
    'EINVAL',
    `The hooks folder is outside of the repository (${why}), where other repositories may share it; set core.hooksPath to a folder of this repository`,
  );
}

export async function createHookFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
    if (!(await lstat(path)).isDirectory())
      throw new Failure('conflict', 'EINVAL', 'The hooks folder is a link; replace it with a folder');
  } catch (error) {
    if (error instanceof Failure) throw error;
    const message = `Cannot create the hooks folder: ${systemReason(error)}; make its parent folder writable`;
    throw new Failure('unavailable', 'EACCES', message);
  }
}
