import { isCode } from '../evidence/code-files.ts';
import type { ChangeSet, FileChange, NoChangeSet } from '../git/change-set.ts';
import { howMany } from '../how-many.ts';
import type { Governance } from '../spec/governance.ts';
import { type Budget, budgetFor, type GateName, policyFile } from '../spec/policy.ts';
import { shown } from '../spec/project-file.ts';
import { scopeOf } from '../spec/scope.ts';
import { problemLine } from '../spec/spec-problems.ts';
import { inForce } from '../spec/waivers.ts';
import type { WorkingSpec } from '../spec/working-spec.ts';
import { type Criterion, judge, type Measurement } from './criterion.ts';
import { acceptance, coverage, mutation, patch, tests } from './evidence-gates.ts';
import type { Facts } from './facts.ts';

const SHOWN = 20;

/** Every gate of the policy, measured and judged. */
export function criteriaOf(governance: Governance, spec: WorkingSpec, facts: Facts): Criterion[] {
  const { policy } = governance.policy;
  const rules = policy.tiers[spec.risk_tier];
  const quiet = (spec.mode === 'doc' || spec.mode === 'chore') && !facts.codeChanged;
  const unlessQuiet = (measured: Measurement): Measurement => (quiet ? notNeeded(spec.mode) : measured);
  const measured: [GateName, Measurement][] = [
    ['spec_completeness', specification(governance)],
    ['budget_limit', budget(facts.changes, budgetOf(governance, spec))],
    ['scope_boundary', scope(facts.changes, spec, policy.ungoverned)],
    ['test_results', unlessQuiet(tests(facts.tests))],
    ['acceptance_criteria', unlessQuiet(acceptance(spec, facts))],
    ['coverage_threshold', unlessQuiet(coverage(facts.coverage, rules.coverage_threshold))],
    ['patch_coverage', unlessQuiet(patch(facts.coverage, rules.coverage_threshold))],
    ['mutation_threshold', unlessQuiet(mutation(facts.mutation, rules.mutation_threshold))],
    ['contract_compliance', unlessQuiet(contracts(facts, rules.contracts_required))],
    ['security_scan', secrets(facts)],
    ['todo_detection', loose(facts)],
    ['provenance_chain', provenance(facts)],
  ];
  const judging = { policy, tier: spec.risk_tier, waivers: governance.waivers };
  return measured.flatMap(([id, measurement]) => judge(id, measurement, judging) ?? []);
}

/** The budget with what waivers add to it. */
export function budgetOf({ policy, waivers }: Governance, spec: WorkingSpec): Budget {
  const deltas = inForce(waivers, 'budget_limit').map(({ waiver }) => waiver.delta);
  return budgetFor(policy.policy, spec, {
    files: deltas.reduce((sum, delta) => sum + (delta?.max_files ?? 0), 0),
    lines: deltas.reduce((sum, delta) => sum + (delta?.max_loc ?? 0), 0),
  });
}

/** What counts against a budget: not the files by which the work is governed. */
export function countedChange({ files }: ChangeSet): { files: FileChange[]; lines: number } {
  const counted = files.filter(({ path }) => !path.startsWith('.caws/'));
  return { files: counted, lines: counted.reduce((sum, { added, removed }) => sum + added + removed, 0) };
}

function notNeeded(mode: string): Measurement {
  const feedback = `Mode ${mode}, and no code is part of the change`;
  return { status: 'not_applicable', score: 0, actual: null, threshold: null, unit: '', feedback };
}

function specification({ problems, loaded }: Governance): Measurement {
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
        ? `${loaded.file} is valid${warnings > 0 ? `, with ${howMany(warnings, 'warning')}` : ''}`
        : howMany(errors.length, 'error'),
    details: problems.slice(0, SHOWN).map(problemLine),
    ...(errors[0] && { action: `Mend ${problemLine(errors[0])}` }),
  };
}

function unmeasured(reason: string, threshold: number | null, unit: string, action: string): Measurement {
  return { status: 'unknown', score: 0, actual: null, threshold, unit, feedback: `Not known: ${reason}`, action };
}

function budget(changes: ChangeSet | NoChangeSet, { files, lines, from }: Budget): Measurement {
  const unit = '% of the budget';
  if ('reason' in changes) return unmeasured(changes.reason, 100, unit, `Let the change be counted: ${changes.reason}`);
  const counted = countedChange(changes);
  const used = Math.max(counted.files.length / files, counted.lines / lines) * 100;
  const largest = [...counted.files].sort((a, b) => b.added + b.removed - a.added - a.removed).slice(0, 5);
  const said = `${counted.files.length} of ${files} files (${from.files}), ${counted.lines} of ${lines} lines (${from.lines}), since ${changes.base}`;
  return {
    status: used <= 100 ? 'passed' : 'failed',
    score: used <= 100 ? 1 : 100 / used,
    actual: Math.ceil(used * 10 - 1e-6) / 10,
    threshold: 100,
    unit,
    feedback: said,
    details:
      used <= 100
        ? []
        : largest.map(
            ({ path, added, removed, estimated }) =>
              `${shown(path)}: +${added} -${removed}${estimated ? ' (too large to compare)' : ''}`,
          ),
    ...(used > 100 && {
      action: `Split the change: it takes ${said}; the largest is ${shown(largest[0]?.path ?? '')}`,
    }),
  };
}

function scope(changes: ChangeSet | NoChangeSet, spec: WorkingSpec, ungoverned: readonly string[]): Measurement {
  const unit = 'files outside of the scope';
  if ('reason' in changes) return unmeasured(changes.reason, 0, unit, `Let the change be compared: ${changes.reason}`);
  const answer = scopeOf(spec.scope, ungoverned);
  const outside = changes.files
    .flatMap(({ path, from }) => [path, ...(from === undefined ? [] : [from])])
    .map((path) => ({ path, answer: answer(path) }))
    .filter(({ answer: where }) => where !== 'in');
  const lines = outside.map(
    ({ path, answer: where }) =>
      `${shown(path)}: ${where === 'out' ? 'taken out by scope.out' : 'not in scope.in'}; undo or unstage it, or ${where === 'out' ? 'change scope.out' : 'add it to scope.in'}`,
  );
  const passed = outside.length === 0;
  return {
    status: passed ? 'passed' : 'failed',
    score: passed ? 1 : Math.max(0, 1 - outside.length / Math.max(1, changes.files.length)),
    actual: outside.length,
    threshold: 0,
    unit,
    feedback: passed
      ? `${inScope(changes.files.length)}${policyToo(changes)}`
      : `Out of scope: ${outside.length} of ${howMany(changes.files.length, 'changed file')}`,
    details: lines.slice(0, SHOWN),
    ...(!passed && {
      action: `Take back the changes out of scope, or widen the spec: ${outside
        .slice(0, 5)
        .map(({ path }) => shown(path))
        .join(', ')}`,
    }),
  };
}

function inScope(files: number): string {
  if (files === 0) return 'Nothing changed';
  return files === 1 ? 'The changed file is in scope' : `All ${files} changed files are in scope`;
}

/** Whoever changes the rules along with the work should be seen to. */
function policyToo({ files }: ChangeSet): string {
  const changed = files.some(({ path }) => path === policyFile) && files.some(({ path }) => isCode(path));
  return changed ? `; ${policyFile} changed along with the code: have it looked at` : '';
}

function contracts({ contracts: found }: Facts, required: boolean): Measurement {
  const unit = 'contracts that can be read';
  if (found.length === 0) {
    if (!required)
      return {
        status: 'not_applicable',
        score: 0,
        actual: 0,
        threshold: 0,
        unit,
        feedback: 'None declared, and none needed in this tier',
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
  const bad = found.flatMap(({ path, problem }) => (problem ? [`${shown(path)}: ${problem}`] : []));
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
            .map(({ path, type, definitions }) => `${path} (${type}, ${howMany(definitions, 'definition')})`)
            .join(', ')
        : `${bad.length} of ${found.length} cannot be read`,
    details: bad,
    evidence: found.flatMap(({ source }) => source ?? []),
    ...(bad[0] && { action: `Mend the contract ${bad[0]}` }),
  };
}

function secrets({ signs, changes }: Facts): Measurement {
  const unit = 'lines that look like secrets';
  if (!signs)
    return unmeasured(
      'reason' in changes ? changes.reason : 'the changed lines',
      0,
      unit,
      'Let the change be compared, so that it can be searched for secrets',
    );
  const found = signs
    .filter(({ kind }) => kind === 'secret')
    .map(({ path, line, what }) => `${shown(path)}:${line}: ${what}`);
  const passed = found.length === 0;
  return {
    status: passed ? 'passed' : 'failed',
    score: passed ? 1 : 0,
    actual: found.length,
    threshold: 0,
    unit,
    feedback: passed ? 'None on the changed lines' : `${found.length} on the changed lines`,
    details: found.slice(0, SHOWN),
    ...(!passed && { action: `Take the secret out and revoke it: ${found[0]}` }),
  };
}

function loose({ signs, changes }: Facts): Measurement {
  const unit = 'stubs and skipped tests';
  if (!signs)
    return unmeasured(
      'reason' in changes ? changes.reason : 'the changed lines',
      0,
      unit,
      'Let the change be compared',
    );
  const found = signs
    .filter(({ kind }) => kind !== 'secret')
    .map(({ path, line, what }) => `${shown(path)}:${line}: ${what}`);
  const passed = found.length === 0;
  return {
    status: passed ? 'passed' : 'failed',
    score: 1 / (1 + found.length),
    actual: found.length,
    threshold: 0,
    unit,
    feedback: passed ? 'None on the changed lines' : `${found.length} on the changed lines`,
    details: found.slice(0, SHOWN),
    ...(!passed && { action: `Finish what is left open: ${found.slice(0, 3).join('; ')}` }),
  };
}

function provenance({ chain }: Facts): Measurement {
  const unit = 'faults of the chain';
  if (!chain)
    return { status: 'not_applicable', score: 0, actual: null, threshold: 0, unit, feedback: 'No chain is kept here' };
  const { entries, faults } = chain;
  const passed = faults.length === 0;
  return {
    status: passed ? 'passed' : 'failed',
    score: passed ? 1 : 0,
    actual: faults.length,
    threshold: 0,
    unit,
    feedback: passed
      ? `The chain holds together: ${howMany(entries, 'entry', 'entries')}`
      : howMany(faults.length, 'fault'),
    details: faults.slice(0, SHOWN),
    ...(!passed && { action: `See caws_provenance verify: ${faults[0]}` }),
  };
}
