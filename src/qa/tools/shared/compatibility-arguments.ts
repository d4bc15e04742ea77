import * as z from 'zod';
import { quote } from '../../../platform/errors.ts';
import { checkCaseSite } from '../../cases/write/case-site.ts';
import { invalidArgument, requireOwnedInProject, requireProject } from '../../owned-rows.ts';
import type { QaContext } from '../../qa-context.ts';

/**
 * Arguments that clients of later product versions send. Those that repeat stored data must
 * match it; the description of the others says that they have no effect.
 */
export const workflowParams = z.looseObject({}).optional().describe('Has no effect');
export const siteUrl = z.string().max(2000).optional().describe('Address on the site of the project, if given');
export const caseText = z.string().max(5000).optional().describe('Checked against the test case, if given');

/** Throws if `url` is not on the site of the project. */
export async function checkProjectUrl(
  qa: QaContext,
  { projectId, url }: { projectId: string; url?: string | undefined },
): Promise<void> {
  const project = await requireProject(qa, projectId);
  if (url === undefined) return;
  await qa.checkAddress(url);
  await checkCaseSite(qa, project, url);
}

const caseTextNames = ['goal', 'precondition', 'instructions', 'expectedResult'] as const;
type CaseTexts = { [name in (typeof caseTextNames)[number]]?: string | undefined };

/** Throws if a text differs from the test case, because scripts are written from the case. */
export async function checkCaseTexts(
  qa: QaContext,
  request: CaseTexts & { projectId: string; testCaseId?: string | undefined },
): Promise<void> {
  const passedNames = caseTextNames.filter((name) => plain(request[name]) !== '');
  const [first] = passedNames;
  if (first === undefined) return;
  if (request.testCaseId === undefined)
    throw invalidArgument(first, `${first} requires testCaseId: pass it too, or leave ${first} out.`);
  const testCase = await requireOwnedInProject(
    qa,
    request.projectId,
    qa.store.testCases,
    'testCaseId',
    request.testCaseId,
  );
  const other = passedNames.find((name) => plain(request[name]) !== plain(testCase[name]));
  if (other === undefined) return;
  const has = testCase[other] ? quote(testCase[other], 200) : 'nothing there';
  const message = `${other} differs from the test case, which has ${has}. Leave it out, or change the case with qa_test_case_upsert.`;
  throw invalidArgument(other, message, { testCaseId: testCase.id });
}

function plain(text: string | null | undefined): string {
  return text?.replaceAll(/\s+/g, ' ').trim() ?? '';
}
