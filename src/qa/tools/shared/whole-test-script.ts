import { cleanValue } from '../../../platform/text/untrusted-result.ts';
import { isCutInDetail } from '../../../tool/long-reply.ts';
import { readScriptDetails } from '../../artifacts/script-details.ts';
import { invalidArgument, requireOwnedInProject } from '../../owned-rows.ts';
import type { QaContext } from '../../qa-context.ts';
import { describeUniqueToken } from '../../runs/unique-token-text.ts';
import { findCutSteps } from '../../scripts/model/cut-steps.ts';
import { describeStep } from '../../scripts/model/describe-step.ts';
import { scriptSteps } from '../../scripts/model/script-steps.ts';
import type { TestScript } from '../../store/qa-store.ts';
import { listReplaySteps } from './replay-steps.ts';
import { presentTestScript } from './test-shapes.ts';

export async function presentWholeTestScript(qa: QaContext, script: TestScript) {
  const { latest, mutants = [] } = readScriptDetails(script);
  return {
    ...presentTestScript(script),
    steps: script.steps,
    instructions: (scriptSteps.safeParse(script.steps).data ?? []).map((step) =>
      describeUniqueToken(describeStep(step)),
    ),
    spec: script.spec,
    mutations: mutants,
    ...(latest && { latestRun: { workflowRunId: latest.runId, steps: await listReplaySteps(qa, latest.runId) } }),
  };
}

/** Refuses steps as a cut reply has shown them: the script of the test case would lose what the reply left out. */
export async function requireWholeSteps(
  qa: QaContext,
  { projectId, testCaseId, steps }: { projectId: string; testCaseId: string; steps: readonly unknown[] },
): Promise<void> {
  const testCase = await requireOwnedInProject(qa, projectId, qa.store.testCases, 'testCaseId', testCaseId);
  for (const script of await qa.store.testScripts.list({ projectId, testCaseId: testCase.id })) {
    const whole = await presentWholeTestScript(qa, script);
    if (!Array.isArray(script.steps) || !isCutInDetail(whole)) continue;
    const cut = findCutSteps(steps, cleanValue(script.steps));
    if (!cut) continue;
    const message = `${cut.problem} Call qa_test_script_get with testScriptId ${script.id}, detail true and offset ${cut.offset} for the rest, then pass all steps. ${cut.onPurpose}`;
    throw invalidArgument('steps', message, { testScriptId: script.id, offset: cut.offset });
  }
}
