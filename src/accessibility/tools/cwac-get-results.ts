import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { readFindings } from '../results/findings.ts';
import { completeScan } from '../scans.ts';
import { cutShortNote, fileProblems } from './measures.ts';
import { scanRoom } from './room.ts';

export const cwacGetResults = defineTool({
  name: 'cwac_get_results',
  title: 'Findings of an accessibility scan',
  description:
    'The single findings of an accessibility scan, filtered by audit and impact: page, rule, element, how to fix it.',
  effect: 'read',
  scope: 'accessibility:read',
  input: z.object({
    scan_id: z.string().describe('From cwac_scan'),
    audit_type: z.string().optional().describe('e.g. axe_core_audit, html_validation'),
    impact: z.enum(['critical', 'serious', 'moderate', 'minor']).optional().describe('Only this'),
    limit: z.number().int().min(1).max(1000).default(100).describe('At most so many'),
  }),
  output: z.object({
    scan_id: z.string(),
    audit_type: z.string().optional(),
    total_results: z.number(),
    returned_results: z.number(),
    results: z.array(
      z.object({
        url: z.string(),
        rule_id: z.string(),
        impact: z.string(),
        description: z.string(),
        html: z.string(),
        target: z.string(),
        help_url: z.string(),
        help: z.string(),
        audit_type: z.string(),
        viewport: z.string(),
        num_issues: z.number(),
        page_title: z.string(),
        issue_id: z.string(),
        fingerprint: z.string().describe('The same for the same fault in every scan'),
        fix: z.string().optional().describe('How to mend this element'),
        selector: z.string().optional(),
        details: z
          .record(z.string(), z.string())
          .optional()
          .describe('What only this audit notes: line, reading grade, file of the screenshot …'),
      }),
    ),
    problems: fileProblems,
    note: cutShortNote,
  }),
  async run({ scan_id, audit_type, impact, limit }, context) {
    const { resultsDir, cutShort } = await completeScan(await scanRoom(context), scan_id);
    const { problems, ...findings } = await readFindings(resultsDir, {
      auditType: audit_type,
      impact,
      limit,
      signal: context.signal,
    });
    return {
      scan_id,
      ...(audit_type !== undefined && { audit_type }),
      ...findings,
      ...(cutShort !== undefined && { note: cutShort }),
      ...(problems.length > 0 && { problems: problems.map((problem) => ({ ...problem })) }),
    };
  },
});
