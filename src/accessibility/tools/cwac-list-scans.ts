import * as z from 'zod';
import { untrusted, untrustedName } from '../../platform/text/untrusted-schema.ts';
import { defineTool } from '../../tool/tool.ts';
import { listScans } from '../scan-list.ts';
import { createScanServices } from './scan-services.ts';

export const cwacListScans = defineTool({
  name: 'cwac_list_scans',
  title: 'History of accessibility scans',
  description:
    'List all previous, past or earlier checks (a11y audits) that ran or were done before, newest first: history of which sites were scanned so far and when, e.g. last month, with scan ids and available results.',
  effect: 'read',
  scope: 'accessibility:read',
  longReply: { offset: true },
  input: z.object({}),
  output: z.object({
    scans: z.array(
      z.object({
        scan_id: z.string().optional().describe('Scan id for the other tools; absent for scans that were run by hand'),
        name: untrustedName(z.string()),
        timestamp: z.string(),
        path: untrustedName(z.string()),
        audit_types: untrustedName(z.array(z.string())),
        file_count: z.number(),
        size_bytes: z.number(),
        problem: untrusted(z.string()).optional(),
      }),
    ),
    total_scans: z.number(),
    results_directory: z.string(),
    note: z.string().optional(),
  }),
  async run(_args, context) {
    return listScans(await createScanServices(context));
  },
});
