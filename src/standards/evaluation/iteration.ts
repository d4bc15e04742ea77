import { type CheckedClaim, checkClaims } from './claims.ts';
import { type Criterion, sortByUrgency } from './criterion.ts';
import type { Evaluation } from './evaluate.ts';

export interface Iteration {
  guidance: string;
  next_steps: string[];
  /** The share of the weights of all criteria that are shown to be met; not known is not met. */
  confidence: number;
  focus_areas: string[];
  /** What the description of the state claims, held to the evidence. */
  claims: CheckedClaim[];
  /** Criteria that nothing is known of. */
  unknown: string[];
}

const MAX_STEPS = 12;

/** What to do next, from what is missing: what blocks first, then what weighs most. */
export function planIteration(
  { overall_status, criteria, next_actions }: Evaluation,
  currentState: string | undefined,
): Iteration {
  const missing = sortByUrgency(criteria);
  const claims = currentState === undefined ? [] : checkClaims(currentState, criteria);
  const contradicted = claims.filter(({ verdict }) => verdict === 'contradicted');
  return {
    guidance: formatGuidance(overall_status, missing, contradicted),
    next_steps: (overall_status === 'spec_invalid' ? next_actions : missing.flatMap(listSteps)).slice(0, MAX_STEPS),
    confidence: shareMet(criteria),
    focus_areas: missing.map(({ name }) => name),
    claims,
    unknown: criteria.filter(({ status }) => status === 'unknown').map(({ id }) => id),
  };
}

function formatGuidance(
  status: Evaluation['overall_status'],
  missing: readonly Criterion[],
  contradicted: readonly CheckedClaim[],
): string {
  const contradictions = contradicted.map(({ claim, evidence }) => `You say "${claim}", but ${evidence}.`);
  const [first] = missing;
  if (status === 'spec_invalid')
    return ['The working spec has errors, and nothing can be measured before they are mended.', ...contradictions].join(
      ' ',
    );
  if (!first)
    return [
      'Every criterion is met. Record the commit with caws_provenance, and ask for review.',
      ...contradictions,
    ].join(' ');
  const blocking = missing.filter((criterion) => criterion.blocking).length;
  const lead =
    blocking > 0
      ? `${blocking} criteria keep this change from passing.`
      : 'Nothing keeps this change from passing; some criteria are not met or not known.';
  return [...contradictions, lead, `Begin with ${first.name.toLowerCase()}: ${first.feedback}.`].join(' ');
}

/** The action of a criterion, and the places that it is about where it does not name them all. */
function listSteps({ action, details, id }: Criterion): string[] {
  if (action === undefined) return [];
  if (id !== 'acceptance_criteria' || details.length < 2) return [action];
  return details.map((line) => `Prove acceptance criterion ${line}`);
}

function shareMet(criteria: readonly Criterion[]): number {
  const counted = criteria.filter(({ status }) => status !== 'not_applicable' && status !== 'waived');
  const all = counted.reduce((sum, { weight }) => sum + weight, 0);
  const met = counted.filter(({ status }) => status === 'passed').reduce((sum, { weight }) => sum + weight, 0);
  return all === 0 ? 0 : Math.floor((met / all) * 100 + 1e-9) / 100;
}
