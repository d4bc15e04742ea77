import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import { localIssuer } from '../../platform/principal.ts';
import { untrusted } from '../../platform/text/untrusted-schema.ts';
import { defineTool } from '../../tool/tool.ts';
import { generateScanReport } from '../generate-report.ts';
import { accessibilityReportUri } from '../resources/report-resource.ts';
import { createScanServices } from './scan-services.ts';

export const cwacGenerateReport = defineTool({
  name: 'cwac_generate_report',
  title: 'Accessibility report (HTML, PDF)',
  description:
    'Generate, write or produce a report of accessibility findings (a11y, WCAG): a document of the results to share with or send to a team, manager, boss, client or customer, as HTML or PDF. Also CSV, JSON, SARIF and JUnit for CI.',
  effect: 'write',
  idempotent: true,
  scope: 'accessibility:scan',
  input: z.object({
    scan_id: z.string().describe('Scan id returned by cwac_scan'),
    pdf: z.boolean().optional().describe('Also write a PDF; default false'),
  }),
  output: z.object({
    scan_id: z.string(),
    status: z.literal('generated'),
    report_files: z.array(z.string()),
    verdict: untrusted(z.string()),
    compared_with: z
      .string()
      .optional()
      .describe('Results folders of the earlier scans that this scan is compared with'),
  }),
  async run({ scan_id, pdf = false }, context) {
    const { signal, browsers } = context;
    const {
      files,
      model,
      previousDirs: previous,
    } = await generateScanReport(await createScanServices(context), scan_id, {
      pdf,
      signal,
      browsers,
    });
    const page = files.find((file) => file.endsWith('.html'));
    if (page) {
      // Remote callers cannot open local files, so they get a resource of the server.
      const uri =
        context.principal.issuer === localIssuer
          ? pathToFileURL(page).href
          : accessibilityReportUri(scan_id, 'report.html');
      context.attachLink({ uri, name: 'Accessibility report', mimeType: 'text/html' });
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
