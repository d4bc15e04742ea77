import * as z from 'zod';
import { Failure } from '../../platform/errors.ts';
import type { RunHandler } from '../runs/run-context.ts';
import { withUsageMeter } from '../runs/usage-meter.ts';
import { replayScript } from './replay.ts';

export const replayPayload = z.object({ testScriptId: z.string(), baseUrl: z.string().nullable() });

/** One script, played and judged. */
export const replayOnce: RunHandler = async (run, place) => {
  const { testScriptId, baseUrl } = replayPayload.parse(run.runtime.payload);
  const script = await place.store.testScripts.get(testScriptId);
  if (!script) throw new Failure('not_found', 'NOT_FOUND', `The script ${testScriptId} is gone.`);
  place.progress(0, 1, script.name);
  const {
    durationMs: _,
    healed: __,
    ...outcome
  } = await withUsageMeter(place.charge, (meter) =>
    replayScript(place, run, script, { baseUrl: baseUrl ?? undefined, meter }),
  );
  return { ...outcome, message: outcome.verdict };
};
