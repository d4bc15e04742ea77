import { type GateMode, gateNames, type Policy, policyFile } from '../spec/policy.ts';
import { createWeakening, type Weakening } from './weakening.ts';

const strictness: Record<GateMode, number> = { skip: 0, warn: 1, block: 2 };
const evidenceStrictness = { accept: 0, warn: 1, block: 2 };

/** Lists what a policy relaxes compared with another one. */
export function findPolicyWeakenings(before: Policy, after: Policy): Weakening[] {
  return [
    ...gateNames
      .filter((gate) => strictness[after.gates[gate]] < strictness[before.gates[gate]])
      .map((gate) =>
        inPolicy('gate_relaxed', `The gate ${gate} changes from ${before.gates[gate]} to ${after.gates[gate]}`),
      ),
    ...([1, 2, 3] as const).flatMap((tier) => findTierWeakenings(tier, before, after)),
    ...findRuleRelaxations(before, after),
  ];
}

const inPolicy = (kind: Weakening['kind'], what: string) => createWeakening({ kind, file: policyFile, what });

function findTierWeakenings(tier: 1 | 2 | 3, before: Policy, after: Policy): Weakening[] {
  const [old, now] = [before.tiers[tier], after.tiers[tier]];
  const lowered = (['coverage_threshold', 'mutation_threshold'] as const)
    .filter((name) => now[name] < old[name])
    .map((name) => inPolicy('threshold_lowered', `Tier ${tier}: ${name} falls from ${old[name]} to ${now[name]}`));
  const raised = (['max_files', 'max_loc'] as const)
    .filter((name) => now[name] > old[name])
    .map((name) => inPolicy('budget_raised', `Tier ${tier}: ${name} rises from ${old[name]} to ${now[name]}`));
  const contracts =
    old.contracts_required && !now.contracts_required
      ? [inPolicy('rule_relaxed', `Tier ${tier}: contracts_required changes from true to false`)]
      : [];
  return [...lowered, ...raised, ...contracts];
}

function findRuleRelaxations(before: Policy, after: Policy): Weakening[] {
  const found: Weakening[] = [];
  const relaxed = (what: string) => found.push(inPolicy('rule_relaxed', what));
  for (const path of before.protectedPaths)
    if (!after.protectedPaths.includes(path)) relaxed(`protected_paths no longer lists ${path}`);
  for (const path of after.ungoverned)
    if (!before.ungoverned.includes(path))
      found.push(inPolicy('scope_widened', `non_governed_zones lists ${path}, which any change may then touch`));
  if (before.maxWaiverDays !== undefined && (after.maxWaiverDays ?? Number.POSITIVE_INFINITY) > before.maxWaiverDays)
    relaxed(`A waiver may last ${after.maxWaiverDays ?? 'any number of'} days instead of ${before.maxWaiverDays}`);
  if (before.base !== after.base)
    relaxed(`The base changes from ${before.base ?? 'the main branch'} to ${after.base ?? 'the main branch'}`);
  if (evidenceStrictness[after.unattested] < evidenceStrictness[before.unattested])
    relaxed(`evidence.unattested changes from ${before.unattested} to ${after.unattested}`);
  if (!before.acceptsOwnWaivers && after.acceptsOwnWaivers) relaxed('waiver_approval.in_change changes to accept');
  for (const { name, publicKey } of after.approvers)
    if (!before.approvers.some((known) => known.publicKey === publicKey)) relaxed(`${name} becomes an approver`);
  const command = ({ tests }: Policy) => tests.command?.join(' ');
  if (before.tests.command && command(before) !== command(after))
    found.push(
      inPolicy(
        'test_command_changed',
        `tests.command changes from "${command(before)}" to "${command(after) ?? 'none'}"`,
      ),
    );
  return found;
}
