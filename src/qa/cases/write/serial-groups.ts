import type { UseCaseClass } from '../../scan/use-case-classes.ts';
import { evidenceOfUseCase } from '../../scan/use-case-evidence.ts';
import type { QaRepositories } from '../../store/qa-store.ts';

/** Classes that change existing records: concurrent cases would see the changes of each other. */
const sharedRecordClasses: readonly UseCaseClass[] = ['edit', 'settings', 'change-password'];

/** Maps each case that must not run concurrently to its group. */
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
