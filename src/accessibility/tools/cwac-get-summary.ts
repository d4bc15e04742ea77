import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { summarise } from '../results/summary.ts';
import { completeScan } from '../scans.ts';
import { cutShortNote, fileProblems } from './measures.ts';
import { scanRoom } from './room.ts';

const counts = z.record(z.string(), z.number());

export const cwacGetSummary = defineTool({
  name: 'cwac_get_summary',
  title: 'Summary of an accessibility scan',
  description:
    'What an accessibility scan found, in numbers: issues by audit and impact, the top ten violations, pages scanned.',
  effect: 'read',
  scope: 'accessibility:read',
  input: z.object({ scan_id: z.string().describe('From cwac_scan') }),
  output: z.object({
    scan_id: z.string(),
    audit_name: z.string(),
    total_issues: z.number(),
    issues_by_audit_type: counts,
    issues_by_impact: counts,
    top_violations: z.array(
      z.object({
        rule_id: z.string(),
        count: z.number(),
        impact: z.string(),
        description: z.string(),
        help: z.string(),
        help_url: z.string(),
      }),
    ),
    urls_scanned: z.number(),
    scan_duration: z.string().describe('Like 5m 42s'),
    needs_review: z.number().describe('What axe could not decide; not among the issues'),
    pages: counts.describe('Pages by how they ended: scanned, failed, skipped, blocked'),
    partly_tested: z
      .array(z.object({ what: z.string(), pages: z.number() }))
      .optional()
      .describe('What could not be tested on scanned pages'),
    problems: fileProblems,
    note: cutShortNote,
  }),
  async run({ scan_id }, context) {
    const { resultsDir, auditName, duration, cutShort } = await completeScan(await scanRoom(context), scan_id);
    const { problems, missed: _missed, partly_tested, ...summary } = await summarise(resultsDir, context.signal);
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
