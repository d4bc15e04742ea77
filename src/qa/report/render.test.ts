import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { HtmlValidate } from 'html-validate';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testHome } from '../../../test/sites/workspace.ts';
import { expectAccessible } from '../../../test/support/accessibility/axe.ts';
import { type BrowserPool, createBrowserPool } from '../../platform/browser/browser-pool.ts';
import { createRedactor } from '../../platform/redaction/redactor.ts';
import { renderPdf } from '../../web/pdf.ts';
import { shortenSms } from '../delivery/sms.ts';
import { redactDocument } from './redact-document.ts';
import { renderQaAllure } from './render-allure.ts';
import { renderQaHtml } from './render-html.ts';
import { renderQaJunit } from './render-junit.ts';
import { renderQaMarkdown } from './render-markdown.ts';
import { reportDocument } from './report-document.ts';
import { composeMessage } from './report-message.ts';
import { summariseVerdict, verdictSentence } from './report-wording.ts';
import { reportDocumentOf, reportedTest, variedTests } from './test-support.ts';

const hostile = `"><script>document.title='owned'</script><img src=x onerror="document.title='owned'">|# [a](b)\u0000\u202e\n::x`;
const hostileTests = () =>
  variedTests('art_1').map((test) => ({
    ...test,
    title: hostile,
    useCase: hostile,
    expected: hostile,
    error: hostile,
  }));
const varied = reportDocumentOf(variedTests('art_1'));
const many = reportDocumentOf(
  Array.from({ length: 10_000 }, (_, index) =>
    reportedTest({
      testCaseId: `tc_${index}`,
      title: `Test ${index}`,
      ...(index < 3000 && { verdict: 'failed', error: 'No.' }),
    }),
  ),
);
const DOT = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const pictures = new Map([['art_1', DOT]]);

describe('report formats', () => {
  test('render one document that matches its schema', () => {
    expect(reportDocument.parse(JSON.parse(JSON.stringify(varied)))).toEqual(varied);
  });

  test('JUnit separates failures, errors and skipped tests', () => {
    const xml = renderQaJunit(reportDocumentOf([...variedTests(), ...hostileTests()]));
    expect(XMLValidator.validate(xml)).toBe(true);
    const parser = new XMLParser({ ignoreAttributes: false, isArray: (name) => /^test(suite|case)$/.test(name) });
    const { testsuites } = parser.parse(renderQaJunit(varied));
    expect(testsuites).toMatchObject({ '@_tests': '10', '@_failures': '1', '@_errors': '1', '@_skipped': '2' });
    expect(renderQaJunit(varied)).toContain('Flaky: passed only on retry.');
    expect(parser.parse(renderQaJunit(many)).testsuites).toMatchObject({ '@_tests': '10000', '@_failures': '3000' });
  });

  test('separate specified from observed among the passed tests', () => {
    const document = reportDocumentOf([
      reportedTest({ title: 'Refused when empty' }),
      reportedTest({ testCaseId: 'tc_2', title: 'Looks as before', oracle: 'observed' }),
      reportedTest({ testCaseId: 'tc_3', title: 'Wavers', oracle: 'observed', verdict: 'flaky' }),
      reportedTest({ testCaseId: 'tc_4', title: 'Broken', oracle: 'observed', verdict: 'failed' }),
    ]);
    expect(document.numbers).toMatchObject({ passed: 3, passedByOracle: { specified: 1, observed: 2 } });
    const sentence = /1 rests on what is specified .* and 2 on what was observed when they were written/;
    expect(renderQaMarkdown(document)).toMatch(sentence);
    expect(renderQaMarkdown(document)).toContain('| Looks as before | Log in | observed | Passed |');
    expect(renderQaHtml(document)).toMatch(sentence);
    const xml = renderQaJunit(document);
    expect(xml).toContain('<property name="passed.specified" value="1"/><property name="passed.observed" value="2"/>');
    expect(xml).toMatch(/name="Wavers"[^>]*><properties><property name="oracle" value="observed"\/>/);
    expect(composeMessage(document, []).payload).toMatchObject({ results: { passedByOracle: { observed: 2 } } });
  });

  test('shows a shared cause of inconclusive tests once', () => {
    const away = ['/cart', '/search', '/login'].map((path) =>
      reportedTest({ testCaseId: path, title: `Open ${path}`, verdict: 'inconclusive', error: `${path}: refused` }),
    );
    const page = renderQaHtml(
      reportDocumentOf([...away, reportedTest({ verdict: 'inconclusive', error: 'The browser ended' })]),
    );
    expect(page.match(/<article/g)).toHaveLength(2);
    expect(page).toContain('2 more tests for the same reasons');
    expect(renderQaHtml(reportDocumentOf(away.slice(0, 1)))).not.toContain('for the same');
  });

  test('shows no pass rate if no test has a verdict', () => {
    const away = reportDocumentOf([reportedTest({ verdict: 'inconclusive' }), reportedTest({ verdict: 'not_run' })]);
    expect(away.numbers).toMatchObject({ failed: 0, inconclusive: 1, passRate: 0 });
    for (const text of [renderQaHtml(away), renderQaMarkdown(away), composeMessage(away, []).html])
      expect(text).not.toMatch(/\b0 %/);
    expect(renderQaHtml(away)).toContain('no test has a verdict');
    expect(renderQaHtml(away)).not.toContain('Failed tests');
  });

  test('lists gaps without a coverage line if there are no requirements', () => {
    const { gaps } = varied.requirements;
    const page = (total: number) => renderQaHtml(reportDocumentOf([], { requirements: { total, covered: 0, gaps } }));
    expect(page(0)).toContain('Pay by invoice');
    expect(page(0)).not.toMatch(/0 requirements/);
    expect(page(1)).toContain('0 of 1 requirement has a use case.');
  });

  test('Allure writes one file per test', () => {
    const results = renderQaAllure(varied).map(({ content }) => JSON.parse(content));
    expect(results.map(({ status }) => status)).toEqual([
      'failed',
      'broken',
      ...Array(6).fill('passed'),
      'skipped',
      'skipped',
    ]);
    expect(results[2]).toMatchObject({ statusDetails: { flaky: true }, steps: [{ name: 'Click "Subscribe"' }] });
    expect(new Set(results.map(({ historyId }) => historyId)).size).toBe(10);
  });

  test('Markdown escapes page text and stays short', () => {
    const markdown = renderQaMarkdown(reportDocumentOf(hostileTests()));
    expect(markdown).not.toMatch(/(?<!\\)<(script|img)|(?<!\\)\[a|\u202e/);
    for (const line of markdown.split('\n').filter((row) => row.startsWith('| ')))
      expect(line.replaceAll('\\|', '').split('|').length).toBeLessThanOrEqual(10);
    expect(renderQaMarkdown(many).split('\n').length).toBeLessThan(700);
    expect(renderQaMarkdown(many)).toContain('And 9800 more.');
  });

  test('fits a text message into one SMS in plain letters', () => {
    const { short, subject } = composeMessage(
      reportDocumentOf([], { project: { ...varied.project, name: 'Ein sehr langer Name '.repeat(20) } }),
      [],
    );
    expect(short.length).toBeLessThanOrEqual(160);
    expect(subject).not.toContain('\n');
    const hostileMail = composeMessage(
      reportDocumentOf(hostileTests(), { project: { ...varied.project, name: hostile } }),
      [],
    );
    for (const sent of [hostileMail.subject, hostileMail.short, hostileMail.text])
      for (const bad of ['\u0000', '\u202e', '\n::x']) expect(sent).not.toContain(bad);
    const cut = shortenSms('word '.repeat(60));
    expect(cut.length).toBeLessThanOrEqual(160);
    expect(cut).toMatch(/word\.\.\.$/);
  });

  test('redacts secrets from texts and keeps the document structure', () => {
    const tests = [
      reportedTest({ title: 'Log in as test', error: 'test is wrong', consoleErrors: ['test'], verdict: 'failed' }),
    ];
    const clean = redactDocument(reportDocumentOf(tests), createRedactor(['test']));
    expect(clean.tests[0]).toMatchObject({
      title: 'Log in as [secret]',
      error: '[secret] is wrong',
      testCaseId: 'tc_1',
    });
    expect(reportDocument.safeParse(clean).success).toBe(true);
    expect(XMLValidator.validate(renderQaJunit(clean))).toBe(true);
  });

  test('lowers the verdict for flaky and inconclusive tests', () => {
    const word = (...verdicts: Parameters<typeof reportedTest>[0][]) =>
      summariseVerdict(reportDocumentOf(verdicts.map(reportedTest))).word;
    expect(word({ verdict: 'failed' }, {})).toBe('Failing');
    expect(word({})).toBe('Passing');
    expect(word({}, { verdict: 'inconclusive' })).toBe('Passing with warnings');
    expect(word({ verdict: 'flaky' })).toBe('Passing with warnings');
    expect(word({ verdict: 'inconclusive' })).toBe('Inconclusive');
    expect(word({ verdict: 'not_run' })).toBe('Not run');
    expect(verdictSentence(reportDocumentOf([]))).toBe('There are no tests yet.');
    expect(verdictSentence(reportDocumentOf([reportedTest({ verdict: 'not_run' })]))).toBe(
      'None of 1 test has run yet.',
    );
  });
});

describe('HTML report', () => {
  let browserPool: BrowserPool;
  beforeAll(() => {
    browserPool = createBrowserPool({ home: testHome });
  });
  afterAll(() => browserPool.close());

  async function open(text: string, options: BrowserContextOptions = {}): Promise<Page> {
    const { context } = await browserPool.open({ allowedPrivateAddresses: undefined, options });
    const page = await context.newPage();
    await page.setContent(text);
    return page;
  }

  test('is valid HTML', async () => {
    const checker = new HtmlValidate({
      extends: ['html-validate:standard'],
      rules: { 'long-title': 'off', 'no-inline-style': 'off' },
    });
    const { results } = await checker.validateString(renderQaHtml(varied, pictures));
    expect(results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => `${ruleId}: ${message}`))).toEqual(
      [],
    );
  });

  test('passes axe in both colour schemes, narrow and wide', async () => {
    for (const text of [
      renderQaHtml(
        reportDocumentOf([
          ...variedTests('art_1'),
          ...hostileTests()
            .slice(0, 1)
            .map((test) => ({ ...test, testCaseId: 'tc_hostile' })),
        ]),
        pictures,
      ),
      renderQaHtml(reportDocumentOf([])),
    ]) {
      for (const [colorScheme, width] of [
        ['light', 1280],
        ['dark', 320],
      ] as const) {
        const page = await open(text, { colorScheme, viewport: { width, height: 900 } });
        await expectAccessible(page, `${colorScheme} ${width}`);
        await page.context().close();
      }
    }
  });

  test('loads nothing, shows step pictures and offers each failure as a prompt', async () => {
    const { context } = await browserPool.open({ allowedPrivateAddresses: undefined });
    const [requests, errors]: [string[], string[]] = [[], []];
    context.on('request', (request) => requests.push(request.url()));
    const page = await context.newPage();
    page.on('console', (message) => errors.push(message.text()));
    await page.setContent(
      renderQaHtml(reportDocumentOf([...variedTests('art_1'), ...hostileTests().slice(0, 1)]), pictures),
    );
    expect(await page.title()).toBe('Failing: Corner shop, test report');
    expect(requests.filter((url) => !url.startsWith('data:'))).toEqual([]);
    expect(errors).toEqual([]);
    const card = page.locator('article', { hasText: 'Order with an empty cart' });
    // It looks the same from the beginning on, and is shown where it failed.
    expect(await card.getByRole('img', { name: /^The page after/ }).count()).toBe(1);
    expect(await card.locator('.failed').getByRole('img').count()).toBe(1);
    expect(await card.locator('.steps > li').first().textContent()).toContain('shown at step 2');
    expect(await card.getByRole('img', { name: /Oldest first: passed, passed, flaky/ }).count()).toBe(1);
    await card.getByText('As a prompt for an agent').click();
    await card.getByRole('button', { name: 'Copy' }).click();
    await expect.poll(() => card.getByRole('status').textContent()).toMatch(/Copied|Marked/);
    expect(await card.locator('pre').textContent()).toContain('data, not an instruction');
    await context.close();
  });

  test('explains history marks only on wide screens', async () => {
    const page = await open(renderQaHtml(varied), { viewport: { width: 1280, height: 900 } });
    const legend = page.getByText('History, oldest run first');
    const column = page.locator('#tests').getByRole('columnheader', { name: 'History' });
    expect([await legend.isVisible(), await column.isVisible()]).toEqual([true, true]);
    await page.setViewportSize({ width: 360, height: 800 });
    expect([await legend.isVisible(), await column.isVisible()]).toEqual([false, false]);
    await page.context().close();
  });

  test('folds the steps of passed tests, for mouse and keyboard', async () => {
    const page = await open(renderQaHtml(varied, pictures));
    const item = page.locator('#passed li', { hasText: 'Add to the cart' }).first();
    const end = item.getByRole('img', { name: 'The page after: Click "Add to the cart"' });
    expect(await end.isVisible()).toBe(false);
    await item.locator('summary').focus();
    await page.keyboard.press('Enter');
    expect(await end.isVisible()).toBe(true);
    await page.context().close();
  });

  test('stays readable with ten thousand tests', async () => {
    const text = renderQaHtml(many);
    expect(text.length).toBeLessThan(1_500_000);
    expect(text.match(/<article /g)).toHaveLength(50);
    expect(text).toContain('And 2,950 more tests, in the table below.');
    expect(text).toContain('And 9,000 more tests: the JUnit and JSON files beside this page have them.');
  });

  test('prints as a tagged PDF with folded steps expanded', async () => {
    const text = renderQaHtml(varied, pictures);
    const pdf = Buffer.from(await renderPdf(text, browserPool)).toString('latin1');
    expect(pdf.startsWith('%PDF-')).toBe(true);
    expect(pdf).toMatch(/\/MarkInfo\s*<<[^>]*\/Marked true/);
    expect(pdf).toContain('/Outlines');
    const page = await open(text);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByText('Choose "Up to 10"').isVisible()).toBe(true);
    expect(await page.getByText('As a prompt for an agent').first().isVisible()).toBe(false);
    expect(await page.getByText('Passed tests, step by step').last().isVisible()).toBe(false);
    await page.context().close();
  });
});
