import * as z from 'zod';

/** The payload of a job: which run it executes, and for which owner. */
export const runPayload = z.object({ runId: z.string(), issuer: z.string(), subject: z.string() });

/** What a job reports while it runs. */
export const runProgress = z.object({ percent: z.number(), message: z.string().nullable(), at: z.number() });
