import { Failure, quote } from '../../platform/errors.ts';
import { type ProjectRepository, resolveCommit } from '../git/repository.ts';
import { type LoggedCommit, readGitLog } from '../history/git-log.ts';
import { sha256Digest } from './canonical-json.ts';
import type { CommitFacts } from './chain-entry.ts';

export function toCommitFacts({ id, tree, parents, author, committer, subject, message }: LoggedCommit): CommitFacts {
  return { id, tree, parents, author, committer, subject, message: sha256Digest(message) };
}

const IDS_PER_CALL = 1000;

/** Reads commits by id; missing commits are left out. */
export async function readCommitsById(
  repository: ProjectRepository,
  ids: readonly string[],
): Promise<Map<string, LoggedCommit>> {
  const known = new Map<string, LoggedCommit>();
  for (let at = 0; at < ids.length; at += IDS_PER_CALL) {
    const some = ids.slice(at, at + IDS_PER_CALL);
    for (const commit of await readGitLog(repository, ['--no-walk=unsorted', '--ignore-missing', ...some, '--']))
      known.set(commit.id, commit);
  }
  return known;
}

export interface CommitClaims {
  commit?: string | undefined;
  message?: string | undefined;
  author?: string | undefined;
}

/** Resolves the commit of a claim with its files. Throws if message or author of the claim differ from git. */
export async function resolveClaimedCommit(repository: ProjectRepository, claims: CommitClaims): Promise<LoggedCommit> {
  const name = claims.commit ?? 'HEAD';
  const id = await resolveCommit(repository, name);
  if (id === undefined) {
    const message = claims.commit
      ? `commit ${quote(name)} is not in this repository; pass a commit of it, or fetch it first`
      : 'The repository has no commit to record; commit first';
    throw new Failure('not_found', 'ENOENT', message);
  }
  const [commit] = await readGitLog(repository, ['--no-walk', '--numstat', '--diff-merges=first-parent', id, '--']);
  if (!commit)
    throw new Failure('unavailable', 'EINVAL', `git does not show commit ${id}; check the repository with git fsck`);
  if (claims.message !== undefined && !isMessageOf(commit, claims.message))
    throw claimContradiction('message', claims.message, commit.subject, commit.id);
  if (claims.author !== undefined && !isAuthorOf(commit, claims.author))
    throw claimContradiction('author', claims.author, `${commit.author.name} <${commit.author.email}>`, commit.id);
  return commit;
}

function isMessageOf({ subject, message }: LoggedCommit, claim: string): boolean {
  return claim.trim() === message.trim() || claim.trim() === subject.trim();
}

function isAuthorOf({ author: { name, email } }: LoggedCommit, claim: string): boolean {
  return [name, email, `${name} <${email}>`].includes(claim.trim());
}

function claimContradiction(field: string, claimed: string, actual: string, id: string): Failure {
  const message = `${field} ${quote(claimed)} contradicts git, where commit ${id.slice(0, 12)} has ${quote(actual)}; omit ${field}, or pass the value from git`;
  return new Failure('conflict', 'EINVAL', message);
}
