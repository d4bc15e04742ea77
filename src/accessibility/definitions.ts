import { defineTools, presentPlainError } from '../tool/tool.ts';
import { checkWebsiteAccessibility } from './prompts/check-website-accessibility.ts';
import { fixAccessibilityIssues } from './prompts/fix-accessibility-issues.ts';
import { accessibilityReportResource } from './resources/report-resource.ts';
import { cwacCancelScan } from './tools/cwac-cancel-scan.ts';
import { cwacGenerateReport } from './tools/cwac-generate-report.ts';
import { cwacGetResults } from './tools/cwac-get-results.ts';
import { cwacGetSummary } from './tools/cwac-get-summary.ts';
import { cwacListScans } from './tools/cwac-list-scans.ts';
import { cwacScan } from './tools/cwac-scan.ts';
import { cwacScanStatus } from './tools/cwac-scan-status.ts';

const SCAN_AGAIN = 'Start the scan again with cwac_scan.';

/** By the codes whose texts the specification defines, and those of scans that failed. */
const nextSteps = {
  NO_URLS: 'Pass urls, for example ["https://example.org/"].',
  TOO_MANY_URLS: 'Split the list, and start one cwac_scan for each part.',
  INVALID_URL: 'Pass full addresses that start with http:// or https://.',
  NO_SCAN: 'Call cwac_list_scans for the scans and their ids.',
  SCAN_RUNNING: 'Poll cwac_scan_status with this scan_id until the scan has ended.',
  NO_RESULTS_DIR: `The results were deleted or never written. ${SCAN_AGAIN}`,
  RESULTS_MISSING: SCAN_AGAIN,
  RESULTS_UNREADABLE: 'Give the user that runs Assay read access to the folder, then call the tool again.',
  CWAC_MISSING: 'Set ASSAY_CWAC_DIR to an installation of CWAC, or ASSAY_ACCESSIBILITY_ENGINE to native.',
  CWAC_CONFIG_MISSING: 'Reinstall CWAC, or set ASSAY_ACCESSIBILITY_ENGINE to native.',
  CWAC_CONFIG_BROKEN: 'Correct the file, or set ASSAY_ACCESSIBILITY_ENGINE to native.',
  WORKSPACE_UNUSABLE: 'Make the folder writable, or set ASSAY_HOME to another one.',
  ENGINE_NOT_STARTED: 'Run assay doctor, which checks what the engine needs, then start the scan again with cwac_scan.',
  ENGINE_FAILED: `Correct what the message names. ${SCAN_AGAIN}`,
  SCAN_FAILED: `Correct what the message names. ${SCAN_AGAIN}`,
  NOTHING_SCANNED: 'Open the addresses in a browser, correct urls, then start the scan again with cwac_scan.',
  INTERRUPTED: 'Call cwac_get_summary for the results so far, or cwac_scan for a new scan.',
  REPORT_TIMEOUT: 'Call cwac_generate_report again, without pdf if it was requested.',
  REPORT_FAILED: 'Correct what the message names, then call cwac_generate_report again.',
  PDF_FAILED: 'Call cwac_generate_report again without pdf.',
  REPORT_UNWRITABLE: 'Make the results folder writable, then call cwac_generate_report again.',
};

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
  polling: { how: 'cwac_scan_status', tools: ['cwac_scan_status'] },
  prompts: [checkWebsiteAccessibility, fixAccessibilityIssues],
  resources: [accessibilityReportResource],
  presentError: (failure) => presentPlainError(failure, nextSteps),
});
