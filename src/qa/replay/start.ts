import { quote } from '../../platform/errors.ts';
import { checkBaseUrl, invalid, ownItemOf, ownProject } from '../access.ts';
import type { QaRoom } from '../room.ts';
import { startRuntime } from '../runs/start.ts';

interface ReplayWish {
  projectId: string;
  testScriptId: string;
  name?: string | undefined;
  baseUrl?: string | undefined;
  /** Those that the script is said to be of. */
  useCaseId?: string | undefined;
  testCaseId?: string | undefined;
}

export async function startReplay(room: QaRoom, wish: ReplayWish) {
  const { projectId, testScriptId, name, baseUrl } = wish;
  await ownProject(room, projectId);
  const script = await ownItemOf(room, projectId, room.store.testScripts, 'testScriptId', testScriptId);
  if (script.spec === '')
    throw invalid('testScriptId', `The script ${testScriptId} could not be written: there is nothing to replay.`, {
      testScriptId,
    });
  for (const field of ['useCaseId', 'testCaseId'] as const) {
    if (wish[field] === undefined || wish[field] === script[field]) continue;
    const message = `The script ${testScriptId} is not of ${field} ${quote(wish[field], 80)} but of ${script[field]}: give that, or leave it out.`;
    throw invalid(field, message, { [field]: wish[field] });
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
