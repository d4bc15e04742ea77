import { Failure } from '../../platform/errors.ts';
import type { EvidenceKeys } from '../attestation/evidence-keys.ts';
import { type EvidenceOrigin, judgeReports } from '../attestation/judge-reports.ts';
import { type CriterionEvidence, matchAcceptanceEvidence } from '../evidence/acceptance-evidence.ts';
import { type ChainEvidence, readChainEvidence } from '../evidence/chain-evidence.ts';
import { isCodeFile, isSourceFile } from '../evidence/code-files.ts';
import { type ContractEvidence, readContractEvidence } from '../evidence/contract-evidence.ts';
import { type CoverageEvidence, readCoverageEvidence } from '../evidence/coverage-evidence.ts';
import { checkCriterionTests } from '../evidence/criterion-tests.ts';
import type { EvidenceSource } from '../evidence/evidence-source.ts';
import { readSourceClock } from '../evidence/freshness.ts';
import { type MutationEvidence, readMutationEvidence } from '../evidence/mutation-evidence.ts';
import { findEvidenceReports } from '../evidence/report-files.ts';
import { findSuspiciousLines, type SuspiciousLine } from '../evidence/suspicious-lines.ts';
import { readTestEvidence, type TestEvidence } from '../evidence/test-evidence.ts';
import type { NoChangeSet } from '../git/branch-point.ts';
import { type ChangeSet, readChangeSet } from '../git/change-set.ts';
import { readChangedLines } from '../git/changed-lines.ts';
import type { ProjectFileList } from '../git/file-list.ts';
import type { Policy } from '../spec/policy.ts';
import type { GovernedProject } from '../spec/project.ts';
import type { WorkingSpec } from '../spec/working-spec.ts';
import type { SourceParser } from '../testcode/grammars.ts';

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

interface EvidenceContext {
  nowMs: number;
  signal: AbortSignal;
  parser: SourceParser;
  keys?: EvidenceKeys | undefined;
}

export async function collectEvidence(
  { root, repository }: GovernedProject,
  spec: WorkingSpec,
  policy: Policy,
  { changes: all, listing }: { changes: ChangeSet | NoChangeSet; listing: Promise<ProjectFileList> | undefined },
  { nowMs, signal, parser, keys }: EvidenceContext,
): Promise<ProjectEvidence> {
  const [clock, reports, contracts, chain] = await Promise.all([
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
  const changedCode = 'files' in changes ? changes.files.map(({ path }) => path).filter(isCodeFile) : [];
  const [tests, coverage, mutation, suspiciousLines] = await Promise.all([
    readTestEvidence(reports, { ...readingContext, changed: changedCode }),
    readCoverageEvidence(reports, {
      ...readingContext,
      changedLines: async () => (await changed)?.filter(({ path }) => isSourceFile(path)),
    }),
    readMutationEvidence(reports, readingContext),
    changed.then((lines) => lines && findSuspiciousLines(root, lines, signal)),
  ]);
  const matched = tests.cases && matchAcceptanceEvidence(spec.id, spec.acceptance, tests.cases);
  const files = await listing;
  const origins = await judgeReports(root, reports, { listing: files, keys, signal });
  for (const { sources } of [tests, coverage, mutation]) for (const source of sources) addOrigin(source, origins);
  const paths = [...(files?.tracked ?? []), ...(files?.untracked ?? [])];
  const changedPaths = new Set('files' in changes ? changes.files.map(({ path }) => path) : []);
  return {
    changes,
    tests,
    acceptance:
      matched && files
        ? await checkCriterionTests(matched, { root, paths, changed: changedPaths, parser, signal })
        : matched,
    coverage,
    mutation,
    contracts,
    suspiciousLines,
    chain,
    codeChanged: !('files' in changes) || changes.files.some(({ path }) => isCodeFile(path)),
  };
}

function addOrigin(source: EvidenceSource, origins: ReadonlyMap<string, EvidenceOrigin>): void {
  const origin = origins.get(source.path);
  if (!origin) return;
  source.attested = origin.isAttested;
  source.assurance = origin.assurance;
  if (origin.reason !== undefined) source.unattested_because = origin.reason;
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
