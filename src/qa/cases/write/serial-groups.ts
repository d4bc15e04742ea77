import type { UseCaseClass } from '../../scan/use-case-classes.ts';
import type { QaRepositories } from '../../store/qa-store.ts';
import { evidenceOfUseCase } from './detect-cases.ts';

/** What is changed there is there already, and the same for all: two at a time would find what the other has saved. */
const sharedRecordClasses: readonly UseCaseClass[] = ['edit', 'settings', 'change-password'];

/** Which cases are carried out one after the other, and with which others: by case, what they have in common. */
export async function serialGroups(
  { useCases, testCases }: Pick<QaRepositories, 'useCases' | 'testCases'>,
  projectId: string,
): Promise<ReadonlyMap<string, string>> {
  const all = await useCases.list({ projectId });
  const shared = all
    .filter((one) => sharedRecordClasses.some((name) => name === evidenceOfUseCase(one)?.class))
    .map(({ id }) => id);
  const cases = await testCases.list({ projectId, useCaseId: shared });
  return new Map(cases.map(({ id, useCaseId }) => [id, useCaseId]));
}
