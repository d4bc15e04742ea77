import { type ProjectRepository, splitNul } from './repository.ts';

/** The tracked and untracked files of a folder, without ignored ones. */
export interface ProjectFileList {
  tracked: string[];
  untracked: string[];
  /** Tracked files that git does not compare, because the index marks them assume-unchanged or skip-worktree. */
  hidden: string[];
}

/** Lists both kinds with one git command, because git walks the folders for each. */
export async function listProjectFiles(repository: ProjectRepository, folder: string): Promise<ProjectFileList> {
  const args = ['-z', '-v', '--cached', '--others', '--exclude-standard', '--', '.'];
  const { stdout } = await repository.git('ls-files', args, { cwd: folder });
  const tracked = new Set<string>();
  const untracked: string[] = [];
  const hidden: string[] = [];
  for (const entry of splitNul(stdout)) {
    const path = entry.slice(2);
    // An untracked entry with a trailing slash is a nested repository.
    if (/^[a-zS]/.test(entry)) hidden.push(path);
    if (!entry.startsWith('?')) tracked.add(path);
    else if (!path.endsWith('/')) untracked.push(path);
  }
  return { tracked: [...tracked], untracked, hidden };
}
