import { Failure } from '../../platform/errors.ts';
import { acceptanceEvidence, type CriterionEvidence } from '../evidence/acceptance.ts';
import { type ChainEvidence, chainEvidence } from '../evidence/chain.ts';
import { isCode, isSource } from '../evidence/code-files.ts';
import { type ContractEvidence, contractEvidence } from '../evidence/contracts.ts';
import { type CoverageEvidence, coverageEvidence } from '../evidence/coverage.ts';
import { sourceClock } from '../evidence/freshness.ts';
import { type LineSign, lineSigns } from '../evidence/line-signs.ts';
import { type MutationEvidence, mutationEvidence } from '../evidence/mutation.ts';
import { findReports } from '../evidence/report-files.ts';
import { type TestEvidence, testEvidence } from '../evidence/tests.ts';
import { type ChangeSet, changeSetOf, type NoChangeSet } from '../git/change-set.ts';
import { changedLines } from '../git/changed-lines.ts';
import { type FileList, fileList } from '../git/file-list.ts';
import type { Policy } from '../spec/policy.ts';
import type { Project } from '../spec/project.ts';
import type { WorkingSpec } from '../spec/working-spec.ts';

/** Everything that is measured of a project, once, for all that judge by it. */
export interface Facts {
  changes: ChangeSet | NoChangeSet;
  tests: TestEvidence;
  acceptance: CriterionEvidence[] | undefined;
  coverage: CoverageEvidence;
  mutation: MutationEvidence;
  contracts: ContractEvidence[];
  /** Undefined where the changed lines are not known. */
  signs: LineSign[] | undefined;
  chain: ChainEvidence | undefined;
  /** Whether any code is part of the change; true where that is not known. */
  codeChanged: boolean;
}

export async function collectFacts(
  { root, repository }: Project,
  spec: WorkingSpec,
  policy: Policy,
  { nowMs, signal }: { nowMs: number; signal: AbortSignal },
): Promise<Facts> {
  const listing = repository && fileList(repository, root);
  const [all, clock, reports, contracts, chain] = await Promise.all([
    changesOf({ root, repository }, policy, listing),
    sourceClock(root, listing, signal),
    findReports(root, policy.reports, signal),
    contractEvidence(root, spec.contracts, nowMs),
    chainEvidence(root),
  ]);
  const changes = withoutReports(all, reports);
  const looking = { root, clock, nowMs, signal };
  const changed =
    repository && 'files' in changes
      ? changedLines(repository, root, changes, ({ binary }) => !binary)
      : Promise.resolve(undefined);
  const [tests, coverage, mutation, signs] = await Promise.all([
    testEvidence(reports, looking),
    coverageEvidence(reports, {
      ...looking,
      changedLines: async () => (await changed)?.filter(({ path }) => isSource(path)),
    }),
    mutationEvidence(reports, looking),
    changed.then((lines) => lines && lineSigns(root, lines, signal)),
  ]);
  return {
    changes,
    tests,
    acceptance: tests.cases && acceptanceEvidence(spec.id, spec.acceptance, tests.cases),
    coverage,
    mutation,
    contracts,
    signs,
    chain,
    codeChanged: !('files' in changes) || changes.files.some(({ path }) => isCode(path)),
  };
}

/** A report that git does not know is evidence of the change, no part of it. */
function withoutReports(
  changes: ChangeSet | NoChangeSet,
  reports: readonly { path: string }[],
): ChangeSet | NoChangeSet {
  if ('reason' in changes) return changes;
  const evidence = new Set(reports.map(({ path }) => path));
  const files = changes.files.filter(({ path, kind }) => kind !== 'untracked' || !evidence.has(path));
  return { ...changes, files, added: files.reduce((sum, { added }) => sum + added, 0) };
}

export async function changesOf(
  { root, repository }: Project,
  { base }: Policy,
  listing?: Promise<FileList>,
): Promise<ChangeSet | NoChangeSet> {
  if (!repository) return { reason: 'this is no git repository: run "git init", and commit' };
  try {
    return await changeSetOf(repository, root, base, listing);
  } catch (error) {
    if (error instanceof Failure && error.code === 'GIT_FAILED') return { reason: error.message };
    throw error;
  }
}
