import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { localIssuer } from '../../platform/principal.ts';
import { generateReport } from '../generate-report.ts';
import { reportUri } from '../resources/report.ts';
import { scanRoom } from './room.ts';

export const cwacGenerateReport = defineTool({
  name: 'cwac_generate_report',
  title: 'Write the reports of an accessibility scan',
  description:
    'Reports of an accessibility scan for people and CI: an HTML page (what changed, what to fix first), leaderboard CSV, JSON, SARIF, JUnit, PDF.',
  effect: 'write',
  idempotent: true,
  scope: 'accessibility:scan',
  input: z.object({
    scan_id: z.string().describe('From cwac_scan'),
    pdf: z.boolean().optional().describe('A PDF too'),
  }),
  output: z.object({
    scan_id: z.string(),
    status: z.literal('generated'),
    report_files: z.array(z.string()),
    verdict: z.string(),
    compared_with: z.string().optional().describe('Results of the scans before this one of the same sites'),
  }),
  async run({ scan_id, pdf = false }, context) {
    const { signal, browsers } = context;
    const { files, model, previous } = await generateReport(await scanRoom(context), scan_id, {
      pdf,
      signal,
      browsers,
    });
    const page = files.find((file) => file.endsWith('.html'));
    if (page) {
      // Whoever is not at this machine reads it through the server.
      const uri =
        context.principal.issuer === localIssuer ? pathToFileURL(page).href : reportUri(scan_id, 'report.html');
      context.attach({ type: 'link', uri, name: 'Accessibility report', mimeType: 'text/html' });
    }
    return {
      scan_id,
      status: 'generated' as const,
      report_files: files,
      verdict: model.verdict.sentence,
      ...(previous.length > 0 && { compared_with: previous.join(', ') }),
    };
  },
});
