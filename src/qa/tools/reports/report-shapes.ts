import * as z from 'zod';
import { untrusted } from '../../../platform/text/untrusted-schema.ts';
import type { ToolContext } from '../../../tool/tool.ts';

/** Output shape of a report. */
export const reportShape = {
  reportId: z.string(),
  projectId: z.string(),
  format: z.string(),
  status: z.string(),
  error: untrusted(z.string(), { max: 2_000 }).optional(),
  createdAt: z.string(),
  finishedAt: z.string().optional(),
  files: z.array(
    z.object({
      name: z.string(),
      uri: z.string(),
      contentType: z.string(),
      size: z.number(),
      path: z.string().optional().describe('Path of the file on this machine; only for its user'),
    }),
  ),
  deliveries: z.array(
    z.object({
      channel: z.string(),
      target: z.string(),
      status: z.string().describe('State of the delivery: sending, delivered, failed or not_configured'),
      attempts: z.number(),
      error: untrusted(z.string(), { max: 2_000 }).optional(),
      log: z.array(
        z.object({
          number: z.number(),
          status: z.string(),
          response: untrusted(z.string(), { max: 2_000 }),
          durationMs: z.number(),
          at: z.string(),
        }),
      ),
    }),
  ),
};

/** Attaches links to the files of a report. */
export function attachReportFiles(
  { files }: { files: readonly { name: string; uri: string; contentType: string }[] },
  { attachLink }: Pick<ToolContext, 'attachLink'>,
): void {
  for (const { name, uri, contentType } of files) attachLink({ uri, name, mimeType: contentType });
}
