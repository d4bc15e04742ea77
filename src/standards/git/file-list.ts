import { nulSeparated, type Repository } from './repository.ts';

/** The files below a folder, by whether git knows them. What is ignored is not among them. */
export interface FileList {
  tracked: string[];
  untracked: string[];
}

/** One look for both, since git walks through the folders for either. */
export async function fileList(repository: Repository, folder: string): Promise<FileList> {
  const args = ['-z', '-t', '--cached', '--others', '--exclude-standard', '--', '.'];
  const { stdout } = await repository.git('ls-files', args, { cwd: folder });
  const tracked = new Set<string>();
  const untracked: string[] = [];
  for (const entry of nulSeparated(stdout)) {
    const path = entry.slice(2);
    // A folder is a repository of its own.
    if (!entry.startsWith('?')) tracked.add(path);
    else if (!path.endsWith('/')) untracked.push(path);
  }
  return { tracked: [...tracked], untracked };
}
