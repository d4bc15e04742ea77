import { type ProjectRepository, splitNul } from './repository.ts';

/** The files below a folder, by whether git knows them. What is ignored is not among them. */
export interface ProjectFileList {
  tracked: string[];
  untracked: string[];
}

/** One look for both, since git walks through the folders for either. */
export async function listProjectFiles(repository: ProjectRepository, folder: string): Promise<ProjectFileList> {
  const args = ['-z', '-t', '--cached', '--others', '--exclude-standard', '--', '.'];
  const { stdout } = await repository.git('ls-files', args, { cwd: folder });
  const tracked = new Set<string>();
  const untracked: string[] = [];
  for (const entry of splitNul(stdout)) {
    const path = entry.slice(2);
    // A folder is a repository of its own.
    if (!entry.startsWith('?')) tracked.add(path);
    else if (!path.endsWith('/')) untracked.push(path);
  }
  return { tracked: [...tracked], untracked };
}
