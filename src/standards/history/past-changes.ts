import type { GovernedProject } from '../spec/project.ts';
import { createPathMatcher } from '../spec/scope.ts';
import type { WorkingSpec } from '../spec/working-spec.ts';
import { type LoggedCommit, readGitLog } from './git-log.ts';

/** A change on the first-parent history: a commit, or all commits of a merge. */
export interface PastChange {
  id: string;
  subject: string;
  message: string;
  date: string;
  paths: string[];
  lines: number;
  kind: WorkingSpec['mode'] | undefined;
}

const MAX_CHANGES = 2000;
const modeByCommitType: Record<string, WorkingSpec['mode']> = {
  feat: 'feature',
  feature: 'feature',
  fix: 'fix',
  hotfix: 'fix',
  perf: 'refactor',
  refactor: 'refactor',
  docs: 'doc',
  doc: 'doc',
  chore: 'chore',
  build: 'chore',
  ci: 'chore',
  style: 'chore',
};

/** Reads the latest changes, newest first, without those that only touch `.caws`. */
export async function readPastChanges({ repository, root }: GovernedProject): Promise<PastChange[]> {
  if (repository?.head === undefined) return [];
  const choice = [
    '--first-parent',
    '--diff-merges=first-parent',
    `--max-count=${MAX_CHANGES}`,
    '--numstat',
    '--relative',
    'HEAD',
    '--',
    '.',
  ];
  const isCawsFile = createPathMatcher(['.caws']);
  return (await readGitLog(repository, choice, root))
    .map((commit) => ({ ...commit, files: commit.files.filter(({ path }) => !isCawsFile(path)) }))
    .filter(({ files }) => files.length > 0)
    .map(toPastChange);
}

function toPastChange({ id, subject, message, committer, files }: LoggedCommit): PastChange {
  const type = /^(\w+)(?:\([^)]*\))?!?:/.exec(subject)?.[1]?.toLowerCase() ?? '';
  return {
    id,
    subject,
    message,
    date: committer.date,
    paths: files.map(({ path }) => path),
    lines: files.reduce((sum, { added, removed }) => sum + added + removed, 0),
    kind: Object.hasOwn(modeByCommitType, type) ? modeByCommitType[type] : undefined,
  };
}
