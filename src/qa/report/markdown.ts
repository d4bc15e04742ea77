import { cleanText } from '../../platform/untrusted-text.ts';
import type { ReportDocument, ReportedTest } from './document.ts';
import { oracleSentence, passRateIn, shortTitle, spanOf, verdictSentence, verdictWord } from './words.ts';

const MOST_ROWS = 200;
const MOST_DETAILS = 50;
const MOST_GAPS = 50;

/** For a pull request, a wiki or a mail. */
export function renderMarkdown(document: ReportDocument): string {
  const { project, numbers, health, requirements, tests } = document;
  const oracles = oracleSentence(document);
  const bad = tests.filter(({ verdict }) => verdict === 'failed' || verdict === 'inconclusive' || verdict === 'flaky');
  return [
    `# ${text(project.name)}: test report`,
    '',
    `**${verdictSentence(document)}**`,
    '',
    `Health ${health.score === null ? 'unknown' : `${health.score} of 100`}; ${document.generatedAt}${project.url === null ? '' : `; ${text(project.url)}`}`,
    '',
    '| Tests | Passed | of these flaky | Failed | Inconclusive | Not run | Healed | Pass rate |',
    '|--:|--:|--:|--:|--:|--:|--:|--:|',
    `| ${numbers.tests} | ${numbers.passed} | ${numbers.flaky} | ${numbers.failed} | ${numbers.inconclusive} | ${numbers.notRun} | ${numbers.healed} | ${passRateIn(document)} |`,
    ...(oracles === undefined ? [] : ['', oracles]),
    ...(bad.length > 0
      ? [
          '',
          '## What needs a look',
          '',
          ...bad.slice(0, MOST_DETAILS).flatMap(detail),
          ...more(bad.length - MOST_DETAILS),
        ]
      : []),
    ...(requirements.gaps.length > 0
      ? [
          '',
          '## Asked for, and not found',
          '',
          ...requirements.gaps.slice(0, MOST_GAPS).map(({ text: gap, reason }) => `- ${text(gap)} (${text(reason)})`),
          ...more(requirements.gaps.length - MOST_GAPS),
        ]
      : []),
    ...(tests.length > 0 ? ['', '## All tests', '', ...allTests(document)] : []),
    '',
  ].join('\n');
}

function detail(test: ReportedTest): string[] {
  const step = test.steps.find(({ status }) => status === 'failed');
  return [
    `### ${verdictWord[test.verdict]}: ${text(shortTitle(test))}`,
    '',
    `- Use case: ${text(test.useCase)}`,
    `- Expected: ${text(test.expected)} (${text(test.oracle)})`,
    ...(test.failureClass === null ? [] : [`- Kind: ${text(test.failureClass)}`]),
    ...(step ? [`- At: ${text(step.description)}`] : []),
    ...(test.error === null ? [] : [`- Said: ${text(test.error)}`]),
    '',
  ];
}

function allTests({ tests, leftOut }: ReportDocument): string[] {
  const rows = tests.slice(0, MOST_ROWS).map((test) => {
    const { useCase, verdict, durationMs, healed, oracle } = test;
    const marks = healed > 0 ? `${verdictWord[verdict]}, healed` : verdictWord[verdict];
    return `| ${text(shortTitle(test))} | ${text(useCase)} | ${text(oracle)} | ${marks} | ${durationMs === null ? '' : spanOf(durationMs)} |`;
  });
  return [
    '| Test | Use case | Rests on | Verdict | Took |',
    '|:--|:--|:--|:--|--:|',
    ...rows,
    ...more(tests.length - rows.length + leftOut),
  ];
}

function more(number: number): string[] {
  return number > 0 ? ['', `And ${number} more.`] : [];
}

/** One line of plain text: what a page said cannot become a heading, a link, a cell or HTML. */
function text(given: string): string {
  return cleanText(given, { max: 500, multiline: false })
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]<>|#~!&@]/g, '\\$&');
}
