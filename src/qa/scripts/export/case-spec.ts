import type { QaTestCase } from '../../store/qa-store.ts';
import type { ScriptStep } from '../model/script-steps.ts';
import { renderSpec } from './spec-source.ts';

/** The file for the script of a case. */
export function renderCaseSpec(
  { title, goal, oracle, url, expectedResult }: QaTestCase,
  steps: readonly ScriptStep[],
): string {
  const about = `${goal}\nExpected: ${expectedResult} (${oracle})`;
  return renderSpec({ title, baseUrl: new URL(url).origin, steps, about });
}
