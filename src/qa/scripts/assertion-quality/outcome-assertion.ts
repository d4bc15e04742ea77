import { isExpectation, type ScriptExpectation, type ScriptStep } from '../model/script-steps.ts';
import { lastActionIndex } from './mutants.ts';

/** Whether an expectation depends on the outcome of an action: a sent request or an unchanged address does not. */
export function isOutcomeAssertion(one: ScriptExpectation, from: string | undefined): boolean {
  if (one.do === 'expectUrl') return one.path !== from;
  return one.do !== 'expectRequest' && one.do !== 'expectNoErrors' && one.do !== 'expectNoRequest';
}

/** Whether the expectations at the end of a script depend on the outcome of its last action. */
export function assertsOutcome(steps: readonly ScriptStep[]): boolean {
  const last = lastActionIndex(steps);
  const before = steps.slice(0, last).findLast((one) => one.do === 'expectUrl' || one.do === 'goto');
  const from = before && ('path' in before ? before.path : before.url);
  // Without a submission, a fetched resource is the outcome, for example a file.
  const sends = steps.some((one) => one.do === 'expectRequest' && one.method !== 'GET');
  return steps
    .slice(last + 1)
    .some((one) => isExpectation(one) && (isOutcomeAssertion(one, from) || (one.do === 'expectRequest' && !sends)));
}
