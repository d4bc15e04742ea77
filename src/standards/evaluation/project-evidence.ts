import { Failure } from '../../platform/errors.ts';
import { type CriterionEvidence, matchAcceptanceEvidence } from '../evidence/acceptance-evidence.ts';
import { type ChainEvidence, readChainEvidence } from '../evidence/chain-evidence.ts';
import { isCodeFile, isSourceFile } from '../evidence/code-files.ts';
import { type ContractEvidence, readContractEvidence } from '../evidence/contract-evidence.ts';
import { type CoverageEvidence, readCoverageEvidence } from '../evidence/coverage-evidence.ts';
import { readSourceClock } from '../evidence/freshness.ts';
import { type MutationEvidence, readMutationEvidence } from '../evidence/mutation-evidence.ts';
import { findEvidenceReports } from '../evidence/report-files.ts';
import { findSuspiciousLines, type SuspiciousLine } from '../evidence/suspicious-lines.ts';
import { readTestEvidence, type TestEvidence } from '../evidence/test-evidence.ts';
import type { NoChangeSet } from '../git/branch-point.ts';
import { type ChangeSet, readChangeSet } from '../git/change-set.ts';
import { readChangedLines } from '../git/changed-lines.ts';
import { listProjectFiles, type ProjectFileList } from '../git/file-list.ts';
import type { Policy } from '../spec/policy.ts';
import type { GovernedProject } from '../spec/project.ts';
import type { WorkingSpec } from '../spec/working-spec.ts';

/** Everything measured of a project, collected once for all gates. */
export interface ProjectEvidence {
  changes: ChangeSet | NoChangeSet;
  tests: TestEvidence;
  acceptance: CriterionEvidence[] | undefined;
  coverage: CoverageEvidence;
  mutation: MutationEvidence;
  contracts: ContractEvidence[];
  /** Undefined if the changed lines are unknown. */
  suspiciousLines: SuspiciousLine[] | undefined;
  chain: ChainEvidence | undefined;
  /** Whether the change contains code; true if unknown. */
  codeChanged: boolean;
}

export async function collectEvidence(
  { root, repository }: GovernedProject,
  spec: WorkingSpec,
  policy: Policy,
  { nowMs, signal }: { nowMs: number; signal: AbortSignal },
): Promise<ProjectEvidence> {
  const listing = repository && listProjectFiles(repository, root);
  const [all, clock, reports, contracts, chain] = await Promise.all([
    readChanges({ root, repository }, policy, listing),
    readSourceClock(root, listing, signal),
    findEvidenceReports(root, policy.reports, signal),
    readContractEvidence(root, spec.contracts, nowMs),
    readChainEvidence(root),
  ]);
  const changes = excludeReports(all, reports);
  const readingContext = { root, clock, nowMs, signal };
  const changed =
    repository && 'files' in changes
      ? readChangedLines(repository, root, changes, ({ binary }) => !binary)
      : Promise.resolve(undefined);
  const [tests, coverage, mutation, suspiciousLines] = await Promise.all([
    readTestEvidence(reports, readingContext),
    readCoverageEvidence(reports, {
      ...readingContext,
      changedLines: async () => (await changed)?.filter(({ path }) => isSourceFile(path)),
    }),
    readMutationEvidence(reports, readingContext),
    changed.then((lines) => lines && findSuspiciousLines(root, lines, signal)),
  ]);
  return {
    changes,
    tests,
    acceptance: tests.cases && matchAcceptanceEvidence(spec.id, spec.acceptance, tests.cases),
    coverage,
    mutation,
    contracts,
    suspiciousLines,
    chain,
    codeChanged: !('files' in changes) || changes.files.some(({ path }) => isCodeFile(path)),
  };
}

/** An untracked report is evidence of the change, not part of it. */
function excludeReports(
  changes: ChangeSet | NoChangeSet,
  reports: readonly { path: string }[],
): ChangeSet | NoChangeSet {
  if ('reason' in changes) return changes;
  const evidence = new Set(reports.map(({ path }) => path));
  const files = changes.files.filter(({ path, kind }) => kind !== 'untracked' || !evidence.has(path));
  return { ...changes, files, added: files.reduce((sum, { added }) => sum + added, 0) };
}

export async function readChanges(
  { root, repository }: GovernedProject,
  { base }: Policy,
  listing?: Promise<ProjectFileList>,
): Promise<ChangeSet | NoChangeSet> {
  if (!repository) return { reason: 'not a git repository: run "git init" and commit' };
  try {
    return await readChangeSet(repository, root, base, listing);
  } catch (error) {
    if (error instanceof Failure && error.code === 'GIT_FAILED') return { reason: error.message };
    throw error;
  }
}
