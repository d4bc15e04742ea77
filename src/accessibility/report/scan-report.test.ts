import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  axeTestRow,
  createResultsDir,
  formatTestCsv,
  resultsRowWithoutIssues,
  type TestRow,
  testColumns,
} from '../results/test-support.ts';
import { collectScanReport } from './collect-report.ts';
import { renderScanHtml } from './html/report-page.ts';
import { renderScanJunit } from './junit-report.ts';
import { renderScanSarif } from './sarif-report.ts';
import { writeScanReports } from './write-reports.ts';

const page = (path: string | number) => `https://example.org/${path}`;
const footer = (path: number, viewport = 'small') =>
  axeTestRow({
    url: page(path),
    viewport,
    id: 'link-name',
    impact: 'serious',
    help: 'Links must have discernible text',
    html: `<a class="social" id="a${path}" href="/x?from=${path}">`,
    target: `/html/body/div[${path + 1}]/footer/a[1]`,
  });

const axe = (rows: TestRow[]) => ({ 'axe_core_audit.csv': formatTestCsv(testColumns.axe, rows) });
const now = new Date('2026-11-15T12:00:00Z');

describe('the report model', () => {
  it('groups an issue of a shared footer', async () => {
    const rows = [0, 1, 2, 3].flatMap((path) => [footer(path), footer(path, 'medium')]);
    const model = await collectScanReport(
      await createResultsDir(axe([...rows, axeTestRow({ url: page(2) }), resultsRowWithoutIssues(page('clean'))])),
    );
    expect(model.numbers).toMatchObject({
      pages: { scanned: 5, failed: 0, skipped: 0, blocked: 0 },
      pages_with_issues: 4,
      issues: 9,
      elements: 5,
      rules: 2,
      templates: 2,
      issues_by_impact: { critical: 1, serious: 8, moderate: 0, minor: 0, unknown: 0 },
    });
    expect(model.rules.map((rule) => rule.rule_id)).toEqual(['image-alt', 'link-name']);
    expect(model.rules[0]).toMatchObject({ wcag: ['1.1.1'], level: 'A' });
    expect(model.rules[1]?.templates).toMatchObject([
      { label: 'a.social in footer', pages: 4, elements: 4, issues: 8, viewports: ['medium', 'small'] },
    ]);
    expect(model.rules[1]?.templates[0]?.page_urls).toEqual([0, 1, 2, 3].map(page));
    expect(model.verdict).toMatchObject({ level: 'critical', word: 'Critical issues' });
    expect(model.verdict.sentence).toContain('2 things to fix, on 4 of 5 pages');
    expect(model.scan.versions).toContainEqual({ name: 'axe-core', value: '4.14' });
    expect(model.changes).toBeUndefined();
  });

  it('does not depend on the order of rows', async () => {
    const rows = [0, 1, 2, 3, 4].flatMap((path) => [
      footer(path),
      axeTestRow({ url: page(path), html: `<img class="p" src="/${'abcde'[path]}.png">`, description: `d${path}` }),
      axeTestRow({ url: page(path), id: 'region', impact: 'moderate', html: '<p>', help: '' }),
    ]);
    const one = await collectScanReport(await createResultsDir(axe(rows), 'x'), { now });
    const other = await collectScanReport(await createResultsDir(axe(rows.toReversed()), 'x'), { now });
    expect(other).toEqual(one);
  });

  it('reports new, persisting, fixed and unchecked issues', async () => {
    const gone = axeTestRow({ url: page(1), html: '<img class="gone">' });
    const elsewhere = axeTestRow({ url: page('not-visited-now'), html: '<img class="elsewhere">' });
    const validation = {
      'html_validation.csv': formatTestCsv(testColumns.axe, [axeTestRow({ url: page(1), id: 'no-x' })]),
    };
    const previous = await createResultsDir(
      { ...axe([footer(1), footer(2), gone, elsewhere]), ...validation },
      'before',
    );
    const dir = await createResultsDir(
      axe([footer(9), resultsRowWithoutIssues(page(1)), axeTestRow({ url: page(1), html: '<img class="new">' })]),
    );
    const model = await collectScanReport(dir, { previous: [{ dir: previous }] });
    expect(model.changes).toMatchObject({ previous: 'before', new: 1, persisting: 1, fixed: 1, not_checked: 2 });
    expect(model.changes?.fixed_examples).toMatchObject([
      { rule_id: 'image-alt', label: 'img.gone in main', url: page(1) },
    ]);
    expect(model.rules.flatMap((rule) => rule.templates.map((group) => [rule.rule_id, group.state]))).toEqual([
      ['image-alt', 'new'],
      ['link-name', 'persisting'],
    ]);
    const same = await collectScanReport(dir, { previous: [{ dir }] });
    expect(same.changes).toMatchObject({ new: 0, persisting: 2, fixed: 0, not_checked: 0 });
  });

  it('judges a scan without pages and a scan without issues', async () => {
    const walled = await createResultsDir({
      'anti_bot.csv': formatTestCsv(testColumns.antiBot, [{ url: page(''), anti_bot_check: 'Cloudflare' }]),
    });
    const { verdict } = await collectScanReport(walled);
    expect(verdict.level).toBe('not_scanned');
    expect(verdict.sentence).toContain('blocked by Cloudflare');
    const clean = await collectScanReport(await createResultsDir(axe([resultsRowWithoutIssues(page(''))])));
    expect(clean.verdict).toMatchObject({ level: 'clean', word: 'No issues found' });
    expect((await collectScanReport(await createResultsDir({}))).verdict.sentence).toBe(
      'No page could be scanned. No page was found.',
    );
  });

  it('ranks sites by distinct issues per scanned page', async () => {
    const at = (site: string, path: string, html: string) =>
      axeTestRow({
        organisation: site,
        base_url: `https://${site}.example`,
        url: `https://${site}.example/${path}`,
        html,
      });
    const dir = await createResultsDir({
      ...axe([
        at('a', '1', '<i>'),
        at('a', '2', '<i>'),
        at('a', '3', '<b>'),
        { ...at('a', '4', '<u>'), 'best-practice': 'Yes' },
        { ...resultsRowWithoutIssues('https://b.example/'), organisation: 'b', base_url: 'https://b.example' },
      ]),
      'pages_scanned.csv': formatTestCsv(testColumns.pagesScanned, [
        { organisation: 'a', base_url: 'https://a.example', number_of_pages: 4 },
        { organisation: 'c', base_url: 'https://c.example', number_of_pages: 2 },
      ]),
    });
    expect((await collectScanReport(dir)).sites).toEqual([
      {
        organisation: 'a',
        base_url: 'https://a.example',
        num_pages_scanned: 4,
        num_issues: 2,
        average_num_issues_per_page: 0.5,
        percentile: 100,
      },
      {
        organisation: 'b',
        base_url: 'https://b.example',
        num_pages_scanned: 1,
        num_issues: 0,
        average_num_issues_per_page: 0,
        percentile: 50,
      },
      {
        organisation: 'c',
        base_url: 'https://c.example',
        num_pages_scanned: 2,
        num_issues: 0,
        average_num_issues_per_page: 0,
        percentile: 50,
      },
    ]);
  });
});

describe('findings of other audits than axe', () => {
  const at = (url: string) => ({ base_url: 'https://example.org/', url, audit_id: '1_small' });
  const seo = (url: string) =>
    axeTestRow({ url, id: 'canonical-missing', impact: 'minor', help: 'Add a link', html: '' });
  const validation = (id: string, description: string, html: string) =>
    axeTestRow({ id, description, help: 'error', impact: '', html, tags: '[]', helpUrl: '' });
  const crawled = (url: string, parent: string, description: string) => ({
    ...at(url),
    parent_url: parent,
    outcome: 'status',
    status_code: 404,
    num_issues: 1,
    id: 'crawl-status',
    description,
  });
  const files = {
    ...axe([resultsRowWithoutIssues(page('')), resultsRowWithoutIssues(page('b'))]),
    'reflow_audit.csv': formatTestCsv(testColumns.reflow, [
      { ...at(page('')), overflows: 'True', num_issues: 1, overflow_amount_px: 100 },
    ]),
    'seo_audit.csv': formatTestCsv(testColumns.axe, [seo(page('')), seo(page('b'))]),
    'html_validation.csv': formatTestCsv(testColumns.axe, [
      validation('close-order', 'End tag "</b>" seen', '<b>'),
      validation('close-order', 'Stray end tag "</i>"', '<i>'),
      validation('void-content', 'End tag for <br> must be omitted', '<br>'),
      validation('no-dup-id', 'Duplicate ID "x"', '<p id="x">'),
    ]),
    'crawl_audit.csv': formatTestCsv(testColumns.crawl, [
      ...[page(''), page('b')].map((url) => ({ ...at(url), outcome: 'audited', num_issues: 0 })),
      crawled(page('gone'), page(''), 'status 404'),
      crawled(page('lost'), page('b'), 'status 404'),
      { ...at(page('private')), outcome: 'robots', num_issues: 0, description: 'robots.txt' },
    ]),
  };

  it('come in two parts: issues that affect people, then other findings', async () => {
    const model = await collectScanReport(await createResultsDir(files));
    expect(model.rules.map(({ rule_id, impact, about_people }) => [rule_id, impact, about_people])).toEqual([
      ['reflow', 'serious', true],
      ['no-dup-id', 'unknown', true],
      ['canonical-missing', 'minor', false],
      ['crawl-status', 'unknown', false],
      ['close-order', 'unknown', false],
      ['void-content', 'unknown', false],
    ]);
    expect(model.rules[0]).toMatchObject({ wcag: ['1.4.10'], level: 'AA' });
    expect(model.numbers.people).toEqual({
      issues_by_impact: { critical: 0, serious: 1, moderate: 0, minor: 0, unknown: 1 },
      templates: 2,
      pages_with_issues: 1,
    });
    expect(model.numbers.issues).toBe(9);
    expect(model.verdict.sentence).toBe(
      'Some people will struggle with parts of this site: 2 things to fix, on 1 of 2 pages. 5 other findings.',
    );
  });

  it('do not count as issues that affect people', async () => {
    const { verdict } = await collectScanReport(
      await createResultsDir({ ...axe([resultsRowWithoutIssues(page(''))]), 'seo_audit.csv': files['seo_audit.csv'] }),
    );
    expect(verdict.level).toBe('unknown');
  });

  it('have a title for each rule', async () => {
    const model = await collectScanReport(await createResultsDir(files));
    expect(model.rules.map((rule) => rule.help || rule.description)).toEqual([
      'Content must fit a window 320 pixels wide',
      'Duplicate ID "x"',
      'Add a link',
      'Links lead to pages that return an error',
      'Close order',
      'End tag for <br> must be omitted',
    ]);
    const written = renderScanHtml(model);
    expect(written).toContain('by 100 px or more: people who zoom in');
    expect(written).toContain('Stray end tag');
  });

  it('show which page links to a broken address, and list it once', async () => {
    const model = await collectScanReport(await createResultsDir(files));
    const written = renderScanHtml(model);
    expect(written).toContain(`<p>status 404, linked from ${page('')}</p>`);
    expect(written).toContain(`<p>status 404, linked from ${page('b')}</p>`);
    const notScanned = written.slice(written.indexOf('<section id="missed"'), written.indexOf('<section id="scan"'));
    expect(notScanned).toContain(page('private'));
    expect(notScanned).not.toContain(page('gone'));
  });

  it('distinguish broken addresses when scans are compared', async () => {
    const before = await createResultsDir({
      ...files,
      'crawl_audit.csv': formatTestCsv(testColumns.crawl, [crawled(page('gone'), page(''), 'status 404')]),
    });
    const { changes } = await collectScanReport(await createResultsDir(files), { previous: [{ dir: before }] });
    expect(changes).toMatchObject({ new: 1, fixed: 0 });
  });

  it('appear in a report with the hosts as headline and the audit name beside them', async () => {
    const config = { 'config.json': JSON.stringify({ audit_name: 'scan_2026-11-15' }) };
    const written = renderScanHtml(await collectScanReport(await createResultsDir({ ...files, ...config })));
    expect(written).toContain('<h1>example.org</h1>');
    expect(written).toContain('<code>scan_2026-11-15</code>');
    expect(renderScanHtml(await collectScanReport(await createResultsDir(config)))).toContain(
      '<h1>scan_2026-11-15</h1>',
    );
  });
});

describe('the renderers', () => {
  const files = {
    ...axe([footer(0), footer(1), axeTestRow({ url: page('a b?x=<1>'), html: '<img alt="]]>\u0001">' })]),
    'unexpected_response_codes.csv': formatTestCsv(testColumns.codes, [{ url: page('gone'), status_code: 404 }]),
  };

  it('write SARIF with rules, addresses and fingerprints', async () => {
    const model = await collectScanReport(await createResultsDir(files), {
      previous: [{ dir: await createResultsDir(axe([footer(0)])) }],
    });
    const { version, runs } = JSON.parse(renderScanSarif(model));
    expect(version).toBe('2.1.0');
    const [run] = runs;
    expect(run.tool.driver.rules.map((rule: { id: string }) => rule.id)).toEqual(['image-alt', 'link-name']);
    expect(run.tool.driver.rules[0].helpUri).toContain('dequeuniversity.com');
    expect(run.results).toMatchObject([
      { ruleId: 'image-alt', ruleIndex: 0, level: 'error', baselineState: 'new', occurrenceCount: 1 },
      { ruleId: 'link-name', ruleIndex: 1, level: 'error', baselineState: 'unchanged', occurrenceCount: 2 },
    ]);
    expect(run.results[0].locations[0].physicalLocation.artifactLocation.uri).toBe(page('a%20b?x=%3C1%3E'));
    expect(run.results[0].partialFingerprints['assayFinding/v1']).toMatch(/^[0-9a-f]{16}$/);
    expect(run.invocations[0].toolExecutionNotifications[0].message.text).toBe(
      '1 page failed: the server returned 404',
    );
  });

  it('write JUnit with a failed case per violated rule and errors for failed pages', async () => {
    const text = renderScanJunit(await collectScanReport(await createResultsDir(files)));
    expect(text).toContain('<testsuites name="results" tests="4" failures="2" errors="1" skipped="0">');
    expect(text).toContain(
      '<failure type="serious" message="Links must have discernible text (2 elements on 2 pages)">',
    );
    expect(text).toContain('<error message="the server returned 404">');
    expect(text).toContain(']]&gt;');
    const clean = renderScanJunit(
      await collectScanReport(await createResultsDir(axe([resultsRowWithoutIssues(page(''))]))),
    );
    expect(clean).toContain('name="no issues on 1 page"/>');
  });

  it('escape hostile text everywhere in the page', async () => {
    const bad = `"><script>alert(1)</script><img src=x onerror=alert(1)>' </style></script>`;
    const row = axeTestRow({
      ...Object.fromEntries(testColumns.axe.split(',').map((column) => [column, bad])),
      url: 'javascript:alert(1)//"><script>',
      helpUrl: 'javascript:alert(2)',
      num_issues: 1,
      impact: 'critical',
    });
    const dir = await createResultsDir({
      ...axe([row]),
      'config.json': JSON.stringify({ audit_name: bad, user_agent: bad }),
    });
    const written = renderScanHtml(await collectScanReport(dir, { previous: [{ dir }] }));
    expect(written.match(/<script/g)).toHaveLength(1);
    expect(written.match(/<img/g)).toBeNull();
    expect(written).not.toMatch(/href="javascript:/i);
    expect(written).not.toMatch(/<[^>]+\sonerror=/);
  });
});

describe('writeScanReports', () => {
  it('writes its files into the results folder, and no others', async () => {
    const picture = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    const dir = await createResultsDir({
      ...axe([
        axeTestRow({ issue_id: 'nopic' }),
        axeTestRow({ issue_id: 'pic1', viewport: 'tall' }),
        axeTestRow({ issue_id: '../../etc/passwd', html: '<img class="b">' }),
      ]),
      'elements/pic1.png': picture,
      'findings.jsonl': `${JSON.stringify({ issue_id: 'pic1', fix: 'Fix <this>', target: '/html/body/main/img', selectors: [['#frame'], ['x-y', 'img']] })}\n{"iss`,
      'pages.jsonl': `${JSON.stringify({ type: 'page', url: page(''), outcome: 'scanned', partial: ['axe ran without color-contrast'] })}\n`,
    });
    const { files } = await writeScanReports(dir, { now });
    expect(files.map((file) => file.slice(dir.length + 1))).toEqual([
      'report_data.json',
      'leaderboard.csv',
      'report.html',
      'report.sarif',
      'report.junit.xml',
    ]);
    expect((await readdir(dir)).sort()).toEqual(
      [
        'axe_core_audit.csv',
        'elements',
        'findings.jsonl',
        'pages.jsonl',
        ...files.map((file) => file.slice(dir.length + 1)),
      ].sort(),
    );
    const text = await readFile(join(dir, 'report.html'), 'utf8');
    expect(text.match(/<img src="data:image\/png;base64,/g)).toHaveLength(1);
    expect(text).toContain('Fix &lt;this&gt;');
    expect(text).toContain('#frame &gt;&gt;&gt; x-y &gt;&gt;&gt; img');
    expect(text).toContain('axe ran without color-contrast (1 page)');
    const first = await readFile(join(dir, 'report_data.json'), 'utf8');
    // A report does not read earlier reports, so the second is the same as the first.
    await writeScanReports(dir, { now });
    expect(await readFile(join(dir, 'report_data.json'), 'utf8')).toBe(first);
    expect(JSON.parse(first)).toMatchObject({ schema: 'assay.accessibility-report', version: 1 });
  });

  it('rejects a PDF without a browser, and a file that cannot be written', async () => {
    const dir = await createResultsDir(axe([axeTestRow({})]));
    await expect(writeScanReports(dir, { formats: ['pdf'] })).rejects.toMatchObject({ code: 'PDF_NEEDS_BROWSER' });
    await expect(writeScanReports('/nowhere/at/all')).rejects.toMatchObject({ code: 'RESULTS_MISSING' });
  });
});
