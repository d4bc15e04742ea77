import { quote } from '../../platform/errors.ts';
import { checkBaseUrl, invalidArgument, requireOwnedInProject, requireProject } from '../owned-rows.ts';
import type { QaContext } from '../qa-context.ts';
import { startRuntime } from '../runs/start-run.ts';

interface ReplayWish {
  projectId: string;
  testScriptId: string;
  name?: string | undefined;
  baseUrl?: string | undefined;
  /** Those that the script is said to be of. */
  useCaseId?: string | undefined;
  testCaseId?: string | undefined;
}

export async function startReplay(room: QaContext, wish: ReplayWish) {
  const { projectId, testScriptId, name, baseUrl } = wish;
  await requireProject(room, projectId);
  const script = await requireOwnedInProject(room, projectId, room.store.testScripts, 'testScriptId', testScriptId);
  if (script.spec === '')
    throw invalidArgument(
      'testScriptId',
      `The script ${testScriptId} could not be written: there is nothing to replay.`,
      {
        testScriptId,
      },
    );
  for (const field of ['useCaseId', 'testCaseId'] as const) {
    if (wish[field] === undefined || wish[field] === script[field]) continue;
    const message = `The script ${testScriptId} is not of ${field} ${quote(wish[field], 80)} but of ${script[field]}: give that, or leave it out.`;
    throw invalidArgument(field, message, { [field]: wish[field] });
  }
  await checkBaseUrl(room, baseUrl);
  const { useCaseId, testCaseId } = script;
  const payload = { testScriptId, baseUrl: baseUrl ?? null };
  return startRuntime(room, {
    projectId,
    kind: 'qa.replay',
    payload,
    name: name ?? script.name,
    useCaseId,
    testCaseId,
    testScriptId,
  });
}
