import type { EvidenceKeys } from '../attestation/evidence-keys.ts';
import { listProjectFiles } from '../git/file-list.ts';
import { readBaseRules } from '../integrity/base-rules.ts';
import { type ComparedChange, compareChange } from '../integrity/compare-change.ts';
import { choosePolicy } from '../integrity/effective-rules.ts';
import type { Weakening } from '../integrity/weakening.ts';
import { pluralize } from '../pluralize.ts';
import { type Governance, loadGovernance } from '../spec/governance.ts';
import type { GovernedProject } from '../spec/project.ts';
import { formatProblem } from '../spec/spec-problems.ts';
import type { RiskTier, WorkingSpec } from '../spec/working-spec.ts';
import type { SpecProblem } from '../spec/yaml-source.ts';
import { SourceParser } from '../testcode/grammars.ts';
import { type Criterion, computeQualityScore, sortByUrgency, unknownShare } from './criterion.ts';
import { evaluateGates } from './gates.ts';
import { collectEvidence, type ProjectEvidence, readChanges } from './project-evidence.ts';

type OverallStatus = 'quality_passed' | 'quality_failed' | 'spec_invalid';

export interface Evaluation {
  overall_status: OverallStatus;
  quality_score: number;
  message: string;
  criteria: Criterion[];
  next_actions: string[];
  spec: { id: string; title: string; tier: RiskTier; mode: string; file: string; sha256: string } | undefined;
  problems: SpecProblem[];
  /** What the change makes laxer, most serious first. */
  weakenings: Weakening[];
}

/** A code change does not pass if more than this share of the weights is unknown, in any tier. */
const MAX_UNKNOWN_SHARE = 0.5;

/** An evaluation with its inputs. */
export interface ProjectEvaluation {
  evaluation: Evaluation;
  governance: Governance;
  /** Undefined if the spec is invalid and nothing was measured. */
  measured: { spec: WorkingSpec; evidence: ProjectEvidence } | undefined;
}

export interface EvaluationOptions {
  nowMs: number;
  signal: AbortSignal;
  /** Keeps the grammars between calls; default: one for this evaluation. */
  parser?: SourceParser | undefined;
  /** With which recorded test runs are verified; without them every report is unattested. */
  keys?: EvidenceKeys | undefined;
}

/** Evaluates the current change against its spec. */
export async function evaluateProject(
  project: GovernedProject,
  specFile: string,
  when: EvaluationOptions,
): Promise<ProjectEvaluation> {
  const governance = await loadGovernance(project.root, specFile, when.nowMs);
  const { spec } = governance.loaded;
  if (!spec || governance.problems.some(({ severity }) => severity === 'error')) {
    return { evaluation: invalidSpecEvaluation(governance), governance, measured: undefined };
  }
  const context = { ...when, parser: when.parser ?? new SourceParser() };
  const { compared, changes, listing } = await compareWithBase(project, governance, spec, context);
  const effective = applyRules(governance, compared);
  const found = { changes, listing };
  const evidence = await collectEvidence(project, compared.spec, compared.policy, found, context);
  const criteria = evaluateGates(effective, compared, evidence);
  const isTooLittleKnown = evidence.codeChanged && unknownShare(criteria) > MAX_UNKNOWN_SHARE;
  const judged = isTooLittleKnown ? criteria.map(blockIfUnknown(effective)) : criteria;
  const evaluation = buildEvaluation(effective, compared, judged, isTooLittleKnown);
  return { evaluation, governance: effective, measured: { spec: compared.spec, evidence } };
}

/** Reads the rules at the base, with which the change is found, and compares the change with them. */
async function compareWithBase(
  project: GovernedProject,
  governance: Governance,
  spec: WorkingSpec,
  { nowMs, signal, parser }: Pick<EvaluationOptions, 'nowMs' | 'signal'> & { parser: SourceParser },
) {
  const { root, repository } = project;
  const own = governance.policy.policy;
  const listing = repository && listProjectFiles(repository, root);
  const base = await readBaseRules(project, governance.loaded.file, own.base);
  const changes = await readChanges(project, choosePolicy(base, own), listing);
  const hidden = (await listing)?.hidden ?? [];
  const compared = await compareChange(project, governance, spec, { base, changes, hidden, parser, nowMs, signal });
  return { compared, changes, listing };
}

/** The rules of the change, replaced by those that apply. */
function applyRules(governance: Governance, { policy, waivers }: ComparedChange): Governance {
  return { ...governance, policy: { ...governance.policy, policy }, waivers };
}

function buildEvaluation(
  { loaded, problems }: Governance,
  { spec, weakenings }: ComparedChange,
  criteria: Criterion[],
  tooLittle: boolean,
): Evaluation {
  const blocking = criteria.filter((criterion) => criterion.blocking);
  return {
    overall_status: blocking.length === 0 ? 'quality_passed' : 'quality_failed',
    quality_score: computeQualityScore(criteria),
    message: formatEvaluationMessage(criteria, blocking, tooLittle),
    criteria,
    next_actions: sortByUrgency(criteria).flatMap(({ action }) => action ?? []),
    spec: summarizeSpec(spec, loaded),
    problems,
    weakenings: sortWeakenings(weakenings),
  };
}

/** Those without an approval first, then approved ones, then notes. */
function sortWeakenings(weakenings: readonly Weakening[]): Weakening[] {
  const rank = ({ severity, approvedBy }: Weakening) => (severity === 'note' ? 2 : approvedBy === undefined ? 0 : 1);
  return [...weakenings].sort((a, b) => rank(a) - rank(b));
}

/** Makes an unknown criterion blocking, if the policy allows it to block; its feedback says why. */
const blockIfUnknown =
  ({ policy }: Governance) =>
  (criterion: Criterion): Criterion =>
    criterion.status === 'unknown' && !criterion.blocking && policy.policy.gates[criterion.id] === 'block'
      ? { ...criterion, blocking: true, feedback: `${criterion.feedback} (blocks, since most is not known)` }
      : criterion;

/** The gates without evidence; waived gates are not included. */
export function listUnknownGates(criteria: readonly Criterion[]): Criterion['id'][] {
  return criteria.filter(({ status }) => status === 'unknown').map(({ id }) => id);
}

function formatEvaluationMessage(
  criteria: readonly Criterion[],
  blocking: readonly Criterion[],
  tooLittle: boolean,
): string {
  const unknown = listUnknownGates(criteria);
  const failed = blocking.filter(({ status }) => status === 'failed').map(({ id }) => id);
  if (tooLittle) {
    return `Too little is known to pass, in any tier: ${unknown.join(', ')}${failed.length > 0 ? `; failed: ${failed.join(', ')}` : ''}`;
  }
  if (blocking.length > 0) {
    return `${blocking.length} of ${criteria.length} criteria block the change: ${blocking.map(({ id }) => id).join(', ')}`;
  }
  return unknown.length === 0
    ? 'Quality standards met'
    : `Quality standards met, as far as is known; not known: ${unknown.join(', ')}`;
}

function summarizeSpec(spec: WorkingSpec, { file, sha256 }: Governance['loaded']): Evaluation['spec'] {
  return { id: spec.id, title: spec.title, tier: spec.risk_tier, mode: spec.mode, file, sha256 };
}

function invalidSpecEvaluation({ problems }: Governance): Evaluation {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const lines = errors.map(formatProblem);
  const criterion: Criterion = {
    id: 'spec_completeness',
    name: 'Specification',
    status: 'failed',
    blocking: true,
    score: 0,
    weight: 1,
    actual: errors.length,
    threshold: 0,
    unit: 'errors',
    feedback: `${pluralize(errors.length, 'error')}; nothing else was measured`,
    details: lines,
    evidence: [],
  };
  return {
    overall_status: 'spec_invalid',
    quality_score: 0,
    message: `The working spec or its policy has ${pluralize(errors.length, 'error')}`,
    criteria: [criterion],
    next_actions: lines.map((line) => `Fix ${line}`),
    spec: undefined,
    problems,
    weakenings: [],
  };
}
