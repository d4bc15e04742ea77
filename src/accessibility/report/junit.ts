import type { ReportModel, Rule } from './model.ts';
import { count } from './words.ts';

/**
 * JUnit XML: a suite for each audit, a failed case for each rule that was broken, with its templates and example pages,
 * and a suite of pages in which those that could not be scanned are errors. CI shows tens of lines, not a line per page.
 */
export function renderJunit(model: ReportModel): string {
  const audits = [
    ...new Set([...Object.keys(model.numbers.issues_by_audit_type), ...model.rules.map((r) => r.audit_type)]),
  ];
  const suites = [pageSuite(model), ...audits.map((audit) => auditSuite(model, audit))];
  const sum = (key: 'tests' | 'failures' | 'errors' | 'skipped') => suites.reduce((all, suite) => all + suite[key], 0);
  const totals = `tests="${sum('tests')}" failures="${sum('failures')}" errors="${sum('errors')}" skipped="${sum('skipped')}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xml(model.name)}" ${totals}>`,
    ...suites.map((suite) => suite.text),
    '</testsuites>',
    '',
  ].join('\n');
}

interface Suite {
  tests: number;
  failures: number;
  errors: number;
  skipped: number;
  text: string;
}

function auditSuite(model: ReportModel, audit: string): Suite {
  const rules = model.rules.filter((rule) => rule.audit_type === audit);
  const cases =
    rules.length > 0
      ? rules.map((rule) => ruleCase(rule))
      : [`<testcase classname="${xml(audit)}" name="no issues on ${count(model.numbers.pages.scanned, 'page')}"/>`];
  return suite(audit, cases, { failures: rules.length, errors: 0, skipped: 0 });
}

function ruleCase(rule: Rule): string {
  const title = rule.help || rule.description || rule.rule_id;
  const message = `${title} (${count(rule.elements, 'element')} on ${count(rule.pages, 'page')})`;
  const lines = rule.templates.flatMap((group) => [
    `${group.label}: ${count(group.elements, 'element')} on ${count(group.pages, 'page')}${group.state ? `, ${group.state}` : ''}`,
    ...group.examples.flatMap((example) =>
      [
        `  ${example.url}`,
        example.target && `    at ${example.target}`,
        example.html && `    ${oneLine(example.html)}`,
      ].filter((line) => line !== ''),
    ),
  ]);
  const more = rule.templates_total - rule.templates.length;
  const body = [rule.description, rule.help_url, ...lines, more > 0 ? `and ${count(more, 'more template')}` : '']
    .filter((line) => line !== '')
    .join('\n');
  return `<testcase classname="${xml(rule.audit_type)}" name="${xml(`${rule.rule_id}: ${title}`)}"><failure type="${rule.impact}" message="${xml(message)}">${xml(body)}</failure></testcase>`;
}

function pageSuite(model: ReportModel): Suite {
  const { missed } = model.scan;
  const cases = missed.map(({ outcome, reason, pages, examples }) => {
    const element = outcome === 'skipped' ? 'skipped' : 'error';
    const name = `${count(pages, 'page')} ${outcome}: ${reason}`;
    return `<testcase classname="pages" name="${xml(name)}"><${element} message="${xml(reason)}">${xml(examples.join('\n'))}</${element}></testcase>`;
  });
  const skipped = missed.filter(({ outcome }) => outcome === 'skipped').length;
  const scanned = model.numbers.pages.scanned;
  const nothing = '<error message="No page was scanned"/>';
  const first = `<testcase classname="pages" name="${count(scanned, 'page')} scanned">${scanned === 0 ? nothing : ''}</testcase>`;
  const errors = missed.length - skipped + (scanned === 0 ? 1 : 0);
  return suite('pages', [first, ...cases], { failures: 0, errors, skipped });
}

function suite(name: string, cases: readonly string[], counts: Omit<Suite, 'tests' | 'text'>): Suite {
  const { failures, errors, skipped } = counts;
  const head = `<testsuite name="${xml(name)}" tests="${cases.length}" failures="${failures}" errors="${errors}" skipped="${skipped}">`;
  return { ...counts, tests: cases.length, text: [head, ...cases, '</testsuite>'].join('\n') };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text as XML may hold it: some characters cannot stand in XML at all, not even escaped. */
function xml(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that XML forbids
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
      .replace(/[&<>"']/g, (character) => escapes[character] ?? '')
  );
}
