import { checkBaseUrl, invalid, ownItemOf, ownProject } from '../access.ts';
import type { QaRoom } from '../room.ts';
import { startRuntime } from '../runs/start.ts';

interface ReplayWish {
  projectId: string;
  testScriptId: string;
  name?: string | undefined;
  baseUrl?: string | undefined;
}

export async function startReplay(room: QaRoom, { projectId, testScriptId, name, baseUrl }: ReplayWish) {
  await ownProject(room, projectId);
  const script = await ownItemOf(room, projectId, room.store.testScripts, 'testScriptId', testScriptId);
  if (script.spec === '')
    throw invalid('testScriptId', `The script ${testScriptId} could not be written: there is nothing to replay.`, {
      testScriptId,
    });
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
