import { buildSarifLog, type SarifLevel } from '../../platform/reports/sarif.ts';
import type { Impact } from '../results/finding.ts';
import type { ReportModel, Rule, TemplateGroup } from './model.ts';
import { count } from './words.ts';

const levels: Record<Impact, SarifLevel> = {
  critical: 'error',
  serious: 'error',
  moderate: 'warning',
  minor: 'note',
  unknown: 'note',
};

/** SARIF 2.1.0: one result for each thing to fix, at the pages that show it. */
export function renderSarif(model: ReportModel): string {
  const results = model.rules.flatMap((rule, ruleIndex) =>
    rule.templates.map((group) => result(rule, ruleIndex, group)),
  );
  return buildSarifLog({
    id: `accessibility/${model.name}/`,
    rules: model.rules.map(ruleDescriptor),
    results,
    succeeded: model.numbers.pages.scanned > 0,
    notifications: [
      ...model.scan.missed.map(({ outcome, reason, pages, examples }) => ({
        level: outcome === 'skipped' ? ('note' as const) : ('warning' as const),
        message: { text: `${count(pages, 'page')} ${outcome}: ${reason}` },
        locations: examples.map((url) => ({ physicalLocation: { artifactLocation: { uri: uriOf(url) } } })),
      })),
      ...model.scan.partial.map(({ what, pages }) => ({
        level: 'warning' as const,
        message: { text: `${count(pages, 'page')} only partly tested: ${what}` },
        locations: [],
      })),
    ],
    properties: { verdict: model.verdict, numbers: model.numbers },
  });
}

function ruleDescriptor(rule: Rule) {
  const text = rule.help || rule.description || rule.rule_id;
  const link = /^https?:/i.test(rule.help_url) ? rule.help_url : undefined;
  const explained = rule.description || text;
  return {
    id: ruleIdOf(rule),
    shortDescription: { text },
    fullDescription: { text: explained },
    ...(link !== undefined && { helpUri: uriOf(link) }),
    help: { text: link === undefined ? explained : `${explained}\n${link}` },
    defaultConfiguration: { level: levels[rule.impact] },
    properties: {
      tags: ['accessibility', rule.audit_type, ...rule.wcag.map((criterion) => `WCAG ${criterion}`)],
      impact: rule.impact,
    },
  };
}

function result(rule: Rule, ruleIndex: number, group: TemplateGroup) {
  const text = `${rule.help || rule.description || rule.rule_id}: ${group.label}, ${count(group.elements, 'element')} on ${count(group.pages, 'page')}.`;
  const fix = group.examples[0]?.failure_summary;
  return {
    ruleId: ruleIdOf(rule),
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
        artifactLocation: { uri: uriOf(example.url) },
        region: { startLine: 1, ...(example.html !== '' && { snippet: { text: example.html } }) },
      },
      ...(example.target !== '' && { logicalLocations: [{ fullyQualifiedName: example.target, kind: 'element' }] }),
    })),
  };
}

/** axe and a validator may use the same id for different rules. */
function ruleIdOf(rule: Rule): string {
  return rule.audit_type === 'axe_core_audit' ? rule.rule_id : `${rule.audit_type}/${rule.rule_id}`;
}

function uriOf(url: string): string {
  return URL.parse(url)?.href ?? encodeURI(url.toWellFormed());
}
