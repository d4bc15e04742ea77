import { createScopeMatcher } from '../spec/scope.ts';
import type { AcceptanceCriterion, WorkingSpec } from '../spec/working-spec.ts';
import { createWeakening, type Weakening } from './weakening.ts';

type Criterion = AcceptanceCriterion;

const textOf = ({ given, when, then }: Criterion) =>
  [given, when, then].map((text) => text.toLowerCase().replace(/\W+/g, ' ').trim()).join('|');

/** Whether two specs are about the same work: by their id, or because they share most criteria. */
export function isSameWork(before: WorkingSpec, after: WorkingSpec): boolean {
  if (before.id === after.id) return true;
  const texts = new Set(after.acceptance.map(textOf));
  const shared = before.acceptance.filter((criterion) => texts.has(textOf(criterion))).length;
  return shared > 0 && shared * 2 >= Math.min(before.acceptance.length, after.acceptance.length);
}

/** Lists what a spec relaxes compared with the same spec at the base. `changed` are the files of the change. */
export function findSpecWeakenings(
  before: WorkingSpec,
  after: WorkingSpec,
  file: string,
  changed: readonly string[],
): Weakening[] {
  if (!isSameWork(before, after)) {
    const what = `${after.id} (tier ${after.risk_tier}, ${after.mode}) replaces ${before.id} (tier ${before.risk_tier}, ${before.mode}): its criteria, tier and scope come from this change`;
    return [createWeakening({ kind: 'spec_replaced', file, what, severity: 'note' })];
  }
  const add = (kind: Weakening['kind'], what: string) => createWeakening({ kind, file, what });
  const laxerMode = (mode: WorkingSpec['mode']) => mode === 'doc' || mode === 'chore';
  return [
    ...(after.risk_tier > before.risk_tier
      ? [add('tier_lowered', `risk_tier changes from ${before.risk_tier} to the laxer ${after.risk_tier}`)]
      : []),
    ...(laxerMode(after.mode) && !laxerMode(before.mode)
      ? [add('mode_changed', `mode changes from ${before.mode} to ${after.mode}, which needs no tests`)]
      : []),
    ...findCriterionWeakenings(before, after, file),
    ...listMissing(before.invariants, after.invariants).map((text) =>
      add('requirement_removed', `The invariant "${text}" is removed`),
    ),
    ...listMissing(before.non_functional.security, after.non_functional.security).map((text) =>
      add('requirement_removed', `The security requirement "${text}" is removed`),
    ),
    ...before.contracts
      .filter(({ path }) => !after.contracts.some((contract) => contract.path === path))
      .map(({ path }) => add('contract_removed', `The contract ${path} is removed from the spec`)),
    ...findScopeWeakenings(before, after, file, changed),
    ...findBudgetWeakenings(before, after, file),
  ];
}

const listMissing = (before: readonly string[] = [], after: readonly string[] = []) =>
  before.filter((text) => !after.includes(text));

function findCriterionWeakenings(before: WorkingSpec, after: WorkingSpec, file: string): Weakening[] {
  const texts = new Set(after.acceptance.map(textOf));
  return before.acceptance.flatMap((criterion) => {
    const { id, test_nodeids: listed } = criterion;
    const now = after.acceptance.find((one) => one.id === id);
    if (now && textOf(now) === textOf(criterion)) {
      if (listed === undefined || JSON.stringify(listed) === JSON.stringify(now.test_nodeids)) return [];
      const what = `The tests that prove criterion ${id} change from ${listed.join(', ')} to ${now.test_nodeids?.join(', ') ?? 'any test that names it'}`;
      return [createWeakening({ kind: 'criterion_changed', file, what })];
    }
    // The same criterion under another number.
    if (texts.has(textOf(criterion))) return [];
    return now
      ? [
          createWeakening({
            kind: 'criterion_changed',
            file,
            what: `Criterion ${id} has another text`,
            facts: { before: textOf(criterion), after: textOf(now) },
          }),
        ]
      : [
          createWeakening({
            kind: 'criterion_removed',
            file,
            what: `Criterion ${id} is removed`,
            facts: { before: textOf(criterion) },
          }),
        ];
  });
}

/** A wider scope counts only where the change uses it. */
function findScopeWeakenings(
  before: WorkingSpec,
  after: WorkingSpec,
  file: string,
  changed: readonly string[],
): Weakening[] {
  const [old, now] = [createScopeMatcher(before.scope), createScopeMatcher(after.scope)];
  const gained = changed.filter((path) => old(path) !== 'in' && now(path) === 'in');
  if (gained.length === 0) return [];
  const what = `The scope is widened to ${gained.slice(0, 5).join(', ')}${gained.length > 5 ? ` and ${gained.length - 5} more` : ''}`;
  return [createWeakening({ kind: 'scope_widened', file, what, facts: { files: gained.join('\n') } })];
}

function findBudgetWeakenings(before: WorkingSpec, after: WorkingSpec, file: string): Weakening[] {
  return (['max_files', 'max_loc'] as const).flatMap((name) => {
    const [old, now] = [before.change_budget?.[name], after.change_budget?.[name]];
    if (old === undefined || (now !== undefined && now <= old)) return [];
    const what = `change_budget.${name} rises from ${old} to ${now ?? 'the limit of the policy'}`;
    return [createWeakening({ kind: 'budget_raised', file, what })];
  });
}

/** The stricter of both versions in every point: what applies while a weakening is not approved. */
export function mergeStrictly(before: WorkingSpec, after: WorkingSpec): WorkingSpec {
  const texts = new Set(before.acceptance.map(textOf));
  const ids = new Set(before.acceptance.map(({ id }) => id));
  const kept = before.acceptance.map((criterion) => {
    const listed = after.acceptance.find((one) => textOf(one) === textOf(criterion))?.test_nodeids;
    return criterion.test_nodeids === undefined && listed ? { ...criterion, test_nodeids: listed } : criterion;
  });
  const added = after.acceptance.filter((one) => !texts.has(textOf(one)) && !ids.has(one.id));
  const isLaxer = after.mode === 'doc' || after.mode === 'chore';
  const budgets = [before.change_budget, after.change_budget].filter((budget) => budget !== undefined);
  return {
    ...after,
    risk_tier: before.risk_tier < after.risk_tier ? before.risk_tier : after.risk_tier,
    mode: isLaxer ? before.mode : after.mode,
    acceptance: [...kept, ...added],
    scope: { in: before.scope.in, out: [...new Set([...(before.scope.out ?? []), ...(after.scope.out ?? [])])] },
    contracts: [
      ...before.contracts,
      ...after.contracts.filter(({ path }) => !before.contracts.some((contract) => contract.path === path)),
    ],
    change_budget:
      budgets.length === 0
        ? undefined
        : {
            max_files: Math.min(...budgets.map(({ max_files }) => max_files)),
            max_loc: Math.min(...budgets.map(({ max_loc }) => max_loc)),
          },
  };
}
