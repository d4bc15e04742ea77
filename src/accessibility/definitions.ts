import { defineTools } from '../tool/tool.ts';
import { accessibilityReportResource } from './resources/report-resource.ts';
import { cwacCancelScan } from './tools/cwac-cancel-scan.ts';
import { cwacGenerateReport } from './tools/cwac-generate-report.ts';
import { cwacGetResults } from './tools/cwac-get-results.ts';
import { cwacGetSummary } from './tools/cwac-get-summary.ts';
import { cwacListScans } from './tools/cwac-list-scans.ts';
import { cwacScan } from './tools/cwac-scan.ts';
import { cwacScanStatus } from './tools/cwac-scan-status.ts';

export const accessibilityDefinitions = defineTools({
  name: 'accessibility',
  title: 'Accessibility',
  summary:
    'Checks websites for accessibility problems (WCAG, contrast, screen readers) in a real browser and writes reports. Start with cwac_scan, poll cwac_scan_status, then read cwac_get_summary.',
  questions: [
    { question: 'Is this website accessible (WCAG)?', tool: 'cwac_scan' },
    { question: 'How far is the scan?', tool: 'cwac_scan_status' },
    { question: 'What did the scan find?', tool: 'cwac_get_summary' },
  ],
  tools: [cwacScan, cwacScanStatus, cwacGetResults, cwacGetSummary, cwacListScans, cwacGenerateReport, cwacCancelScan],
  resources: [accessibilityReportResource],
  presentError: ({ message }) => ({ text: `Error: ${message}` }),
});
