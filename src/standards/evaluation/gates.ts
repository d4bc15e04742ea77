import { isCodeFile } from '../evidence/code-files.ts';
import type { NoChangeSet } from '../git/branch-point.ts';
import type { ChangeSet, FileChange } from '../git/change-set.ts';
import type { ComparedChange } from '../integrity/compare-change.ts';
import { pluralize } from '../pluralize.ts';
import type { Governance } from '../spec/governance.ts';
import { type Budget, computeBudget, type GateName, policyFile } from '../spec/policy.ts';
import { quoteIfUnsafe } from '../spec/project-file.ts';
import { createScopeMatcher } from '../spec/scope.ts';
import { formatProblem } from '../spec/spec-problems.ts';
import { waiversInForce } from '../spec/waivers.ts';
import type { WorkingSpec } from '../spec/working-spec.ts';
import { requireAttestation } from './attestation-rule.ts';
import { type Criterion, type GateMeasurement, judgeGate } from './criterion.ts';
import {
  measureAcceptanceGate,
  measureCoverageGate,
  measureMutationGate,
  measurePatchGate,
  measureTestGate,
} from './evidence-gates.ts';
import type { ProjectEvidence } from './project-evidence.ts';
import { measureWeakeningGate } from './weakening-gate.ts';

const MAX_DETAILS = 20;

/** Measures and judges every gate of the policy. */
export function evaluateGates(
  governance: Governance,
  compared: ComparedChange,
  evidence: ProjectEvidence,
): Criterion[] {
  const { spec } = compared;
  const { policy } = governance.policy;
  const rules = policy.tiers[spec.risk_tier];
  const needsNoEvidence = (spec.mode === 'doc' || spec.mode === 'chore') && !evidence.codeChanged;
  const unlessNotNeeded = (measured: GateMeasurement): GateMeasurement =>
    needsNoEvidence ? notApplicable(spec.mode) : requireAttestation(measured, policy.unattested);
  const measured: [GateName, GateMeasurement][] = [
    ['spec_completeness', measureSpecGate(governance)],
    ['budget_limit', measureBudgetGate(evidence.changes, budgetWithWaivers(governance, spec))],
    ['scope_boundary', measureScopeGate(evidence.changes, spec, policy.ungoverned)],
    ['test_results', unlessNotNeeded(measureTestGate(evidence.tests))],
    ['acceptance_criteria', unlessNotNeeded(measureAcceptanceGate(spec, evidence))],
    ['coverage_threshold', unlessNotNeeded(measureCoverageGate(evidence.coverage, rules.coverage_threshold))],
    ['patch_coverage', unlessNotNeeded(measurePatchGate(evidence.coverage, rules.coverage_threshold))],
    ['mutation_threshold', unlessNotNeeded(measureMutationGate(evidence.mutation, rules.mutation_threshold))],
    [
      'contract_compliance',
      needsNoEvidence ? notApplicable(spec.mode) : measureContractGate(evidence, rules.contracts_required),
    ],
    ['security_scan', measureSecretGate(evidence)],
    ['todo_detection', measureStubGate(evidence)],
    ['provenance_chain', measureChainGate(evidence)],
    ['weakening_check', measureWeakeningGate(compared)],
  ];
  const judgeOptions = { policy, tier: spec.risk_tier, waivers: governance.waivers };
  return measured.flatMap(([id, measurement]) => judgeGate(id, measurement, judgeOptions) ?? []);
}

/** The budget, extended by waivers in force. */
export function budgetWithWaivers({ policy, waivers }: Governance, spec: WorkingSpec): Budget {
  const deltas = waiversInForce(waivers, 'budget_limit').map(({ waiver }) => waiver.delta);
  return computeBudget(policy.policy, spec, {
    files: deltas.reduce((sum, delta) => sum + (delta?.max_files ?? 0), 0),
    lines: deltas.reduce((sum, delta) => sum + (delta?.max_loc ?? 0), 0),
  });
}

/** The part of a change that counts against the budget: everything outside of `.caws/`. */
export function countChange({ files }: ChangeSet): { files: FileChange[]; lines: number } {
  const counted = files.filter(({ path }) => !path.startsWith('.caws/'));
  return { files: counted, lines: counted.reduce((sum, { added, removed }) => sum + added + removed, 0) };
}

function notApplicable(mode: string): GateMeasurement {
  const feedback = `Mode ${mode}, and no code is part of the change`;
  return { status: 'not_applicable', score: 0, actual: null, threshold: null, unit: '', feedback };
}

function measureSpecGate({ problems, loaded }: Governance): GateMeasurement {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const warnings = problems.length - errors.length;
  return {
    status: errors.length === 0 ? 'passed' : 'failed',
    score: errors.length === 0 ? Math.max(0.5, 1 - warnings / 10) : 0,
    actual: errors.length,
    threshold: 0,
    unit: 'errors',
    feedback:
      errors.length === 0
        ? `${loaded.file} is valid${warnings > 0 ? `, with ${pluralize(warnings, 'warning')}` : ''}`
        : pluralize(errors.length, 'error'),
    details: problems.slice(0, MAX_DETAILS).map(formatProblem),
    ...(errors[0] && { action: `Fix ${formatProblem(errors[0])}` }),
  };
}

function unknownMeasurement(reason: string, threshold: number | null, unit: string, action: string): GateMeasurement {
  return { status: 'unknown', score: 0, actual: null, threshold, unit, feedback: `Not known: ${reason}`, action };
}

function measureBudgetGate(changes: ChangeSet | NoChangeSet, { files, lines, from }: Budget): GateMeasurement {
  const unit = '% of the budget';
  if ('reason' in changes)
    return unknownMeasurement(changes.reason, 100, unit, `Make the change countable: ${changes.reason}`);
  const counted = countChange(changes);
  const used = Math.max(counted.files.length / files, counted.lines / lines) * 100;
  const largest = [...counted.files].sort((a, b) => b.added + b.removed - a.added - a.removed).slice(0, 5);
  const usage = `${counted.files.length} of ${files} files (${from.files}), ${counted.lines} of ${lines} lines (${from.lines}), since ${changes.base}`;
  return {
    status: used <= 100 ? 'passed' : 'failed',
    score: used <= 100 ? 1 : 100 / used,
    actual: Math.ceil(used * 10 - 1e-6) / 10,
    threshold: 100,
    unit,
    feedback: usage,
    details:
      used <= 100
        ? []
        : largest.map(
            ({ path, added, removed, estimated }) =>
              `${quoteIfUnsafe(path)}: +${added} -${removed}${estimated ? ' (too large to compare)' : ''}`,
          ),
    ...(used > 100 && {
      action: `Split the change: it takes ${usage}; the largest is ${quoteIfUnsafe(largest[0]?.path ?? '')}`,
    }),
  };
}

function measureScopeGate(
  changes: ChangeSet | NoChangeSet,
  spec: WorkingSpec,
  ungoverned: readonly string[],
): GateMeasurement {
  const unit = 'files outside of the scope';
  if ('reason' in changes)
    return unknownMeasurement(changes.reason, 0, unit, `Make the change comparable: ${changes.reason}`);
  const answer = createScopeMatcher(spec.scope, ungoverned);
  const outside = changes.files
    .flatMap(({ path, from }) => [path, ...(from === undefined ? [] : [from])])
    .map((path) => ({ path, answer: answer(path) }))
    .filter(({ answer: where }) => where !== 'in');
  const lines = outside.map(
    ({ path, answer: where }) =>
      `${quoteIfUnsafe(path)}: ${where === 'out' ? 'excluded by scope.out' : 'not in scope.in'}; undo or unstage it, or ${where === 'out' ? 'change scope.out' : 'add it to scope.in'}`,
  );
  const passed = outside.length === 0;
  return {
    status: passed ? 'passed' : 'failed',
    score: passed ? 1 : Math.max(0, 1 - outside.length / Math.max(1, changes.files.length)),
    actual: outside.length,
    threshold: 0,
    unit,
    feedback: passed
      ? `${describeInScope(changes.files.length)}${policyChangeNote(changes)}`
      : `Out of scope: ${outside.length} of ${pluralize(changes.files.length, 'changed file')}`,
    details: lines.slice(0, MAX_DETAILS),
    ...(!passed && {
      action: `Undo the changes out of scope, or widen the spec: ${outside
        .slice(0, 5)
        .map(({ path }) => quoteIfUnsafe(path))
        .join(', ')}`,
    }),
  };
}

function describeInScope(files: number): string {
  if (files === 0) return 'Nothing changed';
  return files === 1 ? 'The changed file is in scope' : `All ${files} changed files are in scope`;
}

/** A change of the rules together with the code needs a review. */
function policyChangeNote({ files }: ChangeSet): string {
  const changed = files.some(({ path }) => path === policyFile) && files.some(({ path }) => isCodeFile(path));
  return changed ? `; ${policyFile} changed together with the code: review it` : '';
}

function measureContractGate({ contracts: found }: ProjectEvidence, required: boolean): GateMeasurement {
  const unit = 'contracts that can be read';
  if (found.length === 0) {
    if (!required)
      return {
        status: 'not_applicable',
        score: 0,
        actual: 0,
        threshold: 0,
        unit,
        feedback: 'None declared, and none required in this tier',
      };
    return {
      status: 'failed',
      score: 0,
      actual: 0,
      threshold: 1,
      unit,
      feedback: 'None declared',
      action: 'Declare the contracts of this change in the spec',
    };
  }
  const bad = found.flatMap(({ path, problem }) => (problem ? [`${quoteIfUnsafe(path)}: ${problem}`] : []));
  const good = found.length - bad.length;
  return {
    status: bad.length === 0 ? 'passed' : 'failed',
    score: good / found.length,
    actual: good,
    threshold: found.length,
    unit,
    feedback:
      bad.length === 0
        ? found
            .map(({ path, type, definitions }) => `${path} (${type}, ${pluralize(definitions, 'definition')})`)
            .join(', ')
        : `${bad.length} of ${found.length} cannot be read`,
    details: bad,
    evidence: found.flatMap(({ source }) => source ?? []),
    ...(bad[0] && { action: `Fix the contract ${bad[0]}` }),
  };
}

function measureSecretGate({ suspiciousLines, changes }: ProjectEvidence): GateMeasurement {
  const unit = 'lines that look like secrets';
  if (!suspiciousLines)
    return unknownMeasurement(
      'reason' in changes ? changes.reason : 'the changed lines',
      0,
      unit,
      'Make the change comparable, so that it can be searched for secrets',
    );
  const found = suspiciousLines
    .filter(({ kind }) => kind === 'secret')
    .map(({ path, line, what }) => `${quoteIfUnsafe(path)}:${line}: ${what}`);
  const passed = found.length === 0;
  return {
    status: passed ? 'passed' : 'failed',
    score: passed ? 1 : 0,
    actual: found.length,
    threshold: 0,
    unit,
    feedback: passed ? 'None on the changed lines' : `${found.length} on the changed lines`,
    details: found.slice(0, MAX_DETAILS),
    ...(!passed && { action: `Remove the secret and revoke it: ${found[0]}` }),
  };
}

function measureStubGate({ suspiciousLines, changes }: ProjectEvidence): GateMeasurement {
  const unit = 'stubs and skipped tests';
  if (!suspiciousLines)
    return unknownMeasurement(
      'reason' in changes ? changes.reason : 'the changed lines',
      0,
      unit,
      'Make the change comparable',
    );
  const found = suspiciousLines
    .filter(({ kind }) => kind !== 'secret')
    .map(({ path, line, what }) => `${quoteIfUnsafe(path)}:${line}: ${what}`);
  const passed = found.length === 0;
  return {
    status: passed ? 'passed' : 'failed',
    score: 1 / (1 + found.length),
    actual: found.length,
    threshold: 0,
    unit,
    feedback: passed ? 'None on the changed lines' : `${found.length} on the changed lines`,
    details: found.slice(0, MAX_DETAILS),
    ...(!passed && { action: `Finish the stubs and skipped tests: ${found.slice(0, 3).join('; ')}` }),
  };
}

function measureChainGate({ chain }: ProjectEvidence): GateMeasurement {
  const unit = 'problems of the chain';
  if (!chain)
    return {
      status: 'not_applicable',
      score: 0,
      actual: null,
      threshold: 0,
      unit,
      feedback: 'The project has no chain',
    };
  const { entries, problems } = chain;
  const passed = problems.length === 0;
  return {
    status: passed ? 'passed' : 'failed',
    score: passed ? 1 : 0,
    actual: problems.length,
    threshold: 0,
    unit,
    feedback: passed
      ? `The chain is intact: ${pluralize(entries, 'entry', 'entries')}`
      : pluralize(problems.length, 'problem'),
    details: problems.slice(0, MAX_DETAILS),
    ...(!passed && { action: `Run caws_provenance verify: ${problems[0]}` }),
  };
}
