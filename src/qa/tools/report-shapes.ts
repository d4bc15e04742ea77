import * as z from 'zod';

/** A report, as every tool that tells of one says it. */
export const reportShape = {
  reportId: z.string(),
  projectId: z.string(),
  format: z.string(),
  status: z.string(),
  error: z.string().optional(),
  createdAt: z.string(),
  finishedAt: z.string().optional(),
  files: z.array(z.object({ name: z.string(), uri: z.string(), contentType: z.string(), size: z.number() })),
  deliveries: z.array(
    z.object({
      channel: z.string(),
      target: z.string(),
      status: z.string().describe('sending, delivered, failed, not_configured'),
      attempts: z.number(),
      error: z.string().optional(),
      log: z.array(
        z.object({
          number: z.number(),
          status: z.string(),
          response: z.string(),
          durationMs: z.number(),
          at: z.string(),
        }),
      ),
    }),
  ),
};
