import { quote } from '../../platform/errors.ts';
import { type ProjectRepository, resolveCommit } from './repository.ts';

interface BranchPoint {
  /** The name of the base, for messages. */
  base: string;
  commit: string;
}

/** Why no change set can be computed. */
export interface NoChangeSet {
  reason: string;
}

/** Finds the commit where the current change left its base; before the first commit, the empty tree. */
export async function findBranchPoint(
  repository: ProjectRepository,
  named?: string,
): Promise<BranchPoint | NoChangeSet> {
  const { head } = repository;
  if (head === undefined) {
    const tree = await repository.read('hash-object', ['-t', 'tree', '--stdin']);
    return { base: 'the empty tree: there is no commit yet', commit: tree.trim() };
  }
  const base = named === undefined ? await resolveDefaultBase(repository) : await resolveNamedBase(repository, named);
  if ('reason' in base) return base;
  if (base.commit === head) return base;
  const { code, stdout } = await repository.git('merge-base', [base.commit, head]);
  if (code === 0) return { base: base.base, commit: stdout.toString('utf8').trim().split('\n')[0] ?? '' };
  const fix = repository.shallow
    ? 'this clone is shallow: fetch its history with "git fetch --unshallow"'
    : 'they share no history: name another base in .caws/policy.yaml';
  return { reason: `no common commit of HEAD and ${quote(base.base)}; ${fix}` };
}

async function resolveNamedBase(repository: ProjectRepository, name: string): Promise<BranchPoint | NoChangeSet> {
  const commit = await resolveCommit(repository, name);
  if (commit !== undefined) return { base: name, commit };
  return { reason: `the base ${quote(name)} of .caws/policy.yaml is not a branch, tag or commit of this repository` };
}

/** The main branch; the only branch of a repository is its own base. */
async function resolveDefaultBase({
  mainBranches,
  branch,
  head,
  read,
}: ProjectRepository): Promise<BranchPoint | NoChangeSet> {
  for (const [base, commit] of mainBranches) return { base, commit };
  const branches = await read('for-each-ref', ['--count=2', '--format=%(refname)', 'refs/heads', 'refs/remotes']);
  const alone = branches.trim().split('\n').length === 1;
  // A checkout of one commit, as CI systems make it: there is nothing else to compare with.
  if (head !== undefined && branches.trim() === '') return { base: 'HEAD: there is no branch', commit: head };
  if (branch !== undefined && head !== undefined && alone) return { base: branch, commit: head };
  return { reason: 'no main branch to compare with (origin/HEAD, main, master): name it as base in .caws/policy.yaml' };
}
