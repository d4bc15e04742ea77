import * as z from 'zod';
import { readScriptDetails } from '../artifacts/script-details.ts';
import { saveArtifact } from '../runs/run-artifacts.ts';
import type { RunContext } from '../runs/run-context.ts';
import type { SecretPlaces } from '../secrets/places.ts';
import type { QaTestCase, RunRow, TestScript } from '../store/qa-store.ts';
import { type Step, secretsOf, steps as stepsShape } from './model.ts';
import { specFor } from './spec-for.ts';
import type { Written } from './written.ts';

export const scriptStates = ['draft', 'active', 'failed'] as const;
export type ScriptState = (typeof scriptStates)[number];

export type ScriptSource = 'generated' | 'authored';

interface ToKeep extends Written {
  durationMs: number;
  source: ScriptSource;
}

/**
 * Keeps a script with its case: each case has one. What has not yet proven itself, or failed to, does not replace a script
 * that works; it is only remembered beside it.
 */
export async function keepScript(
  run: RunRow,
  place: Pick<RunContext, 'home' | 'principal' | 'store' | 'secrets'>,
  testCase: QaTestCase,
  written: ToKeep,
  status: ScriptState,
): Promise<string> {
  const { places } = place.secrets;
  const evidence = await evidenceOf(run, place, testCase, written);
  const steps = places.hide(written.steps);
  const details = { mutants: written.mutants, ...evidence };
  // A replay that ends in between writes its verdict into the same row.
  return place.store.transaction(async ({ testScripts }) => {
    const before = await testScripts.newest({ testCaseId: testCase.id });
    if (before?.status === 'active' && status !== 'active' && before.runId !== run.id) {
      const { candidate: _, ...others } = readScriptDetails(before);
      const candidate = { steps: asJson(steps), mutants: written.mutants, runId: run.id };
      const remembered = status === 'draft' ? { candidate } : { lastAttempt: details };
      await testScripts.update(before.id, { details: z.json().parse({ ...others, ...remembered }) });
      return before.id;
    }
    const { durationMs, source } = written;
    const facts = {
      name: testCase.title,
      url: testCase.url,
      ...{ status, source, steps: asJson(steps), details, runId: run.id },
      spec: steps.length > 0 ? specFor(testCase, steps) : '',
      secrets: secretsOf(steps),
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

function asJson(steps: readonly Step[]) {
  return z.json().parse(steps.length > 0 ? stepsShape.parse(steps) : []);
}

async function evidenceOf(
  run: RunRow,
  place: Pick<RunContext, 'home' | 'principal' | 'store' | 'secrets'>,
  testCase: QaTestCase,
  { failure, picture }: ToKeep,
) {
  if (!failure) return {};
  const { redactor } = place.secrets;
  const name = `${testCase.id}.jpg`;
  const shot =
    picture &&
    (await saveArtifact({ ...place, redactor }, run, {
      kind: 'screenshot',
      name,
      contentType: 'image/jpeg',
      data: picture,
    }));
  return {
    failure: { kind: failure.kind, reason: redactor.text(failure.reason), ...(shot && { screenshot: shot.id }) },
  };
}

/** What a run has written so far, whether it stands in the script's place or beside it. */
export function draftOf(run: Pick<RunRow, 'id'>, script: TestScript, places: SecretPlaces): Written {
  const { candidate, mutants = [] } = readScriptDetails(script);
  const isBeside = candidate?.runId === run.id;
  const steps = stepsShape.parse(places.restore(isBeside ? candidate.steps : script.steps));
  return { steps, mutants: isBeside ? candidate.mutants : mutants };
}
