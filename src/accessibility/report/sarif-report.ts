import { buildSarifLog, type SarifLevel } from '../../platform/reports/sarif.ts';
import type { IssueImpact } from '../results/audit-finding.ts';
import { formatCount } from './count-text.ts';
import type { ReportModel, ReportRule, TemplateGroup } from './report-model.ts';

const levels: Record<IssueImpact, SarifLevel> = {
  critical: 'error',
  serious: 'error',
  moderate: 'warning',
  minor: 'note',
  unknown: 'note',
};

/** Renders SARIF 2.1.0 with one result per rule and template, located at its example pages. */
export function renderScanSarif(model: ReportModel): string {
  const results = model.rules.flatMap((rule, ruleIndex) =>
    rule.templates.map((group) => toResult(rule, ruleIndex, group)),
  );
  return buildSarifLog({
    id: `accessibility/${model.name}/`,
    rules: model.rules.map(ruleDescriptor),
    results,
    succeeded: model.numbers.pages.scanned > 0,
    notifications: [
      ...model.scan.missed.map(({ outcome, reason, pages, examples }) => ({
        level: outcome === 'skipped' ? ('note' as const) : ('warning' as const),
        message: { text: `${formatCount(pages, 'page')} ${outcome}: ${reason}` },
        locations: examples.map((url) => ({ physicalLocation: { artifactLocation: { uri: toUri(url) } } })),
      })),
      ...model.scan.partial.map(({ what, pages }) => ({
        level: 'warning' as const,
        message: { text: `${formatCount(pages, 'page')} only partly tested: ${what}` },
        locations: [],
      })),
    ],
    properties: { verdict: model.verdict, numbers: model.numbers },
  });
}

function ruleDescriptor(rule: ReportRule) {
  const text = rule.help || rule.description || rule.rule_id;
  const link = /^https?:/i.test(rule.help_url) ? rule.help_url : undefined;
  const explained = rule.description || text;
  return {
    id: qualifiedRuleId(rule),
    shortDescription: { text },
    fullDescription: { text: explained },
    ...(link !== undefined && { helpUri: toUri(link) }),
    help: { text: link === undefined ? explained : `${explained}\n${link}` },
    defaultConfiguration: { level: levels[rule.impact] },
    properties: {
      tags: ['accessibility', rule.audit_type, ...rule.wcag.map((criterion) => `WCAG ${criterion}`)],
      impact: rule.impact,
    },
  };
}

function toResult(rule: ReportRule, ruleIndex: number, group: TemplateGroup) {
  const text = `${rule.help || rule.description || rule.rule_id}: ${group.label}, ${formatCount(group.elements, 'element')} on ${formatCount(group.pages, 'page')}.`;
  const fix = group.examples[0]?.failure_summary;
  return {
    ruleId: qualifiedRuleId(rule),
    ruleIndex,
    level: levels[group.impact],
    kind: 'fail',
    message: { text: fix ? `${text}\n${fix}` : text },
    occurrenceCount: Math.max(1, group.issues),
    ...(group.state && { baselineState: group.state === 'new' ? 'new' : 'unchanged' }),
    partialFingerprints: {
      'assayTemplate/v1': group.id,
      ...(group.examples[0] && { 'assayFinding/v1': group.examples[0].fingerprint }),
    },
    locations: group.examples.map((example) => ({
      physicalLocation: {
        artifactLocation: { uri: toUri(example.url) },
        region: { startLine: 1, ...(example.html !== '' && { snippet: { text: example.html } }) },
      },
      ...(example.target !== '' && { logicalLocations: [{ fullyQualifiedName: example.target, kind: 'element' }] }),
    })),
  };
}

/** Audits other than axe get a prefix, because two audits may use the same rule id. */
function qualifiedRuleId(rule: ReportRule): string {
  return rule.audit_type === 'axe_core_audit' ? rule.rule_id : `${rule.audit_type}/${rule.rule_id}`;
}

function toUri(url: string): string {
  return URL.parse(url)?.href ?? encodeURI(url.toWellFormed());
}
