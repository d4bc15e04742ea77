import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Folder, newFolder } from '../folders.ts';

type Files = Record<string, string | Uint8Array | null>;

export interface Repo extends Folder {
  /** Runs git in the work tree and returns its output without the last line end. Throws its error output. */
  git(...args: string[]): string;
  /** Writes files; null deletes a file. */
  put(files: Files): Promise<void>;
  /** Writes the files, adds everything and commits. Returns the full id of the commit. */
  commit(message: string, files?: Files, when?: Commit): Promise<string>;
}

interface Commit {
  /** ISO 8601; default: now. */
  date?: string;
  /** As in "Name <address>". */
  author?: string;
}

/** The environment of the tests without the variables that git sets when a hook runs them. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
}

/** Uses nothing of the user who runs the tests: no configuration, name, hooks or signing. */
export const isolatedGit: Record<string, string> = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Tester',
  GIT_AUTHOR_EMAIL: 'tester@example.test',
  GIT_COMMITTER_NAME: 'Tester',
  GIT_COMMITTER_EMAIL: 'tester@example.test',
};

/** A repository for one test on branch `main`, deleted when disposed. Given files become its first commit. */
export async function newRepo(files?: Files): Promise<Repo> {
  const repo = repoAt(await newFolder());
  repo.git('init', '-q', '-b', 'main');
  if (files) await repo.commit('chore: begin', files);
  return repo;
}

/** A folder for git: a clone, a work tree, or a folder without a repository yet. */
export function repoAt(folder: Folder): Repo {
  const git = (args: readonly string[], env: Record<string, string> = {}) =>
    execFileSync('git', args, {
      cwd: folder.path,
      encoding: 'utf8',
      env: { ...plainEnvironment(), ...isolatedGit, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 512 * 1024 * 1024,
    }).replace(/\n$/, '');
  const put = async (files: Files) => {
    for (const [name, content] of Object.entries(files)) {
      if (content === null) await rm(join(folder.path, name), { recursive: true, force: true });
      else await folder.write(name, content);
    }
  };
  return {
    ...folder,
    git: (...args) => git(args),
    put,
    async commit(message, files = {}, { date, author } = {}) {
      await put(files);
      git(['add', '-A']);
      const by = author === undefined ? [] : [`--author=${author}`];
      const dates: Record<string, string> =
        date === undefined ? {} : { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
      git(['commit', '-q', '--allow-empty', '--cleanup=verbatim', ...by, '-m', message], dates);
      return git(['rev-parse', 'HEAD']);
    },
  };
}
