import { lstat, mkdir, realpath } from 'node:fs/promises';
import { Failure, quote, systemReason } from '../../platform/errors.ts';
import type { ProjectRepository } from '../git/repository.ts';
import type { GovernedProject } from '../spec/project.ts';
import { isInside } from '../spec/project-file.ts';

/** Where git looks for hooks, in work trees and with `core.hooksPath` too. */
export interface HookFolder {
  path: string;
  /** `core.hooksPath`, where it is set. */
  configured: string | undefined;
}

export async function resolveHookFolder({
  repository,
}: GovernedProject): Promise<HookFolder & { repository: ProjectRepository }> {
  if (!repository)
    throw new Failure(
      'not_found',
      'ENOENT',
      'Hooks belong to git, and this folder is in no git repository; run "git init" first',
    );
  const { path, configured } = await repository.hooks();
  await rejectSharedFolder(path, [repository.commonDir, repository.root], configured);
  return { path, configured, repository };
}

/** Hooks that several repositories share are not one repository's to change. */
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
      ? 'its folder of hooks is a link that leads outside'
      : `core.hooksPath is ${quote(configured)}`;
  throw new Failure(
    'conflict',
    'EINVAL',
    `The hooks of this repository lie outside of it (${why}), where other repositories may use them; set core.hooksPath of this repository to a folder of its own`,
  );
}

export async function createHookFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
    if (!(await lstat(path)).isDirectory())
      throw new Failure('conflict', 'EINVAL', 'The folder of hooks is a link; make it a folder');
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('unavailable', 'EACCES', `Cannot make the folder of hooks: ${systemReason(error)}`);
  }
}
