import * as z from 'zod';
import { checkBaseUrl, invalidArgument, requireOwnedInProject } from '../owned-rows.ts';
import type { QaContext } from '../qa-context.ts';
import { startRuntime } from '../runs/start-run.ts';
import { openProjectSecrets } from '../secrets/project-secrets.ts';
import { isExpectation, type ScriptStep, secretNamesOf, scriptSteps as stepsShape } from './model/script-steps.ts';
import { requireCurrentCase } from './start-generation.ts';

/** Accepts a script of an agent and validates it live, like a generated one. */
export async function startAuthoredScript(
  qa: QaContext,
  request: { projectId: string; testCaseId: string; steps: readonly unknown[]; baseUrl: string | null },
) {
  const { store } = qa;
  const testCase = await requireOwnedInProject(
    qa,
    request.projectId,
    store.testCases,
    'testCaseId',
    request.testCaseId,
  );
  requireCurrentCase(testCase);
  await checkBaseUrl(qa, request.baseUrl ?? undefined);
  const steps = parseSteps(request.steps);
  const { list, placeholders } = await openProjectSecrets(store, qa.vault, request.projectId);
  const missing = secretNamesOf(steps).find((named) => !list.some(({ name }) => name === named));
  if (missing)
    throw invalidArgument(
      'steps',
      `The project has no secret ${JSON.stringify(missing)}. Create it with qa_secret_create.`,
      {
        secretName: missing,
      },
    );
  const payload = {
    useCaseId: null,
    testCaseId: testCase.id,
    baseUrl: request.baseUrl,
    // Stores the name of a secret, whether the agent wrote its name or its value.
    steps: z.json().parse(placeholders.hide(placeholders.restore(steps))),
  };
  const { useCaseId, id: testCaseId } = testCase;
  return startRuntime(qa, {
    projectId: request.projectId,
    kind: 'qa.generation',
    payload,
    name: testCase.title,
    useCaseId,
    testCaseId,
  });
}

function parseSteps(input: readonly unknown[]): ScriptStep[] {
  const parsed = stepsShape.safeParse(input);
  if (!parsed.success) {
    const issues = parsed.error.issues.slice(0, 3).map(({ path, message }) => `steps.${path.join('.')}: ${message}`);
    throw invalidArgument(
      'steps',
      `Invalid steps: ${issues.join('; ')}. Correct these steps, then call qa_test_script_upsert again.`,
      { issues },
    );
  }
  const [first] = parsed.data;
  if (first?.do !== 'goto') throw invalidArgument('steps', 'The first step must be goto.');
  if (!parsed.data.some(isExpectation))
    throw invalidArgument('steps', 'A script without expectations cannot fail: add an expect… step.');
  const last = parsed.data.at(-1);
  if (last && !isExpectation(last)) throw invalidArgument('steps', 'The last step must be an expectation.');
  return parsed.data;
}
