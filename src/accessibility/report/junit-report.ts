import { type JunitCase, type JunitSuite, renderJunitXml } from '../../platform/reports/junit.ts';
import { parseUntestedCheck } from '../results/untested-checks.ts';
import { formatCount } from './count-text.ts';
import type { ReportModel, ReportRule } from './report-model.ts';

/**
 * Renders JUnit XML: a suite per audit with a failed case per violated rule, and a suite of pages in which unscanned and partly
 * tested pages are errors. Cases are per rule, not per page, so that CI shows a short list.
 */
export function renderScanJunit(model: ReportModel): string {
  const audits = [
    ...new Set([...Object.keys(model.numbers.issues_by_audit_type), ...model.rules.map((r) => r.audit_type)]),
  ];
  return renderJunitXml(model.name, [pageSuite(model), ...audits.map((audit) => auditSuite(model, audit))]);
}

function auditSuite(model: ReportModel, audit: string): JunitSuite {
  const rules = model.rules.filter((rule) => rule.audit_type === audit);
  const clean = { classname: audit, name: `no issues on ${formatCount(model.numbers.pages.scanned, 'page')}` };
  return { name: audit, cases: rules.length > 0 ? rules.map(ruleCase) : [clean] };
}

function ruleCase(rule: ReportRule): JunitCase {
  const title = rule.help || rule.description || rule.rule_id;
  const lines = rule.templates.flatMap((group) => [
    `${group.label}: ${formatCount(group.elements, 'element')} on ${formatCount(group.pages, 'page')}${group.state ? `, ${group.state}` : ''}`,
    ...group.examples.flatMap((example) =>
      [
        `  ${example.url}`,
        example.target && `    at ${example.target}`,
        example.html && `    ${collapseWhitespace(example.html)}`,
      ].filter((line) => line !== ''),
    ),
  ]);
  const more = rule.templates_total - rule.templates.length;
  const body = [rule.description, rule.help_url, ...lines, more > 0 ? `and ${formatCount(more, 'more template')}` : '']
    .filter((line) => line !== '')
    .join('\n');
  return {
    classname: rule.audit_type,
    name: `${rule.rule_id}: ${title}`,
    outcome: {
      element: 'failure',
      type: rule.impact,
      message: `${title} (${formatCount(rule.elements, 'element')} on ${formatCount(rule.pages, 'page')})`,
      body,
    },
  };
}

function pageSuite(model: ReportModel): JunitSuite {
  const { scanned } = model.numbers.pages;
  const first: JunitCase = {
    classname: 'pages',
    name: `${formatCount(scanned, 'page')} scanned`,
    outcome: scanned === 0 ? { element: 'error', message: 'No page was scanned' } : undefined,
  };
  const missed = model.scan.missed.map(({ outcome, reason, pages, examples }): JunitCase => {
    const element = outcome === 'skipped' ? 'skipped' : 'error';
    const name = `${formatCount(pages, 'page')} ${outcome}: ${reason}`;
    return { classname: 'pages', name, outcome: { element, message: reason, body: examples.join('\n') } };
  });
  const untested = model.scan.partial
    .filter(({ what }) => parseUntestedCheck(what))
    .map(
      ({ what, pages }): JunitCase => ({
        classname: 'pages',
        name: `${formatCount(pages, 'page')} not fully tested: ${what}`,
        outcome: { element: 'error', message: what },
      }),
    );
  const cutShort = model.scan.cut_short;
  const whole: JunitCase[] =
    cutShort === undefined
      ? []
      : [{ classname: 'pages', name: 'the scan finished', outcome: { element: 'error', message: cutShort } }];
  return { name: 'pages', cases: [first, ...whole, ...missed, ...untested] };
}

function collapseWhitespace(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
