import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { listScans } from '../scans.ts';
import { scanRoom } from './room.ts';

export const cwacListScans = defineTool({
  name: 'cwac_list_scans',
  title: 'List accessibility scans',
  description: 'All accessibility scans whose results are there, newest first, those run by hand too.',
  effect: 'read',
  scope: 'accessibility:read',
  input: z.object({}),
  output: z.object({
    scans: z.array(
      z.object({
        scan_id: z.string().optional().describe('For the other tools; scans run by hand have none'),
        name: z.string(),
        timestamp: z.string(),
        path: z.string(),
        audit_types: z.array(z.string()),
        file_count: z.number(),
        size_bytes: z.number(),
        problem: z.string().optional(),
      }),
    ),
    total_scans: z.number(),
    results_directory: z.string(),
    note: z.string().optional(),
  }),
  async run(_args, context) {
    return listScans(await scanRoom(context));
  },
});
