import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemCode, systemReason } from '../errors.ts';
import { GitError, isolatedEnvironment } from './git-program.ts';

export interface GitFolders {
  /** Absolute; the top of the checked-out files. */
  workTree: string;
  /** Absolute; of a linked work tree, its own folder with HEAD and the index. */
  gitDir: string;
  /** Absolute; what all work trees of a repository share. */
  commonDir: string;
}

const sharedFolders = ['refs', 'reftable', 'logs', 'info'];
const sharedFiles = ['packed-refs', 'shallow'];

/**
 * Calls `use` with an environment in which git reads a repository, but none of its settings, nor its user's.
 *
 * Git looks for settings, hooks and remotes in the common folder of a repository. For the time of the call that is a temporary
 * folder with a configuration of ours, from where only references, patterns and the list of shallow commits are linked; HEAD,
 * the index and objects are read where they are. What the repository's configuration says, or is changed to in the meantime,
 * has no effect, whatever its bytes.
 *
 * A process that is killed meanwhile leaves the folder behind (`assay-git-*`: links and a short text, readable by its user only)
 * for the system's cleaning of temporary files.
 */
export async function withIsolatedView<Result>(
  { workTree, gitDir, commonDir }: GitFolders,
  config: Buffer,
  use: (env: NodeJS.ProcessEnv) => Promise<Result>,
): Promise<Result> {
  const view = await makeView(commonDir, config);
  try {
    const none = join(view, 'none');
    return await use({
      ...isolatedEnvironment(),
      GIT_DIR: gitDir,
      GIT_COMMON_DIR: view,
      GIT_OBJECT_DIRECTORY: join(commonDir, 'objects'),
      GIT_WORK_TREE: workTree,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_SYSTEM: none,
      GIT_CONFIG_GLOBAL: none,
    });
  } finally {
    await rm(view, { recursive: true, force: true });
  }
}

async function makeView(commonDir: string, config: Buffer): Promise<string> {
  let view: string | undefined;
  try {
    view = await mkdtemp(join(tmpdir(), 'assay-git-'));
    const within = (name: string) => join(view ?? '', name);
    await Promise.all([
      writeFile(within('config'), config),
      ...sharedFolders.map((name) => symlink(join(commonDir, name), within(name), 'junction')),
      ...sharedFiles.map((name) => shareFile(join(commonDir, name), within(name))),
    ]);
    return view;
  } catch (error) {
    if (view !== undefined) await rm(view, { recursive: true, force: true });
    const message = `git needs a temporary folder, and ${tmpdir()} does not take one: ${systemReason(error)}; set TMPDIR to a folder that can be written`;
    throw new GitError('failed', message, { cause: error });
  }
}

/** Windows lets only administrators link files. */
async function shareFile(from: string, to: string): Promise<void> {
  if (process.platform !== 'win32') return symlink(from, to);
  await copyFile(from, to).catch((error: unknown) => {
    if (systemCode(error) !== 'ENOENT') throw error;
  });
}
