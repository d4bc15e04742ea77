import * as z from 'zod';
import { readScriptDetails } from '../artifacts/script-details.ts';
import { saveArtifact } from '../runs/run-artifacts.ts';
import type { RunContext } from '../runs/run-context.ts';
import type { SecretPlaceholders } from '../secrets/secret-placeholders.ts';
import type { QaTestCase, RunRow, TestScript } from '../store/qa-store.ts';
import { renderCaseSpec } from './export/case-spec.ts';
import type { ScriptSource, ScriptState } from './model/script-states.ts';
import { type ScriptStep, secretNamesOf, scriptSteps as stepsShape } from './model/script-steps.ts';
import type { WrittenScript } from './model/written-script.ts';

interface ScriptToSave extends WrittenScript {
  durationMs: number;
  source: ScriptSource;
}

/**
 * Stores a script with its case, which has one script. A script that is not confirmed does not replace a working one;
 * it is stored as a draft.
 */
export async function saveScript(
  run: RunRow,
  context: Pick<RunContext, 'artifacts' | 'principal' | 'store' | 'secrets'>,
  testCase: QaTestCase,
  written: ScriptToSave,
  status: ScriptState,
): Promise<string> {
  const { placeholders } = context.secrets;
  const evidence = await saveFailureEvidence(run, context, testCase, written);
  const steps = placeholders.hide(written.steps);
  const details = { mutants: written.mutants, ...evidence };
  // A replay that ends in between writes its verdict into the same row.
  return context.store.transaction(async ({ testScripts }) => {
    const before = await testScripts.newest({ testCaseId: testCase.id });
    if (before?.status === 'active' && status !== 'active' && before.runId !== run.id) {
      const { candidate: _, ...others } = readScriptDetails(before);
      const candidate = { steps: stepsAsJson(steps), mutants: written.mutants, runId: run.id };
      const remembered = status === 'draft' ? { candidate } : { lastAttempt: details };
      await testScripts.update(before.id, { details: z.json().parse({ ...others, ...remembered }) });
      return before.id;
    }
    const { durationMs, source } = written;
    const facts = {
      name: testCase.title,
      url: testCase.url,
      ...{ status, source, steps: stepsAsJson(steps), details, runId: run.id },
      spec: steps.length > 0 ? renderCaseSpec(testCase, steps) : '',
      secrets: secretNamesOf(steps),
      durationMs: Math.round(durationMs),
    };
    if (before) {
      const version = before.runId === run.id ? before.version : before.version + 1;
      await testScripts.update(before.id, { ...facts, version });
      return before.id;
    }
    const { projectId, owner, useCaseId } = testCase;
    const of = { projectId, owner, useCaseId, testCaseId: testCase.id };
    return (await testScripts.insert({ ...of, version: 1, ...facts })).id;
  });
}

function stepsAsJson(steps: readonly ScriptStep[]) {
  return z.json().parse(steps.length > 0 ? stepsShape.parse(steps) : []);
}

async function saveFailureEvidence(
  run: RunRow,
  context: Pick<RunContext, 'artifacts' | 'principal' | 'store' | 'secrets'>,
  testCase: QaTestCase,
  { failure, picture }: ScriptToSave,
) {
  if (!failure) return {};
  const { redactor } = context.secrets;
  const name = `${testCase.id}.jpg`;
  const shot =
    picture &&
    (await saveArtifact({ ...context, redactor }, run, {
      kind: 'screenshot',
      name,
      contentType: 'image/jpeg',
      data: picture,
    }));
  return {
    failure: { kind: failure.kind, reason: redactor.text(failure.reason), ...(shot && { screenshot: shot.id }) },
  };
}

/** The result of a run so far: the script, or the draft next to a working script. */
export function readDraft(
  run: Pick<RunRow, 'id'>,
  script: TestScript,
  placeholders: SecretPlaceholders,
): WrittenScript {
  const { candidate, mutants = [] } = readScriptDetails(script);
  const isBeside = candidate?.runId === run.id;
  const steps = stepsShape.parse(placeholders.restore(isBeside ? candidate.steps : script.steps));
  return { steps, mutants: isBeside ? candidate.mutants : mutants };
}
