import { type CheckedClaim, checkClaims } from './claims.ts';
import { type Criterion, sortByUrgency } from './criterion.ts';
import type { Evaluation } from './evaluate.ts';

export interface Iteration {
  guidance: string;
  next_steps: string[];
  /** Share of the weights of all criteria that evidence shows to be met; unknown counts as not met. */
  confidence: number;
  focus_areas: string[];
  /** The claims of the description, checked against the evidence. */
  claims: CheckedClaim[];
  /** Criteria without evidence. */
  unknown: string[];
}

const MAX_STEPS = 12;

/** Plans the next steps from the criteria that are not met: blocking ones first, then by weight. */
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
    return ['The working spec has errors. Fix them first: nothing can be measured before.', ...contradictions].join(
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
      ? `${blocking} criteria block this change.`
      : 'No criterion blocks this change; some are not met or unknown.';
  return [...contradictions, lead, `Start with ${first.name.toLowerCase()}: ${first.feedback}.`].join(' ');
}

/** The action of a criterion; one step per detail for acceptance criteria. */
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
