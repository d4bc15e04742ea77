import * as z from 'zod';
import { untrusted } from '../../platform/text/untrusted-schema.ts';
import { inDetail } from '../../tool/detail-schema.ts';
import { defineTool } from '../../tool/tool.ts';
import { queryFindings } from '../results/findings-query.ts';
import { requireEndedScan } from '../scans.ts';
import { createScanServices } from './scan-services.ts';
import { cutShortNote, fileProblems } from './shared-fields.ts';

const MOST_RESULTS = 100;

const result = z.object({
  url: untrusted(z.string(), { max: 2_000 }),
  rule_id: untrusted(z.string(), { max: 200 }),
  impact: z.string(),
  description: untrusted(z.string()),
  html: untrusted(z.string(), { max: 500 }),
  target: untrusted(z.string(), { max: 500 }),
  help_url: untrusted(z.string(), { max: 500 }),
  help: inDetail(untrusted(z.string(), { max: 500 })),
  audit_type: z.string(),
  viewport: inDetail(z.string()),
  num_issues: inDetail(z.number()),
  page_title: inDetail(untrusted(z.string(), { max: 300 })),
  issue_id: inDetail(z.string()),
  fingerprint: inDetail(z.string()).describe('Identifier of the issue, equal in every scan'),
  fix: untrusted(z.string()).optional().describe('How to fix this element'),
  selector: inDetail(untrusted(z.string(), { max: 500 })),
  details: inDetail(z.record(z.string(), untrusted(z.string(), { max: 300 }))).describe(
    'Columns that only this audit has, e.g. line, reading grade or screenshot file',
  ),
});

export const cwacGetResults = defineTool({
  name: 'cwac_get_results',
  title: 'Accessibility violations in detail',
  description:
    'Each violation, issue or error of an accessibility scan (a11y, WCAG, axe): where on the page, which rule (e.g. contrast, missing alt text), affected element with selector and HTML, how to fix it. Filter by audit and impact (critical, serious, moderate, minor).',
  effect: 'read',
  scope: 'accessibility:read',
  longReply: { offset: true, detail: true, lists: { results: { total: 'total_results', shown: 'returned_results' } } },
  input: z.object({
    scan_id: z.string().describe('Scan id returned by cwac_scan'),
    audit_type: z.string().optional().describe('Only this audit, e.g. axe_core_audit or html_validation; default: all'),
    impact: z
      .enum(['critical', 'serious', 'moderate', 'minor'])
      .optional()
      .describe('Only violations of this impact; default: all'),
    limit: z.number().int().min(1).max(1000).default(MOST_RESULTS).describe('Maximum number of violations to return'),
  }),
  output: z.object({
    scan_id: z.string(),
    audit_type: z.string().optional(),
    total_results: z.number(),
    returned_results: z.number(),
    results: z.array(result),
    problems: fileProblems,
    note: cutShortNote,
  }),
  async run({ scan_id, audit_type, impact, limit }, context, { offset }) {
    const { resultsDir, cutShort } = await requireEndedScan(await createScanServices(context), scan_id);
    const { problems, total_results, results } = await queryFindings(resultsDir, {
      auditType: audit_type,
      impact,
      limit: offset + limit,
      signal: context.signal,
    });
    return {
      scan_id,
      ...(audit_type !== undefined && { audit_type }),
      total_results,
      returned_results: results.length,
      results,
      ...(cutShort !== undefined && { note: cutShort }),
      ...(problems.length > 0 && { problems: problems.map((problem) => ({ ...problem })) }),
    };
  },
});
