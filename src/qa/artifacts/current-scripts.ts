import type { QaRepositories, TestScript } from '../store/qa-store.ts';

/** The states of a case that the site still gives rise to. */
export const currentCaseStatuses = ['ACTIVE', 'DRAFT'];

interface ScriptFilter {
  projectId: string;
  id?: readonly string[];
  testCaseId?: readonly string[];
  useCaseId?: string;
}

/**
 * The scripts that make up the suite: active, and of cases that the site still gives rise to. Those of other cases stay,
 * with their history, and are replayed only when somebody names them: nobody could mend them, so they would fail for good.
 */
export async function listCurrentScripts(
  { testScripts, testCases }: Pick<QaRepositories, 'testScripts' | 'testCases'>,
  wanted: ScriptFilter,
): Promise<TestScript[]> {
  const scripts = await testScripts.list({ ...wanted, status: 'active' });
  if (wanted.id ?? wanted.testCaseId) return scripts;
  const retired = await testCases.list({ projectId: wanted.projectId, status: ['DEPRECATED', 'ARCHIVED'] });
  const gone = new Set(retired.map((testCase) => testCase.id));
  return scripts.filter((script) => !gone.has(script.testCaseId));
}
