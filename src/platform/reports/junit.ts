import { cleanText } from '../text/untrusted-text.ts';

/** A test case. Without an outcome it has passed. */
export interface JunitCase {
  classname: string;
  name: string;
  seconds?: number | undefined;
  outcome?: { element: 'failure' | 'error' | 'skipped'; type?: string; message: string; body?: string } | undefined;
  /** Output of the test. */
  output?: string | undefined;
  properties?: JunitProperties | undefined;
}

type JunitProperties = Readonly<Record<string, string | number>>;

export interface JunitSuite {
  name: string;
  cases: readonly JunitCase[];
  properties?: JunitProperties | undefined;
}

/** Renders JUnit XML as CI systems read it. */
export function renderJunitXml(name: string, suites: readonly JunitSuite[]): string {
  const all = suites.flatMap(({ cases }) => cases);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xml(name)}" ${counts(all)}>`,
    ...suites.flatMap((suite) => [
      `<testsuite name="${xml(suite.name)}" ${counts(suite.cases)}>${propertiesXml(suite.properties)}`,
      ...suite.cases.map(caseXml),
      '</testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

function counts(cases: readonly JunitCase[]): string {
  const of = (element: string) => cases.filter(({ outcome }) => outcome?.element === element).length;
  const timed = cases.some(({ seconds }) => seconds !== undefined);
  const time = timed ? ` time="${cases.reduce((sum, { seconds = 0 }) => sum + seconds, 0).toFixed(3)}"` : '';
  return `tests="${cases.length}" failures="${of('failure')}" errors="${of('error')}" skipped="${of('skipped')}"${time}`;
}

function caseXml({ classname, name, seconds, outcome, output, properties }: JunitCase): string {
  const time = seconds === undefined ? '' : ` time="${seconds.toFixed(3)}"`;
  const head = `<testcase classname="${xml(classname)}" name="${xml(name)}"${time}`;
  const inside = [
    propertiesXml(properties),
    outcome &&
      `<${outcome.element}${outcome.type === undefined ? '' : ` type="${xml(outcome.type)}"`} message="${xml(outcome.message)}">${xml(outcome.body ?? '')}</${outcome.element}>`,
    output && `<system-out>${xml(output)}</system-out>`,
  ].filter(Boolean);
  return inside.length === 0 ? `${head}/>` : `${head}>${inside.join('')}</testcase>`;
}

function propertiesXml(properties: JunitProperties = {}): string {
  const list = Object.entries(properties).map(
    ([name, value]) => `<property name="${xml(name)}" value="${xml(String(value))}"/>`,
  );
  return list.length === 0 ? '' : `<properties>${list.join('')}</properties>`;
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes text for XML. Some characters are invalid in XML even when escaped; cleaning removes those. */
function xml(text: string): string {
  return cleanText(text, { max: Number.POSITIVE_INFINITY }).replace(
    /[&<>"']/g,
    (character) => escapes[character] ?? '',
  );
}
