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
  /** Absolute; the folder that all work trees of a repository share. */
  commonDir: string;
}

const sharedFolders = ['refs', 'reftable', 'logs', 'info'];
const sharedFiles = ['packed-refs', 'shallow'];

/**
 * Calls `use` with an environment in which git reads a repository, but neither its settings nor its user's.
 *
 * Git reads settings, hooks and remotes from the common folder of a repository. During the call that is a temporary folder
 * with a configuration of Assay and links to references, patterns and the list of shallow commits. HEAD, the index and
 * objects are read in the repository. Its configuration has no effect, even when it changes during the call.
 *
 * A killed process leaves the folder (`assay-git-*`: links and a short text, readable by its user only) to the system's
 * removal of temporary files.
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
    const message = `git needs a temporary folder, but ${tmpdir()} cannot be written: ${systemReason(error)}; set TMPDIR to a writable folder`;
    throw new GitError('failed', message, { cause: error });
  }
}

/** Windows allows only administrators to link files. */
async function shareFile(from: string, to: string): Promise<void> {
  if (process.platform !== 'win32') return symlink(from, to);
  await copyFile(from, to).catch((error: unknown) => {
    if (systemCode(error) !== 'ENOENT') throw error;
  });
}
