import { findGit, GitError, isolatedEnvironment, runGit, userEnvironment } from './git-program.ts';

/**
 * Initializes a repository with a branch `main` and the user's own settings (templates, object format). Returns whether git
 * succeeded. `git init` starts no program, whatever the settings are.
 */
export async function createRepository(folder: string, signal?: AbortSignal): Promise<boolean> {
  try {
    const args = ['-C', folder, 'init', '-q', '-b', 'main'];
    const { code } = await runGit(await findGit(), args, { env: userEnvironment(), signal });
    return code === 0;
  } catch (error) {
    if (error instanceof GitError) return false;
    throw error;
  }
}

/**
 * Initializes a repository in a folder of Assay and commits all its files without the user's settings: no template, hook,
 * filter or signature. Throws `GitError`.
 */
export async function commitNewRepository(folder: string, message: string): Promise<void> {
  const git = await findGit();
  const none = `${folder}/.git/none`;
  const env = {
    ...isolatedEnvironment(),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_SYSTEM: none,
    GIT_CONFIG_GLOBAL: none,
    GIT_AUTHOR_NAME: 'Assay',
    GIT_AUTHOR_EMAIL: 'assay@localhost',
    GIT_COMMITTER_NAME: 'Assay',
    GIT_COMMITTER_EMAIL: 'assay@localhost',
  };
  for (const args of [
    ['init', '-q', '-b', 'main', '--template='],
    ['add', '.'],
    ['commit', '-q', '-m', message],
  ]) {
    const { code, stderr } = await runGit(git, ['-C', folder, ...args], { env });
    if (code !== 0) throw new GitError('failed', `git ${args[0]} ended with code ${code}: ${stderr.trim()}`);
  }
}
