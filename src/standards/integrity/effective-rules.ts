import type { NoChangeSet } from '../git/branch-point.ts';
import type { Governance } from '../spec/governance.ts';
import type { Policy } from '../spec/policy.ts';
import type { LoadedWaiver, Waiver } from '../spec/waivers.ts';
import type { WorkingSpec } from '../spec/working-spec.ts';
import type { BaseRules } from './base-rules.ts';
import { findPolicyWeakenings } from './policy-weakenings.ts';
import { findSpecWeakenings, isSameWork, mergeStrictly } from './spec-weakenings.ts';
import { createWeakening, listUnapproved, type Weakening } from './weakening.ts';

/** The rules that apply to a change, and what the change would relax. */
export interface EffectiveRules {
  spec: WorkingSpec;
  policy: Policy;
  waivers: LoadedWaiver[];
  weakenings: Weakening[];
}

type Approve = (weakenings: readonly Weakening[]) => Weakening[];

/** The policy that applies before approvals are known: the one at the base, or that of a change that introduces the rules. */
export function choosePolicy(base: BaseRules | NoChangeSet, own: Policy): Policy {
  return 'reason' in base || introducesRules(base) ? own : base.policy;
}

const introducesRules = ({ spec, hasPolicy, waivers }: BaseRules) => !spec && !hasPolicy && waivers.size === 0;

/** Applies the rules of the base to a change. Where the change relaxes one without an approval, the stricter version applies. */
export function applyBaseRules(
  base: BaseRules | NoChangeSet,
  { policy, waivers, loaded }: Governance,
  own: WorkingSpec,
  changed: readonly string[],
  { approve, nowMs }: { approve: Approve; nowMs: number },
): EffectiveRules {
  if ('reason' in base) return { spec: own, policy: policy.policy, waivers: [...waivers], weakenings: [] };
  const isNew = introducesRules(base);
  const ofPolicy = approve(findPolicyWeakenings(base.policy, policy.policy)).map((one) => (isNew ? asNote(one) : one));
  const ofSpec = approve(base.spec ? findSpecWeakenings(base.spec, own, loaded.file, changed) : []);
  const effectivePolicy =
    isNew || (listUnapproved(ofPolicy).length === 0 && ofPolicy.length > 0) ? policy.policy : base.policy;
  const judged = effectivePolicy.acceptsOwnWaivers
    ? waivers.map((one) => ({ loaded: one, weakening: undefined }))
    : waivers.map((one) => judgeWaiver(one, base.waivers.get(one.file), { approve, nowMs }));
  const introduced = isNew ? [describeIntroduction(loaded.file)] : [];
  return {
    spec:
      base.spec && isSameWork(base.spec, own) && listUnapproved(ofSpec).length > 0
        ? mergeStrictly(base.spec, own)
        : own,
    policy: effectivePolicy,
    waivers: judged.map((one) => one.loaded),
    weakenings: [...introduced, ...ofPolicy, ...ofSpec, ...judged.flatMap(({ weakening }) => weakening ?? [])],
  };
}

const asNote = (weakening: Weakening): Weakening => ({ ...weakening, severity: 'note' });

function describeIntroduction(file: string): Weakening {
  const what = 'The base has no spec and no policy: the rules of this change are its own';
  return createWeakening({ kind: 'rules_introduced', file, what, severity: 'note' });
}

/** A waiver counts as it is at the base; what the change adds to it needs an approval. */
function judgeWaiver(
  loaded: LoadedWaiver,
  before: Waiver | undefined,
  { approve, nowMs }: { approve: Approve; nowMs: number },
): { loaded: LoadedWaiver; weakening: Weakening | undefined } {
  const { waiver, file, state } = loaded;
  if (state !== 'active' || (before && !extendsWaiver(before, waiver))) return { loaded, weakening: undefined };
  const scope = `${waiver.gates.join(', ')} until ${waiver.expires_at}`;
  const [weakening] = approve([
    createWeakening({
      kind: before ? 'waiver_extended' : 'waiver_added',
      file,
      what: before
        ? `${waiver.id} is extended to ${scope}`
        : `${waiver.id} would waive ${scope}: it is part of this change and "${waiver.approved_by}" did not sign it`,
      facts: { gates: waiver.gates.join(','), until: waiver.expires_at, delta: JSON.stringify(waiver.delta ?? null) },
    }),
  ]);
  if (weakening?.approvedBy !== undefined) return { loaded, weakening };
  const isInForce = before?.status === 'active' && Date.parse(before.expires_at) > nowMs;
  const kept: LoadedWaiver = before && isInForce ? { ...loaded, waiver: before } : { ...loaded, state: 'pending' };
  return { loaded: kept, weakening };
}

function extendsWaiver(before: Waiver, after: Waiver): boolean {
  const grows = (name: 'max_files' | 'max_loc') => (after.delta?.[name] ?? 0) > (before.delta?.[name] ?? 0);
  return (
    before.status !== 'active' ||
    Date.parse(after.expires_at) > Date.parse(before.expires_at) ||
    after.gates.some((gate) => !before.gates.includes(gate)) ||
    (before.delta !== undefined && after.delta === undefined) ||
    grows('max_files') ||
    grows('max_loc')
  );
}
