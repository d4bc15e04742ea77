import * as z from 'zod';
import { checkBaseUrl, invalidArgument, requireOwnedInProject } from '../owned-rows.ts';
import type { QaContext } from '../qa-context.ts';
import { startRuntime } from '../runs/start-run.ts';
import { openProjectSecrets } from '../secrets/project-secrets.ts';
import { isExpectation, type Step, secretsOf, steps as stepsShape } from './model.ts';
import { checkCurrent } from './start.ts';

/** Takes a script that an agent wrote, and has it validated live, as one of the generator's own would be. */
export async function writeAuthoredScript(
  room: QaContext,
  wish: { projectId: string; testCaseId: string; steps: readonly unknown[]; baseUrl: string | null },
) {
  const { store } = room;
  const testCase = await requireOwnedInProject(room, wish.projectId, store.testCases, 'testCaseId', wish.testCaseId);
  checkCurrent(testCase);
  await checkBaseUrl(room, wish.baseUrl ?? undefined);
  const steps = parseSteps(wish.steps);
  const { list, places } = await openProjectSecrets(store, room.vault, wish.projectId);
  const missing = secretsOf(steps).find((named) => !list.some(({ name }) => name === named));
  if (missing)
    throw invalidArgument('steps', `The project has no secret ${JSON.stringify(missing)}: qa_secret_create makes it.`, {
      secretName: missing,
    });
  const payload = {
    useCaseId: null,
    testCaseId: testCase.id,
    baseUrl: wish.baseUrl,
    // Whether its author wrote the value of a secret or its name, the name is kept.
    steps: z.json().parse(places.hide(places.restore(steps))),
  };
  const { useCaseId, id: testCaseId } = testCase;
  return startRuntime(room, {
    projectId: wish.projectId,
    kind: 'qa.generation',
    payload,
    name: testCase.title,
    useCaseId,
    testCaseId,
  });
}

function parseSteps(given: readonly unknown[]): Step[] {
  const parsed = stepsShape.safeParse(given);
  if (!parsed.success) {
    const issues = parsed.error.issues.slice(0, 3).map(({ path, message }) => `steps.${path.join('.')}: ${message}`);
    throw invalidArgument('steps', `Not a script: ${issues.join('; ')}.`, { issues });
  }
  const [first] = parsed.data;
  if (first?.do !== 'goto') throw invalidArgument('steps', 'A script begins with a goto.');
  if (!parsed.data.some(isExpectation))
    throw invalidArgument('steps', 'A script that expects nothing cannot fail: add an expect… step.');
  const last = parsed.data.at(-1);
  if (last && !isExpectation(last)) throw invalidArgument('steps', 'A script ends with what it expects.');
  return parsed.data;
}
