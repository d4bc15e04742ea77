import type { Row } from '../csv.ts';
import type { HtmlFault } from '../html-validator.ts';
import { type Audit, cleanRow, firstCharacters, inOrder, issueRow, standardColumns } from './audit.ts';
import { issueId } from './issue-id.ts';

const TYPE = 'HtmlValidationAudit';
/** Larger than this is a data dump, not a page that someone wrote. */
const LARGEST_SOURCE = 3_000_000;

/** Validates the HTML as it was served, once for each page. */
export const htmlValidation: Audit = {
  name: 'html_validation',
  once: true,
  async run(sight, settings) {
    const source = await sight.source();
    if (source === undefined) return { rows: {}, issues: 0, partial: ['the served HTML was not at hand to validate'] };
    if (source.length > LARGEST_SOURCE) {
      return { rows: {}, issues: 0, partial: ['the served HTML is too large to validate'] };
    }
    let faults: HtmlFault[];
    try {
      faults = inSource(await sight.validateHtml(source, settings.preset ?? 'standard', sight.scriptLimitMs));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return { rows: {}, issues: 0, partial: [`the HTML could not be validated: ${firstCharacters(why, 200)}`] };
    }
    const lines = source.split('\n');
    const standard = standardColumns(sight);
    const rows = faults.map((fault): Row => {
      const html = firstCharacters((lines[fault.line - 1] ?? '').slice(fault.column - 1).trim(), 100);
      const columns = issueRow(standard, {
        audit_type: TYPE,
        issue_id: issueId(sight.siteUrl, fault.rule, `${fault.selector}${html}`, sight.view),
        description: fault.message,
        target: fault.selector,
        num_issues: 1,
        help: fault.severe ? 'error' : 'warning',
        helpUrl: fault.helpUrl,
        id: fault.rule,
        impact: '',
        html,
        tags: '[]',
        bestPractice: false,
      });
      return { ...columns, line: fault.line, column: fault.column };
    });
    const clean = { ...cleanRow(standard, TYPE), line: '', column: '' };
    return { rows: { html_validation: rows.length > 0 ? rows : [clean] }, issues: rows.length };
  },
};

function inSource(faults: readonly HtmlFault[]): HtmlFault[] {
  return faults.toSorted((a, b) => inOrder(a.rule, b.rule) || a.line - b.line || a.column - b.column);
}
