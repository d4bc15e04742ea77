import type { EvidenceSource } from '../evidence/evidence-source.ts';
import type { GateMode, GateName, Policy } from '../spec/policy.ts';
import { type LoadedWaiver, waiversInForce } from '../spec/waivers.ts';
import type { RiskTier } from '../spec/working-spec.ts';

type CriterionStatus = 'passed' | 'failed' | 'unknown' | 'waived' | 'not_applicable';

/** The measurement of a gate, before policy and waivers apply. */
export interface GateMeasurement {
  status: 'passed' | 'failed' | 'unknown' | 'not_applicable';
  /** From 0 to 1. */
  score: number;
  actual: number | null;
  threshold: number | null;
  unit: string;
  feedback: string;
  /** The files, lines or ids concerned. */
  details?: string[];
  evidence?: EvidenceSource[];
  /** The next step, if the gate is not passed. */
  action?: string;
}

/** A gate with its verdict. */
export interface Criterion extends Omit<GateMeasurement, 'status' | 'details' | 'evidence'> {
  id: GateName;
  name: string;
  status: CriterionStatus;
  /** Whether it keeps the change from passing. */
  blocking: boolean;
  weight: number;
  details: string[];
  evidence: EvidenceSource[];
  waiver?: { id: string; expires_at: string };
}

const gateLabels: Record<GateName, [name: string, weight: number]> = {
  spec_completeness: ['Specification', 5],
  budget_limit: ['Change budget', 10],
  scope_boundary: ['Scope', 10],
  test_results: ['Tests', 20],
  acceptance_criteria: ['Acceptance criteria', 20],
  coverage_threshold: ['Coverage', 10],
  patch_coverage: ['Coverage of the change', 5],
  mutation_threshold: ['Mutation score', 5],
  contract_compliance: ['Contracts', 5],
  security_scan: ['Secrets in the change', 5],
  todo_detection: ['Stubs and skipped tests', 3],
  provenance_chain: ['Provenance chain', 2],
  weakening_check: ['Rules and tests kept', 10],
};

/** Without these nothing shows that the change works, so deleting their report must not help. */
const requiredInEveryTier: readonly GateName[] = ['test_results', 'acceptance_criteria'];

/**
 * Gives a measurement its verdict. A waiver in force lifts a failed or unknown gate. Unknown blocks in tiers 1 and 2, for
 * tests and acceptance criteria also in tier 3. Failed blocks in all tiers, unless the policy only warns.
 */
export function judgeGate(
  id: GateName,
  measured: GateMeasurement,
  { policy, tier, waivers }: { policy: Policy; tier: RiskTier; waivers: readonly LoadedWaiver[] },
): Criterion | undefined {
  const mode: GateMode = policy.gates[id];
  if (mode === 'skip') return undefined;
  const [name, weight] = gateLabels[id];
  const missing = measured.status === 'failed' || measured.status === 'unknown';
  const waived = missing ? findLiftingWaiver(id, waivers) : undefined;
  const fails =
    measured.status === 'failed' || (measured.status === 'unknown' && (tier <= 2 || requiredInEveryTier.includes(id)));
  return {
    id,
    name,
    ...measured,
    status: waived ? 'waived' : measured.status,
    blocking: mode === 'block' && fails && !waived,
    weight: weight / 100,
    score: Math.round(Math.min(1, Math.max(0, measured.score)) * 1000) / 1000,
    details: measured.details ?? [],
    evidence: measured.evidence ?? [],
    ...(waived && { waiver: { id: waived.waiver.id, expires_at: waived.waiver.expires_at } }),
  };
}

/** A budget waiver with a delta is already part of the budget, so it does not lift the gate. */
function findLiftingWaiver(id: GateName, waivers: readonly LoadedWaiver[]): LoadedWaiver | undefined {
  return waiversInForce(waivers, id).find(({ waiver }) => id !== 'budget_limit' || waiver.delta === undefined);
}

/**
 * Computes the weighted mean of all scores. Unknown counts 0; waived and not applicable gates are left out, so that a
 * waiver never improves the score.
 */
export function computeQualityScore(criteria: readonly Criterion[]): number {
  const counted = criteria.filter(({ status }) => status !== 'waived' && status !== 'not_applicable');
  const weight = counted.reduce((sum, criterion) => sum + criterion.weight, 0);
  if (weight === 0) return 0;
  const sum = counted.reduce(
    (total, { score, weight: share, status }) => total + (status === 'unknown' ? 0 : score * share),
    0,
  );
  // Rounded down, so that only a perfect result is 1.
  return Math.floor((sum / weight) * 100 + 1e-9) / 100;
}

/** The share of the weights that is unknown. */
export function unknownShare(criteria: readonly Criterion[]): number {
  const weightOf = (some: readonly Criterion[]) => some.reduce((sum, { weight }) => sum + weight, 0);
  const counted = criteria.filter(({ status }) => status !== 'not_applicable');
  return counted.length === 0 ? 1 : weightOf(counted.filter(({ status }) => status === 'unknown')) / weightOf(counted);
}

/** Describes the requirement of a criterion; undefined if it has none. */
export function describeRequirement({ id, status, threshold, unit }: Criterion): string | undefined {
  if (threshold === null || status === 'not_applicable') return undefined;
  if (threshold === 0) return `no ${unit}`;
  return `${id === 'budget_limit' ? 'at most ' : ''}${threshold} ${unit}`;
}

/** Failed and unknown criteria, blocking ones first, then by missing weight. */
export function sortByUrgency(criteria: readonly Criterion[]): Criterion[] {
  const missingWeight = ({ score, weight, status }: Criterion) => weight * (status === 'unknown' ? 1 : 1 - score);
  return criteria
    .filter(({ status }) => status === 'failed' || status === 'unknown')
    .sort(
      (a, b) =>
        Number(b.blocking) - Number(a.blocking) || missingWeight(b) - missingWeight(a) || (a.id < b.id ? -1 : 1),
    );
}
