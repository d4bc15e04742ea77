import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { howFar } from '../how-far.ts';
import { scanStatus } from '../scans.ts';
import { scanRoom } from './room.ts';

export const cwacScanStatus = defineTool({
  name: 'cwac_scan_status',
  title: 'Status of an accessibility scan',
  description:
    'How far an accessibility scan is: status, elapsed time, the last lines of its output, where its results are.',
  effect: 'read',
  scope: 'accessibility:read',
  input: z.object({ scan_id: z.string().describe('From cwac_scan') }),
  output: z.object({
    scan_id: z.string(),
    status: z.enum(['running', 'complete', 'failed', 'cancelled']),
    elapsed_time: z.string().describe('Like 2m 15s'),
    stdout_tail: z.string().optional().describe('While it runs: the last 20 lines'),
    pages_done: z.number().optional().describe('While it runs'),
    pages_found: z.number().optional().describe('Of which so many are to be scanned, as far as is known'),
    results_dir: z.string().optional(),
    exit_code: z.number().optional(),
    stderr: z.string().optional().describe('Why it failed'),
    warnings: z.array(z.string()).optional(),
  }),
  async run({ scan_id }, context) {
    const status = await scanStatus(await scanRoom(context), scan_id);
    if (status.status !== 'running') return status;
    const { done, total, message } = howFar(status.stdout_tail);
    context.progress(done, total, message);
    return { ...status, pages_done: done, ...(total !== undefined && { pages_found: total }) };
  },
});
