import type { ProjectRepository } from '../git/repository.ts';

interface CommitPerson {
  name: string;
  email: string;
  /** ISO 8601, as it was written. */
  date: string;
}

export interface LoggedCommit {
  id: string;
  tree: string;
  parents: string[];
  author: CommitPerson;
  committer: CommitPerson;
  subject: string;
  message: string;
  /** `Key: value`, unfolded, as git itself finds them. */
  trailers: string[];
  /** Empty without `--numstat`, and for merges without `--diff-merges=first-parent`. */
  files: LoggedFile[];
}

interface LoggedFile {
  path: string;
  added: number;
  removed: number;
}

const formatFields = [
  '%H',
  '%T',
  '%P',
  '%an',
  '%ae',
  '%aI',
  '%cn',
  '%ce',
  '%cI',
  '%s',
  '%B',
  '%(trailers:only=true,unfold=true)',
];
const logOptions = ['-z', '--no-notes', '--no-renames', '--encoding=UTF-8'];
const MAX_OUTPUT_BYTES = 200 * 1024 * 1024;

/** Reads the commits that the arguments select from `git log`, without replacements. */
export async function readGitLog(
  repository: ProjectRepository,
  choice: readonly string[],
  folder?: string,
): Promise<LoggedCommit[]> {
  const args = [...logOptions, `--format=tformat:${formatFields.join('%x00')}`, ...choice];
  const output = await repository.read('log', args, {
    ignoreReplacements: true,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    ...(folder !== undefined && { cwd: folder }),
  });
  return parseGitLog(output);
}

const numstatLine = /^\n?(\d+|-)\t(\d+|-)\t(.+)$/s;

/** Parses NUL-separated output. A commit cannot contain a NUL byte, so its author cannot forge a separator. */
function parseGitLog(output: string): LoggedCommit[] {
  const parts = output.split('\0');
  const commits: LoggedCommit[] = [];
  for (let at = 0; at < parts.length; ) {
    const part = parts[at] ?? '';
    const last = commits.at(-1);
    const file = last && numstatLine.exec(part);
    if (file) {
      const [, added = '', removed = '', path = ''] = file;
      last.files.push({ path, added: Number(added) || 0, removed: Number(removed) || 0 });
      at++;
    } else if (/^[0-9a-f]{40,64}$/.test(part)) {
      commits.push(parseCommit(parts.slice(at, at + formatFields.length)));
      at += formatFields.length;
    } else at++;
  }
  return commits;
}

function parseCommit(parts: readonly string[]): LoggedCommit {
  const [
    id = '',
    tree = '',
    parents = '',
    an = '',
    ae = '',
    ad = '',
    cn = '',
    ce = '',
    cd = '',
    subject = '',
    message = '',
    trailers = '',
  ] = parts;
  return {
    id,
    tree,
    parents: parents.split(' ').filter((parent) => parent !== ''),
    author: { name: an, email: ae, date: ad },
    committer: { name: cn, email: ce, date: cd },
    subject,
    message,
    trailers: trailers.split('\n').filter((line) => line.includes(':')),
    files: [],
  };
}
