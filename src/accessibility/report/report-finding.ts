import type { AuditFinding } from '../results/audit-finding.ts';

/** HTML validation rules that affect people: names, labels, roles, headings. Rules named `wcag/…` do too. */
const htmlRulesAboutPeople = new Set(
  (
    'area-alt aria-hidden-body aria-label-misuse empty-heading empty-title hidden-focusable input-missing-label ' +
    'meta-refresh multiple-labeled-controls no-abstract-role no-dup-id no-multiple-main svg-focusable text-content ' +
    'unique-landmark valid-autocomplete valid-for'
  ).split(' '),
);

/** Whether a finding affects people. Hints for search engines, addresses that could not be opened, and invisible HTML errors do not. */
export function isAboutPeople({ auditType, ruleId }: Pick<AuditFinding, 'auditType' | 'ruleId'>): boolean {
  if (auditType === 'html_validation') return ruleId.startsWith('wcag/') || htmlRulesAboutPeople.has(ruleId);
  return auditType !== 'seo_audit' && auditType !== 'crawl_audit';
}

const crawlTitles: Record<string, string> = {
  'crawl-status': 'Links lead to pages that return an error',
  'crawl-timeout': 'Pages do not respond within the time limit',
  'crawl-failed': 'Pages cannot be opened',
  'crawl-anti-bot': 'Bot protection blocks the scan',
  'crawl-address': 'Links lead to addresses that must not be visited',
};

/**
 * Completes a finding for the report. CWAC's tables have no impact for reflow and focus indicator; both fail WCAG level AA, which
 * axe mostly rates as serious, so the report does too.
 */
export function toReportFinding(row: AuditFinding): AuditFinding {
  switch (row.auditType) {
    case 'reflow_audit':
      return wcagFailure(row, 'Content must fit a window 320 pixels wide', 'wcag2aa wcag1410');
    case 'focus_indicator_audit':
      return wcagFailure(row, 'Elements must show when they have the focus', 'wcag2aa wcag247');
    case 'html_validation':
      return {
        ...row,
        help: /^(error|warning)$/i.test(row.help) ? '' : row.help,
        failureSummary: summaryWithParent(row),
      };
    case 'seo_audit':
      return { ...row, failureSummary: summaryWithParent(row) };
    case 'crawl_audit':
      return { ...row, help: row.help || (crawlTitles[row.ruleId] ?? ''), failureSummary: summaryWithParent(row) };
    default:
      return row;
  }
}

function wcagFailure(row: AuditFinding, help: string, tags: string): AuditFinding {
  return {
    ...row,
    impact: row.impact === 'unknown' ? 'serious' : row.impact,
    help: row.help || help,
    tags: row.tags || tags,
    failureSummary: summaryWithParent(row),
  };
}

function summaryWithParent({ failureSummary, description, parentUrl }: AuditFinding): string {
  const text = failureSummary || description;
  return parentUrl === '' ? text : `${text}, linked from ${parentUrl}`;
}
