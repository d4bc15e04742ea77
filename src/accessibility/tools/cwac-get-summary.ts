import * as z from 'zod';
import { untrusted } from '../../platform/text/untrusted-schema.ts';
import { defineTool } from '../../tool/tool.ts';
import { summariseScan } from '../results/scan-summary.ts';
import { requireEndedScan } from '../scans.ts';
import { createScanServices } from './scan-services.ts';
import { cutShortNote, fileProblems } from './shared-fields.ts';

const counts = z.record(z.string(), z.number());

export const cwacGetSummary = defineTool({
  name: 'cwac_get_summary',
  title: 'Summary: how accessible the site is, in numbers',
  description:
    'Overview or statistics of an accessibility scan (a11y, WCAG, axe) in numbers, how bad it is in short: how many issues or problems in total, count by impact (severity) and audit. Top ten violations, i.e. the worst or most important issues to fix first.',
  effect: 'read',
  scope: 'accessibility:read',
  input: z.object({ scan_id: z.string().describe('Scan id returned by cwac_scan') }),
  output: z.object({
    scan_id: z.string(),
    audit_name: z.string(),
    total_issues: z.number(),
    issues_by_audit_type: counts,
    issues_by_impact: counts,
    top_violations: z.array(
      z.object({
        rule_id: untrusted(z.string(), { max: 200 }),
        count: z.number(),
        impact: z.string(),
        description: untrusted(z.string()),
        help: untrusted(z.string(), { max: 500 }),
        help_url: untrusted(z.string(), { max: 500 }),
      }),
    ),
    urls_scanned: z.number(),
    scan_duration: z.string().describe('Duration, e.g. 5m 42s'),
    needs_review: z.number().describe('Number of results that axe could not decide; not counted as issues'),
    pages: counts.describe('Number of pages by outcome: scanned, failed, skipped, blocked'),
    partly_tested: z
      .array(z.object({ what: untrusted(z.string(), { max: 300 }), pages: z.number() }))
      .optional()
      .describe('Checks that could not run on scanned pages, with the number of pages'),
    problems: fileProblems,
    note: cutShortNote,
  }),
  async run({ scan_id }, context) {
    const { resultsDir, auditName, duration, cutShort } = await requireEndedScan(
      await createScanServices(context),
      scan_id,
    );
    const { problems, missed: _missed, partly_tested, ...summary } = await summariseScan(resultsDir, context.signal);
    return {
      scan_id,
      audit_name: auditName,
      ...summary,
      scan_duration: duration,
      ...(partly_tested.length > 0 && { partly_tested }),
      ...(cutShort !== undefined && { note: cutShort }),
      ...(problems.length > 0 && { problems: problems.map((problem) => ({ ...problem })) }),
    };
  },
});
