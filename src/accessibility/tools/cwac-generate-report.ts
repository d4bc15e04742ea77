import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { Failure } from '../../platform/errors.ts';
import { localIssuer } from '../../platform/principal.ts';
import { writeReport } from '../report/write.ts';
import { reportUri } from '../resources/report.ts';
import { completeScan, previousResults } from '../scans.ts';
import { scanRoom } from './room.ts';

const WITHIN_MS = 120_000;

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
    compared_with: z.string().optional().describe('The scan before this one of the same sites'),
  }),
  async run({ scan_id, pdf = false }, context) {
    const room = await scanRoom(context);
    const { resultsDir, duration } = await completeScan(room, scan_id);
    const previous = await previousResults(room, resultsDir);
    const limit = AbortSignal.timeout(WITHIN_MS);
    try {
      const { files, model } = await writeReport(resultsDir, {
        formats: ['json', 'leaderboard', 'html', 'sarif', 'junit', ...(pdf ? (['pdf'] as const) : [])],
        previous,
        run: { engine: room.engine.name, duration },
        signal: AbortSignal.any([context.signal, limit]),
        browsers: context.browsers,
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
        ...(previous && { compared_with: previous }),
      };
    } catch (error) {
      if (!limit.aborted) throw error;
      throw new Failure('unavailable', 'REPORT_TIMEOUT', 'Report generation timed out after 120 seconds');
    }
  },
});
