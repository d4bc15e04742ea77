import * as z from 'zod';
import type { RunRow } from '../store/store.ts';

/** Of what a replay keeps with its run, what a report shows. */
const replayed = z.object({
  healed: z.array(z.unknown()).default([]),
  attempts: z.array(z.object({ consoleErrors: z.array(z.string()), failedRequests: z.array(z.string()) })),
});

export function runFacts(run: RunRow | undefined): { consoleErrors: string[]; failedRequests: string[] } {
  const last = replayed.safeParse(run?.result).data?.attempts.at(-1);
  return { consoleErrors: last?.consoleErrors ?? [], failedRequests: last?.failedRequests ?? [] };
}

/** How many steps were found in another way. */
export function healedIn(run: RunRow): number {
  return replayed.safeParse(run.result).data?.healed.length ?? 0;
}
