import type { QaTestCase } from '../store/qa-store.ts';
import type { Step } from './model.ts';
import { specSource } from './spec-source.ts';

/** The file for the script of a case. */
export function specFor({ title, goal, oracle, url, expectedResult }: QaTestCase, steps: readonly Step[]): string {
  const about = `${goal}\nExpected: ${expectedResult} (${oracle})`;
  return specSource({ title, baseUrl: new URL(url).origin, steps, about });
}
