import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { cancelScan } from '../scans.ts';
import { scanRoom } from './room.ts';

export const cwacCancelScan = defineTool({
  name: 'cwac_cancel_scan',
  title: 'Cancel an accessibility scan',
  description: 'Stop an accessibility scan that is running or waiting. What it has found so far is kept.',
  effect: 'write',
  idempotent: true,
  scope: 'accessibility:scan',
  input: z.object({ scan_id: z.string().describe('From cwac_scan') }),
  output: z.object({
    scan_id: z.string(),
    status: z.enum(['cancelling', 'ended']).describe('ended: it had ended before'),
  }),
  async run({ scan_id }, context) {
    return cancelScan(await scanRoom(context), scan_id);
  },
});
