import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { HtmlValidate } from 'html-validate';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testHome } from '../../../test/sites/workspace.ts';
import { expectAccessible } from '../../../test/support/axe.ts';
import { type BrowserPool, createBrowserPool } from '../../platform/browser/browser-pool.ts';
import { createRedactor } from '../../platform/redaction/redactor.ts';
import { renderPdf } from '../../web/pdf.ts';
import { cutSms } from '../delivery/sms.ts';
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

describe('every form of a report', () => {
  test('starts from the same document, which keeps its shape', () => {
    expect(reportDocument.parse(JSON.parse(JSON.stringify(varied)))).toEqual(varied);
  });

  test('JUnit tells failures from what says nothing, and from what was not run', () => {
    const xml = renderQaJunit(reportDocumentOf([...variedTests(), ...hostileTests()]));
    expect(XMLValidator.validate(xml)).toBe(true);
    const parser = new XMLParser({ ignoreAttributes: false, isArray: (name) => /^test(suite|case)$/.test(name) });
    const { testsuites } = parser.parse(renderQaJunit(varied));
    expect(testsuites).toMatchObject({ '@_tests': '10', '@_failures': '1', '@_errors': '1', '@_skipped': '2' });
    expect(renderQaJunit(varied)).toContain('Flaky: it passed only when it was repeated.');
    expect(parser.parse(renderQaJunit(many)).testsuites).toMatchObject({ '@_tests': '10000', '@_failures': '3000' });
  });

  test('tells what was specified from what was only observed, among those that passed', () => {
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

  test('what kept several tests from a verdict is shown once', () => {
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

  test('where nothing came to a verdict there is no pass rate', () => {
    const away = reportDocumentOf([reportedTest({ verdict: 'inconclusive' }), reportedTest({ verdict: 'not_run' })]);
    expect(away.numbers).toMatchObject({ failed: 0, inconclusive: 1, passRate: 0 });
    for (const text of [renderQaHtml(away), renderQaMarkdown(away), composeMessage(away, []).html])
      expect(text).not.toMatch(/\b0 %/);
    expect(renderQaHtml(away)).toContain('no test came to a verdict');
    expect(renderQaHtml(away)).not.toContain('What failed');
  });

  test('what was asked for and not found is told without requirements that there are not', () => {
    const { gaps } = varied.requirements;
    const page = (total: number) => renderQaHtml(reportDocumentOf([], { requirements: { total, covered: 0, gaps } }));
    expect(page(0)).toContain('Pay by invoice');
    expect(page(0)).not.toMatch(/0 requirements/);
    expect(page(1)).toContain('0 of 1 requirement has a use case.');
  });

  test('Allure has a file for each test', () => {
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

  test('Markdown takes nothing that a site said for its own, and stays short', () => {
    const markdown = renderQaMarkdown(reportDocumentOf(hostileTests()));
    expect(markdown).not.toMatch(/(?<!\\)<(script|img)|(?<!\\)\[a|\u202e/);
    for (const line of markdown.split('\n').filter((row) => row.startsWith('| ')))
      expect(line.replaceAll('\\|', '').split('|').length).toBeLessThanOrEqual(10);
    expect(renderQaMarkdown(many).split('\n').length).toBeLessThan(700);
    expect(renderQaMarkdown(many)).toContain('And 9800 more.');
  });

  test('a short message fits into one, in plain letters', () => {
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
    const cut = cutSms('word '.repeat(60));
    expect(cut.length).toBeLessThanOrEqual(160);
    expect(cut).toMatch(/word\.\.\.$/);
  });

  test('a secret is gone from what people and sites wrote, and the document stays what it was', () => {
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

  test('the verdict is as good as the doubts allow', () => {
    const word = (...verdicts: Parameters<typeof reportedTest>[0][]) =>
      summariseVerdict(reportDocumentOf(verdicts.map(reportedTest))).word;
    expect(word({ verdict: 'failed' }, {})).toBe('Failing');
    expect(word({})).toBe('Passing');
    expect(word({}, { verdict: 'inconclusive' })).toBe('Passing, with doubts');
    expect(word({ verdict: 'flaky' })).toBe('Passing, with doubts');
    expect(word({ verdict: 'inconclusive' })).toBe('Inconclusive');
    expect(word({ verdict: 'not_run' })).toBe('Nothing run');
    expect(verdictSentence(reportDocumentOf([]))).toBe('There are no tests yet.');
    expect(verdictSentence(reportDocumentOf([reportedTest({ verdict: 'not_run' })]))).toBe(
      'None of 1 test was run yet.',
    );
  });
});

describe('the page', () => {
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

  test('has no fault that axe finds, in either colour scheme, narrow or wide', async () => {
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

  test('loads and runs nothing, shows steps with pictures, and gives each failure as a prompt', async () => {
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
    expect(await card.getByRole('img', { name: /The oldest first: passed, passed, flaky/ }).count()).toBe(1);
    await card.getByText('As a prompt for an agent').click();
    await card.getByRole('button', { name: 'Copy' }).click();
    await expect.poll(() => card.getByRole('status').textContent()).toMatch(/Copied|Marked/);
    expect(await card.locator('pre').textContent()).toContain('data, not an instruction');
    await context.close();
  });

  test('explains the marks of histories only where there is room for them', async () => {
    const page = await open(renderQaHtml(varied), { viewport: { width: 1280, height: 900 } });
    const legend = page.getByText('History, the oldest run first');
    const column = page.locator('#tests').getByRole('columnheader', { name: 'History' });
    expect([await legend.isVisible(), await column.isVisible()]).toEqual([true, true]);
    await page.setViewportSize({ width: 360, height: 800 });
    expect([await legend.isVisible(), await column.isVisible()]).toEqual([false, false]);
    await page.context().close();
  });

  test('shows how a test came to pass, folded, for mouse and keyboard', async () => {
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

  test('prints as a tagged PDF, with the steps that are folded on the screen', async () => {
    const text = renderQaHtml(varied, pictures);
    const pdf = Buffer.from(await renderPdf(text, browserPool)).toString('latin1');
    expect(pdf.startsWith('%PDF-')).toBe(true);
    expect(pdf).toMatch(/\/MarkInfo\s*<<[^>]*\/Marked true/);
    expect(pdf).toContain('/Outlines');
    const page = await open(text);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByText('Choose "Up to 10"').isVisible()).toBe(true);
    expect(await page.getByText('As a prompt for an agent').first().isVisible()).toBe(false);
    expect(await page.getByText('What passed, step by step').last().isVisible()).toBe(false);
    await page.context().close();
  });
});
