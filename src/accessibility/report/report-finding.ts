import type { AuditFinding } from '../results/audit-finding.ts';

/** Rules of HTML validation whose breach reaches people: names, labels, roles, headings. `wcag/…` are among them too. */
const htmlRulesAboutPeople = new Set(
  (
    'area-alt aria-hidden-body aria-label-misuse empty-heading empty-title hidden-focusable input-missing-label ' +
    'meta-refresh multiple-labeled-controls no-abstract-role no-dup-id no-multiple-main svg-focusable text-content ' +
    'unique-landmark valid-autocomplete valid-for'
  ).split(' '),
);

/**
 * Whether a finding has to do with people: all of it has, but what search engines want, addresses that could not be
 * opened, and HTML that is wrong without anybody noticing.
 */
export function isAboutPeople({ auditType, ruleId }: Pick<AuditFinding, 'auditType' | 'ruleId'>): boolean {
  if (auditType === 'html_validation') return ruleId.startsWith('wcag/') || htmlRulesAboutPeople.has(ruleId);
  return auditType !== 'seo_audit' && auditType !== 'crawl_audit';
}

const crawlTitles: Record<string, string> = {
  'crawl-status': 'Links lead to pages that answer with an error',
  'crawl-timeout': 'Pages do not answer in time',
  'crawl-failed': 'Pages cannot be opened',
  'crawl-anti-bot': 'A wall against robots keeps the scan out',
  'crawl-address': 'Links lead to addresses that may not be visited',
};

/**
 * A finding as people read it. CWAC's tables give no impact to failures of reflow and of the focus indicator; both are
 * failures of WCAG at level AA, which axe mostly rates as serious, so the report does too.
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
