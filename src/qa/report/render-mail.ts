import { html, toText } from '../../web/html.ts';
import type { Tone } from '../../web/icons.ts';
import type { ReportDocument, ReportedTest } from './report-document.ts';
import { formatPassRate, plural, summariseVerdict, verdictSentence } from './report-wording.ts';

const edgeColours: Record<Tone, string> = {
  critical: '#a01126',
  serious: '#973a00',
  moderate: '#8a6a00',
  minor: '#24567f',
  unknown: '#68727d',
  good: '#17643a',
};

/**
 * Renders the HTML part of the mail: verdict, numbers and failed tests. Styles are inline because mail programs support few
 * rules; text keeps the colours of the program, and nothing is loaded.
 */
export function renderMailHtml(document: ReportDocument, failing: readonly ReportedTest[], mostNamed: number): string {
  const { project, numbers, health, reportId, generatedAt } = document;
  const { tone, word } = summariseVerdict(document);
  const rows: [string, string | number][] = [
    ['Tests', numbers.tests],
    ['Passed', numbers.passed],
    ['Passed as specified', numbers.passedByOracle.specified],
    ['Passed as observed', numbers.passedByOracle.observed],
    ['Flaky (of passed)', numbers.flaky],
    ['Failed', numbers.failed],
    ['Inconclusive', numbers.inconclusive],
    ['Not run', numbers.notRun],
    ['Pass rate', formatPassRate(document)],
    ['Health', health.score === null ? 'unknown' : `${health.score} of 100`],
  ];
  const more = failing.length - mostNamed;
  return toText(html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${project.name}: ${word}</title></head>
<body style="font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;line-height:1.5">
<h1 style="font-size:20px;margin:0 0 12px">${project.name}</h1>
<p style="border-left:6px solid ${edgeColours[tone]};padding:4px 0 4px 12px;margin:0 0 16px"><strong>${word}.</strong> ${verdictSentence(document)}</p>
<table style="border-collapse:collapse">
${rows.map(([name, value]) => html`<tr><th scope="row" style="text-align:left;font-weight:normal;padding:2px 24px 2px 0">${name}</th><td style="text-align:right;padding:2px 0">${value}</td></tr>\n`)}</table>
${
  failing.length > 0 &&
  html`<h2 style="font-size:16px;margin:20px 0 8px">Failed tests</h2>
<ul style="padding-left:20px;margin:0">
${failing.slice(0, mostNamed).map((test) => html`<li style="margin-bottom:6px"><strong>${test.title}</strong>${test.error !== null && html`<br>${test.error.slice(0, 200)}`}</li>\n`)}</ul>
${more > 0 && html`<p>And ${plural(more, 'more test')}.</p>`}`
}
<p style="font-size:13px;margin-top:20px">The full report is attached. Report ${reportId}, ${generatedAt}.</p>
</body>
</html>
`);
}
