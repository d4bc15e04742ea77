import { defineToolset } from '../mcp/tool.ts';
import { reportResource } from './resources/report.ts';
import { cwacCancelScan } from './tools/cwac-cancel-scan.ts';
import { cwacGenerateReport } from './tools/cwac-generate-report.ts';
import { cwacGetResults } from './tools/cwac-get-results.ts';
import { cwacGetSummary } from './tools/cwac-get-summary.ts';
import { cwacListScans } from './tools/cwac-list-scans.ts';
import { cwacScan } from './tools/cwac-scan.ts';
import { cwacScanStatus } from './tools/cwac-scan-status.ts';

export const accessibility = defineToolset({
  name: 'accessibility',
  title: 'Accessibility',
  summary:
    'Is this site accessible, and what is to be fixed first? Scans a page or a whole site in a real browser (axe, HTML, reflow, focus, SEO), follows a scan to its end, and writes reports.',
  tools: [cwacScan, cwacScanStatus, cwacGetResults, cwacGetSummary, cwacListScans, cwacGenerateReport, cwacCancelScan],
  resources: [reportResource],
  presentError: ({ message }) => ({ text: `Error: ${message}` }),
});
