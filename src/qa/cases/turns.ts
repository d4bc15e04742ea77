import type { UseCaseClass } from '../scan/classes.ts';
import type { QaRepositories } from '../store/qa-store.ts';
import { evidenceOf } from './detect.ts';

/** What is changed there is there already, and the same for all: two at a time would find what the other has saved. */
const changing: readonly UseCaseClass[] = ['edit', 'settings', 'change-password'];

/** Which cases are carried out one after the other, and with which others: by case, what they have in common. */
export async function turnsIn(
  { useCases, testCases }: Pick<QaRepositories, 'useCases' | 'testCases'>,
  projectId: string,
): Promise<ReadonlyMap<string, string>> {
  const all = await useCases.list({ projectId });
  const shared = all.filter((one) => changing.some((name) => name === evidenceOf(one)?.class)).map(({ id }) => id);
  const cases = await testCases.list({ projectId, useCaseId: shared });
  return new Map(cases.map(({ id, useCaseId }) => [id, useCaseId]));
}
