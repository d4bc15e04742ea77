import * as z from 'zod';
import type { RunRow } from '../store/qa-store.ts';

/** The parts of a replay result that a report shows. */
const replayResult = z.object({
  healed: z.array(z.unknown()).default([]),
  attempts: z.array(z.object({ consoleErrors: z.array(z.string()), failedRequests: z.array(z.string()) })),
});

export function readReplayErrors(run: RunRow | undefined): { consoleErrors: string[]; failedRequests: string[] } {
  const last = replayResult.safeParse(run?.result).data?.attempts.at(-1);
  return { consoleErrors: last?.consoleErrors ?? [], failedRequests: last?.failedRequests ?? [] };
}

/** Number of steps that used a fallback locator. */
export function countHealedSteps(run: RunRow): number {
  return replayResult.safeParse(run.result).data?.healed.length ?? 0;
}
