import * as z from 'zod';
import type { QaTestCase } from '../store/qa-store.ts';

/**
 * Oracles of the passed tests: `specified` by the constraints of the site or a requirement, or `observed`
 * when they were recorded. Observed tests show that nothing changed, not that it is right.
 */
export const passedByOracleShape = z
  .object({ specified: z.number(), observed: z.number() })
  .describe('Number of passed tests by oracle: specified by the site or a requirement, or only observed');

export function countPassedByOracle(
  cases: readonly Pick<QaTestCase, 'id' | 'oracle'>[],
  tests: readonly { testCaseId: string; verdict: string | null | undefined }[],
): z.output<typeof passedByOracleShape> {
  const oracles = new Map(cases.map(({ id, oracle }) => [id, oracle]));
  const passed = tests.filter(({ verdict }) => verdict === 'passed' || verdict === 'flaky');
  const specified = passed.filter(({ testCaseId }) => oracles.get(testCaseId) === 'specified').length;
  return { specified, observed: passed.length - specified };
}
