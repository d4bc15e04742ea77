import * as z from 'zod';
import { untrusted } from '../../platform/text/untrusted-schema.ts';
import { defineTool } from '../../tool/tool.ts';
import { parseProgressOutput } from '../progress-output.ts';
import { readScanStatus } from '../scans.ts';
import { createScanServices } from './scan-services.ts';

export const cwacScanStatus = defineTool({
  name: 'cwac_scan_status',
  title: 'Status of an accessibility scan',
  description:
    'Status and progress of a scan or audit (a11y, WCAG, axe): how far along it is, how long it takes, still running, ready, done, finished, complete or failed, pages checked so far and elapsed time. Then call cwac_get_summary.',
  effect: 'read',
  scope: 'accessibility:read',
  input: z.object({ scan_id: z.string().describe('Scan id returned by cwac_scan') }),
  output: z.object({
    scan_id: z.string(),
    status: z.enum(['running', 'complete', 'failed', 'cancelled']),
    elapsed_time: z.string().describe('Duration so far, e.g. 2m 15s'),
    stdout_tail: untrusted(z.string(), { max: 8_000 })
      .optional()
      .describe('Last 20 lines of output, while the scan runs'),
    pages_done: z.number().optional().describe('Number of pages visited so far, while the scan runs'),
    pages_found: z.number().optional().describe('Number of pages found so far, while the scan runs'),
    results_dir: z.string().optional(),
    exit_code: z.number().optional(),
    stderr: untrusted(z.string(), { max: 8_000 }).optional().describe('Error output of a failed scan'),
    warnings: untrusted(z.array(z.string())).optional(),
  }),
  async run({ scan_id }, context) {
    const status = await readScanStatus(await createScanServices(context), scan_id);
    if (status.status !== 'running') return status;
    const { done, total, message } = parseProgressOutput(status.stdout_tail);
    context.progress(done, total, message);
    return { ...status, pages_done: done, ...(total !== undefined && { pages_found: total }) };
  },
});
