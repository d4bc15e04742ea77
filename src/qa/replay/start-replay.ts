import { quote } from '../../platform/errors.ts';
import { checkBaseUrl, invalidArgument, requireOwnedInProject, requireProject } from '../owned-rows.ts';
import type { QaContext } from '../qa-context.ts';
import { startRuntime } from '../runs/start-run.ts';

interface ReplayRequest {
  projectId: string;
  testScriptId: string;
  name?: string | undefined;
  baseUrl?: string | undefined;
  /** The use case and test case that the caller names for the script. */
  useCaseId?: string | undefined;
  testCaseId?: string | undefined;
}

export async function startReplay(qa: QaContext, request: ReplayRequest) {
  const { projectId, testScriptId, name, baseUrl } = request;
  await requireProject(qa, projectId);
  const script = await requireOwnedInProject(qa, projectId, qa.store.testScripts, 'testScriptId', testScriptId);
  if (script.spec === '')
    throw invalidArgument(
      'testScriptId',
      `The script ${testScriptId} has no steps: its generation failed. Generate it again with qa_workflow_start_test_script_generation.`,
      {
        testScriptId,
      },
    );
  for (const field of ['useCaseId', 'testCaseId'] as const) {
    if (request[field] === undefined || request[field] === script[field]) continue;
    const message = `The script ${testScriptId} belongs to ${field} ${script[field]}, not ${quote(request[field], 80)}. Pass ${script[field]}, or leave ${field} out.`;
    throw invalidArgument(field, message, { [field]: request[field] });
  }
  await checkBaseUrl(qa, baseUrl);
  const { useCaseId, testCaseId } = script;
  const payload = { testScriptId, baseUrl: baseUrl ?? null };
  return startRuntime(qa, {
    projectId,
    kind: 'qa.replay',
    payload,
    name: name ?? script.name,
    useCaseId,
    testCaseId,
    testScriptId,
  });
}
