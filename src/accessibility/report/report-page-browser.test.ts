import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testHome } from '../../../test/sites/workspace.ts';
import { expectAccessible } from '../../../test/support/accessibility/axe.ts';
import { type BrowserPool, createBrowserPool } from '../../platform/browser/browser-pool.ts';
import { renderPdf } from '../../web/pdf.ts';
import {
  axeTestRow,
  createResultsDir,
  formatTestCsv,
  resultsRowWithoutIssues,
  testColumns,
} from '../results/test-support.ts';
import { collectScanReport } from './collect-report.ts';
import { renderScanHtml } from './html/report-page.ts';

let services: BrowserPool;
let full: string;
let clean: string;

const hostile = `"><script>document.title='owned'</script><img src=x onerror="document.title='owned'"><style>*{display:none}</style>`;
const at = (path: string) => `https://example.org/${path}`;

async function reports(): Promise<void> {
  const rows = ['', 'a', 'b', 'c'].flatMap((path, index) => [
    axeTestRow({ url: at(path), html: `<img src="/${index}.png" class="hero">`, failure_summary: 'Fix it' }),
    axeTestRow({
      url: at(path),
      id: 'color-contrast',
      impact: 'serious',
      html: hostile,
      target: hostile,
      page_title: hostile,
    }),
    axeTestRow({ url: at(path), id: 'region', impact: 'moderate', html: `<p>${'long'.repeat(50)}`, help: hostile }),
  ]);
  const only = [
    axeTestRow({ url: at('c'), id: 'label', impact: 'minor', help: 'Fields need labels', html: '<input>' }),
  ];
  const validation = [axeTestRow({ url: at('a'), id: 'no-x', impact: '', base_url: 'https://other.example' })];
  const previous = await createResultsDir({
    'axe_core_audit.csv': formatTestCsv(testColumns.axe, [...rows.slice(3), axeTestRow({ html: '<img class="old">' })]),
  });
  const dir = await createResultsDir({
    'axe_core_audit.csv': formatTestCsv(testColumns.axe, [...rows, ...only]),
    'axe_core_audit_needs_review.csv': formatTestCsv(testColumns.axe, rows.slice(0, 4)),
    'html_validation.csv': formatTestCsv(testColumns.axe, validation),
    'unexpected_response_codes.csv': formatTestCsv(testColumns.codes, [{ url: at(hostile), status_code: 500 }]),
    'config.json': JSON.stringify({ audit_name: hostile, viewport_sizes: { small: { width: 320, height: 450 } } }),
  });
  full = renderScanHtml(
    await collectScanReport(dir, { previous: [{ dir: previous }], run: { duration: '2m 1s', browser: 'Chromium' } }),
  );
  clean = renderScanHtml(
    await collectScanReport(
      await createResultsDir({
        'axe_core_audit.csv': formatTestCsv(testColumns.axe, [resultsRowWithoutIssues(at(''))]),
      }),
    ),
  );
}

beforeAll(() => {
  services = createBrowserPool({ home: testHome });
});
afterAll(() => services.close());

async function open(text: string, options: BrowserContextOptions = {}): Promise<Page> {
  const { context } = await services.open({ allowedPrivateAddresses: undefined, options });
  const page = await context.newPage();
  await page.setContent(text);
  return page;
}

describe('the HTML report in a browser', () => {
  it('has no axe violations in both colour schemes, narrow and wide', async () => {
    await reports();
    for (const text of [full, clean]) {
      for (const colorScheme of ['light', 'dark'] as const) {
        for (const width of [320, 1280]) {
          const page = await open(text, { colorScheme, viewport: { width, height: 900 } });
          await expectAccessible(page, `${colorScheme} ${width}`);
          await page.context().close();
        }
      }
    }
  });

  it('runs no script from scanned pages and makes no network request', async () => {
    await reports();
    const requests: string[] = [];
    const { context } = await services.open({ allowedPrivateAddresses: undefined });
    context.on('request', (request) => requests.push(request.url()));
    const page = await context.newPage();
    const errors: string[] = [];
    page.on('console', (message) => errors.push(message.text()));
    page.on('pageerror', (error) => errors.push(error.message));
    await page.setContent(full);
    expect(await page.title()).toContain('Critical issues');
    expect(await page.locator('h1').isVisible()).toBe(true);
    expect(requests.filter((url) => !url.startsWith('data:'))).toEqual([]);
    expect(errors).toEqual([]);
    await context.close();
  });

  it('filters by impact, rule, page and change, by keyboard', async () => {
    await reports();
    const page = await open(full);
    const shown = () => page.locator('[data-impact]:visible').count();
    const all = await shown();
    expect(all).toBe(5);
    await page.getByRole('combobox', { name: 'Impact' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    expect(await shown()).toBe(1);
    expect(await page.getByRole('status').textContent()).toBe('1 of 5 shown');
    await page.getByRole('button', { name: 'Show all' }).press('Enter');
    await expect.poll(shown).toBe(all);
    await page.getByRole('combobox', { name: 'Rule' }).selectOption({ label: 'label' });
    expect(await page.locator('article:visible h3').allTextContents()).toEqual(['Fields need labels']);
    await page.getByRole('button', { name: 'Show all' }).press('Enter');
    await page.getByRole('combobox', { name: 'Page' }).selectOption({ label: 'example.org/c' });
    expect(await shown()).toBe(4);
    await page.getByRole('combobox', { name: 'Change' }).selectOption('new');
    expect(await shown()).toBe(1);
    await page.context().close();
  });

  it('shows everything without scripts', async () => {
    await reports();
    const page = await open(full, { javaScriptEnabled: false });
    expect(await page.locator('article').count()).toBe(5);
    expect(await page.locator('form').isVisible()).toBe(false);
    await page.locator('summary').last().click();
    await page.context().close();
  });

  it('prints a tagged PDF with all examples', async () => {
    await reports();
    const pdf = Buffer.from(await renderPdf(full, services)).toString('latin1');
    expect(pdf.startsWith('%PDF-')).toBe(true);
    expect(/\/MarkInfo\s*<<[^>]*\/Marked true/.test(pdf)).toBe(true);
    expect(pdf.includes('/Outlines')).toBe(true);
    const page = await open(full);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('details:not([open]) .example').first().isVisible()).toBe(true);
    await page.context().close();
  });
});
