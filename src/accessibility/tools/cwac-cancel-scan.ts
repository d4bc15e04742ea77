import * as z from 'zod';
import { defineTool } from '../../tool/tool.ts';
import { cancelScan } from '../scans.ts';
import { createScanServices } from './scan-services.ts';

export const cwacCancelScan = defineTool({
  name: 'cwac_cancel_scan',
  title: 'Stop an accessibility scan',
  description:
    'Cancel, stop, abort, interrupt or kill a scan (a11y check, WCAG audit) that is in progress or queued, e.g. because it takes too long. Findings until then are kept.',
  effect: 'write',
  idempotent: true,
  scope: 'accessibility:scan',
  input: z.object({ scan_id: z.string().describe('Scan id returned by cwac_scan') }),
  output: z.object({
    scan_id: z.string(),
    status: z
      .enum(['cancelling', 'ended'])
      .describe('cancelling: the scan is being stopped; ended: the scan had already ended'),
  }),
  async run({ scan_id }, context) {
    return cancelScan(await createScanServices(context), scan_id);
  },
});
