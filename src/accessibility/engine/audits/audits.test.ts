import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { auditPagesSite } from '../../../../test/sites/audit-pages.ts';
import { serveSite } from '../../../../test/sites/serve.ts';
import { scanWorkspace, testHome } from '../../../../test/sites/workspace.ts';
import { parseScanConfig } from '../input/engine-config.ts';
import { runEngine } from '../run-engine.ts';
import { planAudits } from './audit-plan.ts';
import { issueId } from './issue-id.ts';
import { gradeReadability } from './readability.ts';

test('each audit other than axe reports the expected rows', async () => {
  await using site = await serveSite(auditPagesSite);
  const plugins = ['language', 'focus_indicator', 'screenshot', 'element', 'title', 'seo'];
  await using workspace = await scanWorkspace([site.url], {
    viewport_sizes: { width: 600, height: 500 },
    audit_plugins: Object.fromEntries(plugins.map((name) => [`${name}_audit`, { enabled: true }])),
  });
  const { resultsDir: dir = '' } = await runEngine({
    root: workspace.root,
    configFile: 'scan.json',
    home: testHome,
    print: () => {},
    signal: new AbortController().signal,
  });
  const rowsOf = async (table: string, path: string) =>
    (await workspace.table(dir, table)).filter((row) => row['url'] === `${site.url}${path}`);

  const [reading, ...others] = await workspace.table(dir, 'language_audit');
  expect(others).toEqual([]);
  expect(reading).toMatchObject({ page_title: 'Reading', num_sentences: '22' });
  expect(Number(reading?.['smog_gl'])).toBeGreaterThan(12);

  const focus = await rowsOf('focus_indicator_audit', '/focus');
  expect(focus.map((row) => row['html'])).toEqual([
    '<button type="button" class="none">No ring</button>',
    '<input type="checkbox" class="none" aria-label="Sure">',
  ]);
  for (const path of ['/', '/same'])
    expect((await rowsOf('focus_indicator_audit', path)).map((row) => row['num_issues'])).toEqual(['0']);

  expect((await rowsOf('seo_audit', '/poor')).map((row) => row['id']).sort()).toEqual([
    'canonical-missing',
    'h1-missing',
    'lang-missing',
    'meta-description-missing',
    'robots-noindex',
    'title-missing',
    'viewport-missing',
  ]);
  expect((await rowsOf('seo_audit', '/same')).map((row) => row['id'])).toEqual(['', 'title-duplicate']);
  expect((await rowsOf('element_audit', '/same')).map((row) => row['element_html'])).toEqual([
    '<input type="text" aria-label="One">',
  ]);
  const pictures = (await workspace.table(dir, 'screenshot_audit')).map((row) => row['screenshot']);
  expect((await readdir(join(dir, 'screenshots'))).map((name) => `screenshots/${name}`).sort()).toEqual(
    pictures.sort(),
  );
  expect(pictures).toHaveLength(5);
});

test('computes the same issue id as CWAC', () => {
  expect(issueId('https://msd.govt.nz', 'list', '<ol>', { width: 1280, height: 800 })).toBe('828f1204b8');
});

test('runs the reflow audit at 320 pixels, in an extra viewport if the scan has none', () => {
  const on = { reflow_audit: { enabled: true, viewport_to_test: 'small' }, title_audit: { enabled: true } };
  const shown = (config: object) =>
    planAudits(parseScanConfig({ audit_plugins: on, ...config })).map((viewport) => [
      viewport.name,
      viewport.width,
      viewport.audits.map(({ audit }) => audit.name).join(),
    ]);
  expect(shown({})).toEqual([
    ['small', 320, 'title_audit,reflow_audit'],
    ['medium', 1280, 'title_audit'],
  ]);
  expect(shown({ viewport_sizes: { width: 800, height: 600 } })).toEqual([
    ['custom', 800, 'title_audit'],
    ['reflow', 320, 'reflow_audit'],
  ]);
});

test('counts syllables, words and sentences', () => {
  const perWord = (word: string) => gradeReadability([word])?.syllablesPerWord;
  const words = ['cat', 'table', 'library', 'wanted', 'asked', 'information', 'accessible', 'make', '2026'];
  expect(words.map(perWord)).toEqual([1, 2, 3, 2, 1, 4, 4, 1, 1]);
  expect(gradeReadability(['The cat sat. The dog ran home!', 'A heading'])).toMatchObject({ sentences: 3, words: 9 });
});
