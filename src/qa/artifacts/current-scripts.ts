import type { QaRepositories, TestScript } from '../store/qa-store.ts';

/** Statuses of test cases that are part of the suite. */
export const currentCaseStatuses = ['ACTIVE', 'DRAFT'];

interface ScriptFilter {
  projectId: string;
  id?: readonly string[];
  testCaseId?: readonly string[];
  useCaseId?: string;
}

/**
 * The scripts of the suite: active and of current cases. Scripts of retired cases stay stored with
 * their history and are replayed only if selected by id, because they cannot be regenerated.
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
