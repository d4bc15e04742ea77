import { claimBoundary, claimTopics, planOrDenial } from './claim-words.ts';
import type { Criterion } from './criterion.ts';

/** A claim about the work with the verdict of the evidence. */
export interface CheckedClaim {
  claim: string;
  /** `unproven`: no evidence for or against the claim. */
  verdict: 'confirmed' | 'contradicted' | 'unproven';
  evidence: string;
}

const MAX_LENGTH = 4000;
const MAX_CLAIMS = 20;

/** Splits a description into claims and checks each against the criteria. Plans and denials are not claims. */
export function checkClaims(described: string, criteria: readonly Criterion[]): CheckedClaim[] {
  const sentences = described
    .slice(0, MAX_LENGTH)
    .split(claimBoundary)
    .map((part) => part.trim())
    .filter((part) => part !== '' && !planOrDenial.test(part));
  return sentences.flatMap((sentence) => checkSentence(sentence, criteria)).slice(0, MAX_CLAIMS);
}

function checkSentence(sentence: string, criteria: readonly Criterion[]): CheckedClaim[] {
  const claim = sentence.length > 160 ? `${sentence.slice(0, 160)}…` : sentence;
  const ids = sentence.match(/\bA\d+\b/g) ?? [];
  if (ids.length > 0) return ids.map((id) => ({ claim, ...checkCriterionId(id, criteria) }));
  const topic = claimTopics.find(({ pattern }) => pattern.test(sentence));
  if (!topic) return [];
  const percent = /(\d+(?:\.\d+)?)\s*(?:%|percent)/.exec(sentence)?.[1];
  const asked = criteria.filter(({ id, blocking }) => (topic.gates.length === 0 ? blocking : topic.gates.includes(id)));
  if (topic.gates.length === 0 && asked.length === 0)
    return [{ claim, verdict: 'confirmed', evidence: 'no criterion blocks the change' }];
  if (percent !== undefined && asked[0]) return [{ claim, ...checkNumber(Number(percent), asked[0]) }];
  return [{ claim, ...checkAgainstGates(asked) }];
}

function checkAgainstGates(asked: readonly Criterion[]): Omit<CheckedClaim, 'claim'> {
  const evidence = asked.map(({ id, feedback }) => `${id}: ${feedback}`).join('; ') || 'no gate measures it';
  if (asked.some(({ status }) => status === 'failed')) return { verdict: 'contradicted', evidence };
  const proven = asked.length > 0 && asked.every(({ status }) => status === 'passed' || status === 'not_applicable');
  return { verdict: proven && asked.some(({ status }) => status === 'passed') ? 'confirmed' : 'unproven', evidence };
}

/** A number is confirmed if it is within one percent of the measured value. */
function checkNumber(claimed: number, { id, actual, status, feedback }: Criterion): Omit<CheckedClaim, 'claim'> {
  if (actual === null || status === 'unknown') return { verdict: 'unproven', evidence: `${id}: ${feedback}` };
  const verdict = Math.abs(actual - claimed) <= 1 ? 'confirmed' : 'contradicted';
  return { verdict, evidence: `${id}: ${actual} measured, ${claimed} claimed` };
}

function checkCriterionId(id: string, criteria: readonly Criterion[]): Omit<CheckedClaim, 'claim'> {
  const acceptance = criteria.find((criterion) => criterion.id === 'acceptance_criteria');
  if (!acceptance || acceptance.status === 'unknown')
    return { verdict: 'unproven', evidence: acceptance?.feedback ?? 'not measured' };
  const unprovenLine = acceptance.details.find((line) => line.startsWith(`${id}:`));
  if (unprovenLine) return { verdict: 'contradicted', evidence: unprovenLine };
  const known = acceptance.feedback.includes(`${id} (`) || acceptance.status === 'failed';
  return known
    ? { verdict: 'confirmed', evidence: `${id} has a passing test` }
    : { verdict: 'unproven', evidence: `the spec has no criterion ${id}` };
}
