import type { CsvRow } from '../output/csv-rows.ts';
import { type Audit, compareText, issueRow, noIssuesRow, standardColumns, truncateCharacters } from './audit.ts';
import type { HtmlError } from './html-validator.ts';
import { issueId } from './issue-id.ts';

const TYPE = 'HtmlValidationAudit';
/** Larger sources are data dumps rather than pages, and take too long to validate. */
const MAX_SOURCE_LENGTH = 3_000_000;

/** Validates the HTML as served, once per page. */
export const htmlValidationAudit: Audit = {
  name: 'html_validation',
  isViewportIndependent: true,
  async run(auditTarget, settings) {
    const source = await auditTarget.source();
    if (source === undefined)
      return { rows: {}, issues: 0, partial: ['the served HTML was not available to be validated'] };
    if (source.length > MAX_SOURCE_LENGTH) {
      return { rows: {}, issues: 0, partial: ['the served HTML is too large to validate'] };
    }
    let htmlErrors: HtmlError[];
    try {
      htmlErrors = sortByRuleAndPosition(
        await auditTarget.validateHtml(source, settings.preset ?? 'standard', auditTarget.scriptLimitMs),
      );
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { rows: {}, issues: 0, partial: [`the HTML could not be validated: ${truncateCharacters(reason, 200)}`] };
    }
    const lines = source.split('\n');
    const standard = standardColumns(auditTarget);
    const rows = htmlErrors.map((htmlError): CsvRow => {
      const html = truncateCharacters((lines[htmlError.line - 1] ?? '').slice(htmlError.column - 1).trim(), 100);
      const columns = issueRow(standard, {
        audit_type: TYPE,
        issue_id: issueId(auditTarget.siteUrl, htmlError.rule, `${htmlError.selector}${html}`, auditTarget.viewport),
        description: htmlError.message,
        target: htmlError.selector,
        num_issues: 1,
        help: htmlError.severe ? 'error' : 'warning',
        helpUrl: htmlError.helpUrl,
        id: htmlError.rule,
        impact: '',
        html,
        tags: '[]',
        bestPractice: false,
      });
      return { ...columns, line: htmlError.line, column: htmlError.column };
    });
    const clean = { ...noIssuesRow(standard, TYPE), line: '', column: '' };
    return { rows: { html_validation: rows.length > 0 ? rows : [clean] }, issues: rows.length };
  },
};

function sortByRuleAndPosition(htmlErrors: readonly HtmlError[]): HtmlError[] {
  return htmlErrors.toSorted((a, b) => compareText(a.rule, b.rule) || a.line - b.line || a.column - b.column);
}
