import * as z from 'zod';
import { testVerdicts } from '../runs/run-kinds.ts';
import type { TestScript } from '../store/qa-store.ts';

/** Result of the last replay, stored with the script so that summaries need not read runs. */
const latestResult = z.object({
  verdict: z.enum(testVerdicts),
  failureClass: z.string().nullable(),
  error: z.string().nullable(),
  runId: z.string(),
  at: z.number(),
  healed: z.number(),
});
export type LatestResult = z.output<typeof latestResult>;

const mutants = z.array(
  z.object({ name: z.string(), noticed: z.number(), unnoticedBy: z.array(z.string()).default([]) }),
);

const scriptDetails = z.looseObject({
  latest: latestResult.optional(),
  failure: z.object({ kind: z.string(), reason: z.string(), screenshot: z.string().optional() }).optional(),
  mutants: mutants.optional(),
  /** A newer script that is not confirmed yet. */
  candidate: z.object({ steps: z.json(), mutants, runId: z.string() }).optional(),
});

export function readScriptDetails({ details }: Pick<TestScript, 'details'>): z.output<typeof scriptDetails> {
  return scriptDetails.safeParse(details).data ?? {};
}
