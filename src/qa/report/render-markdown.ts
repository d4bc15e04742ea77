import { cleanText } from '../../platform/text/untrusted-text.ts';
import type { ReportDocument, ReportedTest } from './report-document.ts';
import {
  formatDuration,
  formatPassRate,
  oracleSentence,
  shortTitle,
  verdictLabels,
  verdictSentence,
} from './report-wording.ts';

const MAX_ROWS = 200;
const MAX_DETAILS = 50;
const MAX_GAPS = 50;

/** Renders the report for a pull request, a wiki or a mail. */
export function renderQaMarkdown(document: ReportDocument): string {
  const { project, numbers, health, requirements, tests } = document;
  const oracles = oracleSentence(document);
  const bad = tests.filter(({ verdict }) => verdict === 'failed' || verdict === 'inconclusive' || verdict === 'flaky');
  return [
    `# ${escapeMarkdown(project.name)}: test report`,
    '',
    `**${verdictSentence(document)}**`,
    '',
    `Health ${health.score === null ? 'unknown' : `${health.score} of 100`}; ${document.generatedAt}${project.url === null ? '' : `; ${escapeMarkdown(project.url)}`}`,
    '',
    '| Tests | Passed | Flaky (of passed) | Failed | Inconclusive | Not run | Healed | Pass rate |',
    '|--:|--:|--:|--:|--:|--:|--:|--:|',
    `| ${numbers.tests} | ${numbers.passed} | ${numbers.flaky} | ${numbers.failed} | ${numbers.inconclusive} | ${numbers.notRun} | ${numbers.healed} | ${formatPassRate(document)} |`,
    ...(oracles === undefined ? [] : ['', oracles]),
    ...(bad.length > 0
      ? [
          '',
          '## Needs attention',
          '',
          ...bad.slice(0, MAX_DETAILS).flatMap(renderDetail),
          ...renderRemainder(bad.length - MAX_DETAILS),
        ]
      : []),
    ...(requirements.gaps.length > 0
      ? [
          '',
          '## Requirements without a use case',
          '',
          ...requirements.gaps
            .slice(0, MAX_GAPS)
            .map(({ text: gap, reason }) => `- ${escapeMarkdown(gap)} (${escapeMarkdown(reason)})`),
          ...renderRemainder(requirements.gaps.length - MAX_GAPS),
        ]
      : []),
    ...(tests.length > 0 ? ['', '## All tests', '', ...renderTestTable(document)] : []),
    '',
  ].join('\n');
}

function renderDetail(test: ReportedTest): string[] {
  const step = test.steps.find(({ status }) => status === 'failed');
  return [
    `### ${verdictLabels[test.verdict]}: ${escapeMarkdown(shortTitle(test))}`,
    '',
    `- Use case: ${escapeMarkdown(test.useCase)}`,
    `- Expected: ${escapeMarkdown(test.expected)} (${escapeMarkdown(test.oracle)})`,
    ...(test.failureClass === null ? [] : [`- Failure class: ${escapeMarkdown(test.failureClass)}`]),
    ...(step ? [`- Failed step: ${escapeMarkdown(step.description)}`] : []),
    ...(test.error === null ? [] : [`- Error: ${escapeMarkdown(test.error)}`]),
    '',
  ];
}

function renderTestTable({ tests, leftOut }: ReportDocument): string[] {
  const rows = tests.slice(0, MAX_ROWS).map((test) => {
    const { useCase, verdict, durationMs, healed, oracle } = test;
    const marks = healed > 0 ? `${verdictLabels[verdict]}, healed` : verdictLabels[verdict];
    return `| ${escapeMarkdown(shortTitle(test))} | ${escapeMarkdown(useCase)} | ${escapeMarkdown(oracle)} | ${marks} | ${durationMs === null ? '' : formatDuration(durationMs)} |`;
  });
  return [
    '| Test | Use case | Oracle | Verdict | Duration |',
    '|:--|:--|:--|:--|--:|',
    ...rows,
    ...renderRemainder(tests.length - rows.length + leftOut),
  ];
}

function renderRemainder(number: number): string[] {
  return number > 0 ? ['', `And ${number} more.`] : [];
}

/** Escapes page text to one plain line without headings, links, cells or HTML. */
function escapeMarkdown(input: string): string {
  return cleanText(input, { max: 500, multiline: false })
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]<>|#~!&@]/g, '\\$&');
}
