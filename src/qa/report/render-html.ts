import {
  type BarSegment,
  badge,
  factList,
  legend,
  stackedBar,
  table,
  tiles,
  verdictBanner,
} from '../../web/components.ts';
import { copyAsPrompt, copyScript, copyStyle } from '../../web/copy-as-prompt.ts';
import { html, type Markup } from '../../web/html.ts';
import { renderDocument } from '../../web/html-document.ts';
import type { Tone } from '../../web/icons.ts';
import type { ReportDocument, ReportedTest, SuiteHealth } from './report-document.ts';
import {
  composeFixPrompt,
  formatDuration,
  formatPassRate,
  oracleSentence,
  plural,
  shortTitle,
  summariseVerdict,
  verdictLabels,
  verdictSentence,
} from './report-wording.ts';

/** Screenshots as `data:` URLs by artifact id. */
type StepPictures = ReadonlyMap<string, string>;

/** Limits keep the page readable; the other files have all tests. */
const MAX_CARDS = 50;
/** Cards with more steps may break across printed pages. */
const LONG_STEP_COUNT = 8;
const MAX_ROWS = 1000;
const MAX_PASSED = 200;
const MAX_GAPS = 100;

const verdictTones: Record<ReportedTest['verdict'], Tone> = {
  passed: 'good',
  failed: 'critical',
  flaky: 'moderate',
  inconclusive: 'unknown',
  not_run: 'unknown',
  no_script: 'unknown',
};

const style = `
.test{margin-bottom:1rem}
.test h3{display:inline}
.test .facts{margin-top:.5rem}
.steps{margin:.75rem 0 0;padding-inline-start:1.25rem;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(22rem,100%),1fr));gap:.75rem 2rem}
.steps img{display:block;max-width:100%;max-height:18rem;object-fit:contain;object-position:left top;border:1px solid var(--line);border-radius:.375rem;margin-top:.25rem}
.steps>.failed{grid-column:1/-1}
.steps>.failed img{max-height:34rem}
.test details{margin-top:.625rem}
.steps>li::marker{color:var(--soft)}
.span{white-space:nowrap}
.history{letter-spacing:.125rem}
.spaced{margin-top:.875rem}
.oracles{margin:.75rem 0 0}
.passed{list-style:none;margin:0;padding:0;display:grid;gap:.375rem}
.passed>li{padding-block:.625rem}
.gaps{margin:0;padding-inline-start:2.25rem}
.formula{margin-top:.75rem;max-width:46rem}
#health th,#health td{overflow-wrap:break-word}
.said{color:var(--soft);font-size:.9375rem;overflow-wrap:anywhere}
@media print{.tiles{grid-template-columns:repeat(4,1fr)}.card.long{break-inside:auto}.steps>li,.test .facts{break-inside:avoid}.lead{break-after:avoid}.steps{grid-template-columns:1fr 1fr}.steps img{max-height:11rem}.steps>.failed img{max-height:24rem}tr,#health{break-inside:avoid}}
`;

/** Renders the HTML report: verdict, numbers, tests that need attention, then all tests. */
export function renderQaHtml(document: ReportDocument, pictures: StepPictures = new Map()): string {
  const by = (wanted: ReportedTest['verdict']) => document.tests.filter(({ verdict }) => verdict === wanted);
  const wavering = document.tests.filter(
    ({ verdict, healed }) => verdict === 'flaky' || (verdict === 'passed' && healed > 0),
  );
  const sections = [
    { id: 'numbers', title: 'Summary', body: renderNumbers(document) },
    { id: 'failures', title: 'Failed tests', body: renderCards(by('failed'), document, pictures) },
    {
      id: 'unknown',
      title: 'Inconclusive tests',
      body: renderInconclusive(by('inconclusive'), document, pictures),
    },
    { id: 'wavering', title: 'Flaky and healed', body: renderCards(wavering, document, pictures) },
    { id: 'gaps', title: 'Requirements without a use case', body: renderGaps(document) },
    { id: 'tests', title: 'All tests', body: document.tests.length > 0 && renderTestTable(document) },
    // Left out of the PDF: many pages without findings.
    { id: 'passed', title: 'Passed tests, step by step', onPaper: false, body: renderPassedTests(document, pictures) },
    { id: 'health', title: 'Health score', body: renderHealth(document) },
  ].flatMap(({ body, onPaper = true, ...section }) => (body ? [{ ...section, onPaper, body }] : []));
  const { project, health } = document;
  const { tone, word } = summariseVerdict(document);
  return renderDocument({
    title: `${word}: ${project.name}, test report`,
    kicker: 'Test report',
    header: html`<h1>${project.name}</h1>
<p class="subtitle">${new Date(document.generatedAt).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })} UTC${project.url !== null && `, ${project.url}`}</p>
${document.runBatchId !== null && html`<p class="subtitle">One run: <code>${document.runBatchId}</code></p>`}
${verdictBanner(tone, word, `${verdictSentence(document)}${health.score === null ? '' : ` Health ${health.score} of 100.`}`)}`,
    contents: sections.map(({ id, title }) => ({ id, title })),
    main: html`${sections.map(
      ({ id, title, onPaper, body }) =>
        html`<section id="${id}"${!onPaper && html` class="screen-only"`} aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>
${body}
</section>
`,
    )}`,
    footer: html`<p>Created by Assay, report ${document.reportId}.</p>`,
    style: `${style}${copyStyle}`,
    script: copyScript,
  });
}

function renderNumbers(document: ReportDocument): Markup {
  const { numbers: counted, health } = document;
  const shares: BarSegment[] = [
    { tone: 'good', label: 'Passed on the first attempt', value: counted.passed - counted.flaky },
    { tone: 'critical', label: 'Failed', value: counted.failed },
    { tone: 'moderate', label: 'Flaky: passed on retry', value: counted.flaky },
    { tone: 'unknown', label: 'Inconclusive', value: counted.inconclusive },
    { tone: 'unknown', label: 'Not run', value: counted.notRun },
  ];
  const oracles = oracleSentence(document);
  const judged = counted.passed + counted.failed;
  return html`${tiles([
    { label: 'tests', value: counted.tests },
    {
      label: 'pass rate',
      value: formatPassRate(document),
      note: judged === 0 ? 'no test has a verdict' : 'of tests with a verdict',
    },
    { label: 'health', value: health.score === null ? 'unknown' : health.score, note: 'of 100' },
    { label: 'duration of the latest runs', value: formatDuration(counted.durationMs) },
  ])}
${counted.tests > 0 && html`<div class="card spaced">${stackedBar(shares)}${legend(shares)}${oracles !== undefined && html`<p class="oracles">${oracles}</p>`}</div>`}`;
}

function renderCards(
  tests: readonly ReportedTest[],
  document: ReportDocument,
  pictures: StepPictures,
): Markup | undefined {
  if (tests.length === 0) return undefined;
  const more = tests.length - MAX_CARDS;
  return html`${tests.slice(0, MAX_CARDS).map((test) => renderCard(test, document, pictures))}${more > 0 && html`<p class="soft">And ${plural(more, 'more test')}, in the table below.</p>`}`;
}

/** Shows one card per reason, because an unreachable site makes many tests inconclusive. */
function renderInconclusive(
  tests: readonly ReportedTest[],
  document: ReportDocument,
  pictures: StepPictures,
): Markup | undefined {
  // The page is not part of the reason.
  const reasonOf = ({ error }: ReportedTest) => error?.replaceAll(/\S*\/\S*/g, '');
  const reasons = [...Map.groupBy(tests, reasonOf).values()];
  const firsts = reasons.flatMap(([first]) => first ?? []);
  if (firsts.length === tests.length) return renderCards(tests, document, pictures);
  const others = reasons.flatMap(([, ...more]) => more);
  return html`${renderCards(firsts, document, pictures)}<details><summary>${plural(others.length, 'more test')} for the same ${firsts.length === 1 ? 'reason' : 'reasons'}</summary><ul>${others.map((test) => html`<li>${shortTitle(test)}</li>`)}</ul></details>`;
}

function renderCard(test: ReportedTest, document: ReportDocument, pictures: StepPictures): Markup {
  return html`<article class="card test${test.steps.length > LONG_STEP_COUNT && ' long'}" id="${test.testCaseId}">
${badge(verdictTones[test.verdict], verdictLabels[test.verdict])} <h3>${shortTitle(test)}</h3>${test.healed > 0 && html` ${badge('moderate', 'Healed')}`}
${factList([
  { name: 'Use case', value: test.useCase },
  { name: 'Expected', value: `${test.expected} (${test.oracle})` },
  ...(test.failureClass === null ? [] : [{ name: 'Failure class', value: test.failureClass }]),
  ...(test.error === null ? [] : [{ name: 'Error', value: html`<span class="said">${test.error}</span>` }]),
  ...(test.history.length > 1 ? [{ name: 'History', value: renderHistory(test) }] : []),
])}
${test.steps.length > 0 && html`<details${(test.verdict === 'failed' || test.verdict === 'inconclusive') && html` open`}><summary>${plural(test.steps.length, 'step')}</summary><ol class="steps">${renderSteps(test.steps, pictures)}</ol></details>`}
${renderMessageList('Console errors', test.consoleErrors)}${renderMessageList('Failed requests', test.failedRequests)}
${test.verdict !== 'passed' && copyAsPrompt(composeFixPrompt(test, document))}
</article>
`;
}

/** The steps of passed tests, folded. */
function renderPassedTests({ tests }: ReportDocument, pictures: StepPictures): Markup | undefined {
  const passed = tests.filter(({ verdict, healed, steps }) => verdict === 'passed' && healed === 0 && steps.length > 0);
  if (passed.length === 0) return undefined;
  const more = passed.length - MAX_PASSED;
  return html`<ul class="passed">${passed
    .slice(0, MAX_PASSED)
    .map(
      (test) =>
        html`<li class="card"><details><summary>${shortTitle(test)} <span class="soft small span">${plural(test.steps.length, 'step')}, ${test.oracle}</span></summary><ol class="steps">${renderSteps(test.steps, pictures)}</ol></details></li>`,
    )}</ul>${more > 0 && html`<p class="soft">And ${plural(more, 'more test')}, in the table above.</p>`}`;
}

/**
 * Consecutive steps with the same screenshot show it once: at the failed step, else at the first. If the failed step
 * shows it, the first step refers to it.
 */
function renderSteps(steps: ReportedTest['steps'], pictures: StepPictures): Markup[] {
  const shown = steps.map(({ picture }) => pictures.get(picture ?? ''));
  const picturePositions: number[] = [];
  const shownAt = new Map<number, number>();
  for (const [index, { status }] of steps.entries()) {
    const isNew = index === 0 || shown[index] !== shown[index - 1];
    const began = !isNew && status === 'failed' ? picturePositions.pop() : undefined;
    if (began !== undefined && shown[index] !== undefined) shownAt.set(began, index);
    if (isNew || status === 'failed') picturePositions.push(index);
  }
  return steps.map((step, index) =>
    renderStep(step, {
      picture: picturePositions.includes(index) ? shown[index] : undefined,
      shownAt: shownAt.get(index),
    }),
  );
}

function renderStep(
  step: ReportedTest['steps'][number],
  { picture, shownAt }: { picture: string | undefined; shownAt: number | undefined },
): Markup {
  const tone: Tone = step.status === 'passed' ? 'good' : step.status === 'failed' ? 'critical' : 'unknown';
  return html`<li${step.status === 'failed' && html` class="failed"`}>${badge(tone, step.status)} ${step.description}${step.healed && html` ${badge('moderate', 'Healed')}`}${step.durationMs > 0 && html` <span class="soft small span">${formatDuration(step.durationMs)}</span>`}
${step.error !== null && html`<p class="said">${step.error}</p>`}
${shownAt !== undefined && html`<p class="soft small">The screenshot is shown at step ${shownAt + 1}.</p>`}${picture && html`<img src="${picture}" alt="The page after: ${step.description}">`}</li>`;
}

function renderHistory({ history: verdicts }: ReportedTest): Markup {
  const marks: Record<string, string> = { passed: '●', failed: '✕', flaky: '◐', inconclusive: '○' };
  const spoken = verdicts.join(', ');
  return html`<span class="history" role="img" aria-label="Oldest first: ${spoken}">${verdicts.map((verdict) => marks[verdict] ?? '○').join('')}</span>`;
}

function renderMessageList(title: string, lines: readonly string[]): Markup {
  if (lines.length === 0) return html``;
  return html`<details><summary>${title} (${lines.length})</summary><ul class="said">${lines.map((line) => html`<li>${line}</li>`)}</ul></details>`;
}

function renderGaps({ requirements }: ReportDocument): Markup | undefined {
  if (requirements.gaps.length === 0) return undefined;
  const { total, covered } = requirements;
  return html`${total > 0 && html`<p class="lead">${covered} of ${plural(total, 'requirement')} ${total === 1 ? 'has' : 'have'} a use case.</p>\n`}<ul class="card gaps">${requirements.gaps.slice(0, MAX_GAPS).map(({ ref, text, reason }) => html`<li>${ref !== null && html`<code>${ref}</code> `}${text} <span class="soft">${reason}</span></li>`)}</ul>${requirements.gaps.length > MAX_GAPS && html`<p class="soft">And ${requirements.gaps.length - MAX_GAPS} more.</p>`}`;
}

function renderTestTable({ tests, leftOut }: ReportDocument): Markup {
  const more = Math.max(0, tests.length - MAX_ROWS) + leftOut;
  const [only, ...others] = new Set(tests.map(({ useCase }) => useCase));
  return html`${table(
    // The legend is hidden together with the history column.
    html`${others.length === 0 && only && `Use case: ${only}. `}Tests that need attention come first.<span class="wide"> History, oldest run first: ● passed, ✕ failed, ◐ flaky, ○ inconclusive</span>`,
    [
      { title: 'Test', cell: shortTitle },
      // A use case common to all tests is in the caption.
      ...(others.length > 0 ? [{ title: 'Use case', cell: ({ useCase }: ReportedTest) => useCase, wide: true }] : []),
      { title: 'Oracle', cell: ({ oracle }) => html`<span class="whole">${oracle}</span>`, wide: true },
      {
        title: 'Verdict',
        cell: ({ verdict, healed }) =>
          html`${badge(verdictTones[verdict], verdictLabels[verdict])}${healed > 0 && ' healed'}`,
      },
      { title: 'History', cell: renderHistory, wide: true },
      {
        title: 'Duration',
        cell: ({ durationMs }) => (durationMs === null ? '' : formatDuration(durationMs)),
        number: true,
      },
    ],
    tests.slice(0, MAX_ROWS),
  )}
${more > 0 && html`<p class="soft">And ${plural(more, 'more test')}: the JUnit and JSON files beside this page have them.</p>`}`;
}

const healthPartLabels: Record<SuiteHealth['parts'][number]['name'], string> = {
  passRate: 'Pass rate',
  stability: 'Stability',
  requirementCoverage: 'Requirement coverage',
  freshness: 'Freshness',
};

function renderHealth({ health }: ReportDocument): Markup {
  return html`${table(
    'Parts of the score',
    [
      { title: 'Part', cell: ({ name }) => healthPartLabels[name] },
      { title: 'Value', cell: ({ value }) => (value === null ? '–' : String(value)), number: true },
      { title: 'Weight', cell: ({ weight }) => String(weight), number: true, wide: true },
      { title: 'Reason', cell: ({ why, value }) => (value === null ? `${why}; not counted` : why) },
    ],
    health.parts,
  )}
<p class="soft small formula">${health.formula}</p>`;
}
