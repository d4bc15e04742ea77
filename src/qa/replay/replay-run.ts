import * as z from 'zod';
import { Failure } from '../../platform/errors.ts';
import type { RunHandler } from '../runs/run-context.ts';
import { withUsageMeter } from '../runs/usage-meter.ts';
import { replayScript } from './replay-script.ts';

export const replayPayload = z.object({ testScriptId: z.string(), baseUrl: z.string().nullable() });

/** Replays one script and stores its verdict. */
export const replayOnce: RunHandler = async (run, context) => {
  const { testScriptId, baseUrl } = replayPayload.parse(run.runtime.payload);
  const script = await context.store.testScripts.get(testScriptId);
  if (!script)
    throw new Failure(
      'not_found',
      'NOT_FOUND',
      `The script ${testScriptId} no longer exists. Call qa_test_script_list for the current scripts.`,
    );
  context.progress(0, 1, script.name);
  const {
    durationMs: _,
    healed: __,
    ...outcome
  } = await withUsageMeter(context.charge, (meter) =>
    replayScript(context, run, script, { baseUrl: baseUrl ?? undefined, meter }),
  );
  return { ...outcome, message: outcome.verdict };
};
