import type { Repository } from '../git/repository.ts';

interface Person {
  name: string;
  email: string;
  /** ISO 8601, as it was written. */
  date: string;
}

export interface LoggedCommit {
  id: string;
  tree: string;
  parents: string[];
  author: Person;
  committer: Person;
  subject: string;
  message: string;
  /** `Key: value`, unfolded, as git itself finds them. */
  trailers: string[];
  /** Empty unless asked for, and for merges unless seen from their first parent. */
  files: LoggedFile[];
}

interface LoggedFile {
  path: string;
  added: number;
  removed: number;
}

const fields = [
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
const plain = ['-z', '--no-notes', '--no-renames', '--encoding=UTF-8'];
const MOST_OUTPUT = 200 * 1024 * 1024;

/** What `git log` tells, for whichever commits the arguments choose. Replaced commits are seen as they were. */
export async function readLog(
  repository: Repository,
  choice: readonly string[],
  folder?: string,
): Promise<LoggedCommit[]> {
  const args = [...plain, `--format=tformat:${fields.join('%x00')}`, ...choice];
  const output = await repository.read('log', args, {
    ignoreReplacements: true,
    maxOutputBytes: MOST_OUTPUT,
    ...(folder !== undefined && { cwd: folder }),
  });
  return parseLog(output);
}

const counts = /^\n?(\d+|-)\t(\d+|-)\t(.+)$/s;

/** No part of a commit can hold a NUL byte, so whatever its author wrote, the parts cannot run into each other. */
function parseLog(output: string): LoggedCommit[] {
  const parts = output.split('\0');
  const commits: LoggedCommit[] = [];
  for (let at = 0; at < parts.length; ) {
    const part = parts[at] ?? '';
    const last = commits.at(-1);
    const file = last && counts.exec(part);
    if (file) {
      const [, added = '', removed = '', path = ''] = file;
      last.files.push({ path, added: Number(added) || 0, removed: Number(removed) || 0 });
      at++;
    } else if (/^[0-9a-f]{40,64}$/.test(part)) {
      commits.push(commitFrom(parts.slice(at, at + fields.length)));
      at += fields.length;
    } else at++;
  }
  return commits;
}

function commitFrom(parts: readonly string[]): LoggedCommit {
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
