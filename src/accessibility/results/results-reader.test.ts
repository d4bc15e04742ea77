import { chmod, mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { queryFindings } from './findings-query.ts';
import { parseFolderTimestamp } from './folder-timestamp.ts';
import { listResultsDirs } from './results-list.ts';
import { summariseScan } from './scan-summary.ts';
import { axeTestRow, createResultsDir, formatTestCsv, resultsRowWithoutIssues, testColumns } from './test-support.ts';

const page = (path: string) => `https://example.org/${path}`;

/** The files of a CWAC run: findings, rows without issues, observations and housekeeping. Only findings are issues. */
const cwacFiles = {
  'axe_core_audit.csv': formatTestCsv(testColumns.axe, [
    axeTestRow({ url: page(''), html: '<img\nsrc="a, b">' }),
    axeTestRow({ url: page('a'), id: 'color-contrast', impact: 'serious', num_issues: 3 }),
    axeTestRow({ url: page('a'), id: 'region', impact: '' }),
    resultsRowWithoutIssues(page('clean')),
  ]),
  'axe_core_audit_template_aware.csv': formatTestCsv(testColumns.axe, [axeTestRow({})], '\n'),
  'axe_core_audit_needs_review.csv': formatTestCsv(testColumns.axe, [axeTestRow({ url: page('b'), num_issues: 2 })]),
  'reflow_audit.csv': formatTestCsv(testColumns.reflow, [
    { url: page('a'), audit_id: '2_small', overflows: 'True', num_issues: 1, overflow_amount_px: 80 },
    { url: page('clean'), audit_id: '3_small', overflows: 'False', num_issues: 0, overflow_amount_px: 0 },
  ]),
  'language_audit.csv': formatTestCsv(testColumns.language, [{ url: page('lang'), smog_gl: '12.1' }]),
  'title_audit.csv': formatTestCsv(testColumns.title, [{ url: page('') }]),
  'audit_log.csv': formatTestCsv(testColumns.auditLog, [{ url: page('') }, { url: page('lost') }]),
  'pages_scanned.csv': formatTestCsv(testColumns.pagesScanned, [{ base_url: page(''), number_of_pages: 4 }]),
  'unexpected_response_codes.csv': formatTestCsv(testColumns.codes, [{ url: page('gone'), status_code: 404 }]),
  'anti_bot.csv': formatTestCsv(testColumns.antiBot, [{ url: page('wall'), anti_bot_check: 'Cloudflare' }]),
  'progress.csv': 'time,iteration\r\n1,2\r\n',
};

describe('queryFindings', () => {
  it('returns rows with the names of the specification, without no-issue rows, observations and housekeeping', async () => {
    const found = await queryFindings(await createResultsDir(cwacFiles), { limit: 100 });
    expect(found).toMatchObject({ total_results: 4, returned_results: 4, problems: [] });
    expect(found.results[0]).toMatchObject({
      url: page(''),
      rule_id: 'image-alt',
      impact: 'critical',
      description: 'Ensure <img> elements have alternative text',
      html: '<img\nsrc="a, b">',
      target: '/html/body/main/img',
      help_url: 'https://dequeuniversity.com/rules/axe/4.14/image-alt?application=axeAPI',
      audit_type: 'axe_core_audit',
      viewport: 'small',
      num_issues: 1,
    });
    expect(found.results.at(-1)).toMatchObject({ audit_type: 'reflow_audit', rule_id: 'reflow', impact: 'unknown' });
    expect(found.results.at(-1)?.description).toContain('80 px');
  });

  it('adds the fix of an element when the engine recorded it', async () => {
    const line = { issue_id: 'abcdef0123', fix: 'Add alt', target: '/html/body/main/img', selectors: [['.hero']] };
    const dir = await createResultsDir({ ...cwacFiles, 'findings.jsonl': `${JSON.stringify(line)}\n` });
    expect((await queryFindings(dir, { limit: 1 })).results[0]).toMatchObject({ fix: 'Add alt', selector: '.hero' });
  });

  it('returns audit-specific columns: reading grade, overflow, line of an HTML error', async () => {
    const dir = await createResultsDir({
      ...cwacFiles,
      'html_validation.csv': formatTestCsv(`${testColumns.axe},line,column`, [
        { ...axeTestRow({ id: 'no-x' }), line: 7, column: 3 },
      ]),
      'language_audit.csv': formatTestCsv(testColumns.language, [
        { url: page(''), smog_gl: '12.5', num_sentences: 20 },
      ]),
    });
    const detailsOf = async (auditType: string) => (await queryFindings(dir, { auditType, limit: 1 })).results[0];
    expect(await detailsOf('html_validation')).toMatchObject({ num_issues: 1, details: { line: '7', column: '3' } });
    expect(await detailsOf('language_audit')).toMatchObject({
      num_issues: 0,
      details: { smog_gl: '12.5', num_sentences: '20' },
    });
    expect((await detailsOf('reflow_audit'))?.details).toMatchObject({ overflow_amount_px: '80' });
    expect(await detailsOf('axe_core_audit')).not.toHaveProperty('details');
  });

  it('filters by audit and impact; rows without impact match no impact', async () => {
    const dir = await createResultsDir(cwacFiles);
    expect((await queryFindings(dir, { impact: 'serious', limit: 9 })).results.map((row) => row.rule_id)).toEqual([
      'color-contrast',
    ]);
    expect(await queryFindings(dir, { auditType: 'axe_core_audit', limit: 1 })).toMatchObject({
      total_results: 3,
      returned_results: 1,
    });
    expect((await queryFindings(dir, { auditType: 'axe_core', limit: 9 })).total_results).toBe(3);
    expect((await queryFindings(dir, { auditType: 'language_audit', limit: 9 })).total_results).toBe(1);
    expect((await queryFindings(dir, { auditType: 'axe_core_audit_needs_review', limit: 9 })).total_results).toBe(1);
  });

  it.each(['html_validation', '../secret', '/etc/passwd', '', 'pages_scanned', 'axe_core_audit.csv', '__proto__'])(
    'has no file for the audit type %j',
    async (auditType) => {
      const dir = await createResultsDir(cwacFiles);
      await writeFile(join(dir, '..', 'secret.csv'), formatTestCsv(testColumns.axe, [axeTestRow({})]));
      await expect(queryFindings(dir, { auditType, limit: 9 })).rejects.toMatchObject({
        kind: 'not_found',
        code: 'NO_RESULTS_FILE',
        message: `No results file for audit type: ${auditType}`,
      });
    },
  );

  it('reads the column names of the specification, and counts rows without num_issues once', async () => {
    const dir = await createResultsDir({
      'html_validation.csv':
        'url,rule_id,help_url,element_html\nhttps://e.org,no-x,https://h,<b>\nhttps://e.org,no-y,,\n',
    });
    const { results } = await queryFindings(dir, { limit: 9 });
    expect(results[0]).toMatchObject({ rule_id: 'no-x', help_url: 'https://h', html: '<b>', num_issues: 1 });
    expect((await summariseScan(dir)).issues_by_impact).toEqual({ unknown: 2 });
  });

  it('reports an unreadable file and reads the others', async () => {
    const dir = await createResultsDir({
      ...cwacFiles,
      'seo_audit.csv': 'url,id\nhttps://e.org,a\ntorn\nhttps://e.org,b\n',
    });
    const found = await queryFindings(dir, { limit: 100 });
    expect(found.total_results).toBe(6);
    expect(found.problems).toEqual([{ file: 'seo_audit.csv', problem: '1 row could not be read and was left out' }]);
  });

  it('rejects a missing folder', async () => {
    await expect(queryFindings('/nowhere/at/all', { limit: 1 })).rejects.toMatchObject({ code: 'RESULTS_MISSING' });
  });
});

describe('summariseScan', () => {
  it('counts issues by weight and pages by outcome', async () => {
    expect(await summariseScan(await createResultsDir(cwacFiles))).toMatchObject({
      total_issues: 6,
      issues_by_audit_type: { axe_core_audit: 5, reflow_audit: 1 },
      issues_by_impact: { critical: 1, serious: 3, unknown: 2 },
      top_violations: [
        { rule_id: 'color-contrast', count: 3, impact: 'serious' },
        { rule_id: 'image-alt', count: 1, impact: 'critical' },
        { rule_id: 'region', count: 1, impact: 'unknown' },
      ],
      urls_scanned: 5,
      needs_review: 2,
      pages: { scanned: 5, failed: 2, blocked: 1, skipped: 0 },
      problems: [],
    });
  });

  it('reads outcomes of the native engine from its journal, or else from crawl_audit.csv', async () => {
    const crawl = (url: string, outcome: string, num_issues: number) => ({
      url: page(url),
      outcome,
      num_issues,
      id: 'x',
    });
    const files = {
      'crawl_audit.csv': formatTestCsv(testColumns.crawl, [
        crawl('', 'audited', 0),
        crawl('slow', 'timeout', 1),
        crawl('again', 'timeout', 1),
        crawl('again', 'audited', 0),
        crawl('private', 'robots', 0),
        crawl('wall', 'anti_bot', 1),
      ]),
    };
    const summary = await summariseScan(await createResultsDir(files));
    expect(summary.pages).toEqual({ scanned: 2, failed: 1, skipped: 0, blocked: 2 });
    expect(summary).toMatchObject({ total_issues: 3, urls_scanned: 2 });

    const journal = [
      { type: 'page', url: page(''), outcome: 'scanned', how: 'audited', why: '', partial: ['axe failed'] },
      { type: 'page', url: page('x'), outcome: 'failed', how: 'status', why: 'HTTP 500' },
      { type: 'site', url: page(''), scanned: 1, skipped: 7, why: 'the limit of pages was reached' },
    ];
    const lines = `${journal.map((line) => JSON.stringify(line)).join('\n')}\n{"type":"pa`;
    const native = await summariseScan(await createResultsDir({ ...files, 'pages.jsonl': lines }));
    expect(native.pages).toEqual({ scanned: 1, failed: 1, skipped: 7, blocked: 0 });
    expect(native.partly_tested).toEqual([{ what: 'axe failed', pages: 1 }]);
  });

  it('returns zeros without results', async () => {
    expect(await summariseScan(await createResultsDir({ 'config.json': '{}' }))).toEqual({
      total_issues: 0,
      issues_by_audit_type: {},
      issues_by_impact: {},
      top_violations: [],
      urls_scanned: 0,
      needs_review: 0,
      pages: { scanned: 0, failed: 0, skipped: 0, blocked: 0 },
      missed: [],
      partly_tested: [],
      problems: [],
    });
  });
});

describe('listResultsDirs', () => {
  it.each([
    ['2026-02-24_14-30-00_audit', '2026-02-24T14:30:00'],
    ['scan_2026-02-24_14-30-00_20260224_143542', '2026-02-24T14:35:42'],
    ['20260224_143542_name', '2026-02-24T14:35:42'],
    ['2026-02-30_14-30-00_no_such_day', undefined],
    ['by_hand', undefined],
  ])('reads the time in %s', (name, time) => expect(parseFolderTimestamp(name)).toBe(time));

  it('lists all folders, newest first', async () => {
    const root = await createResultsDir({
      'fincap_audit_20260220_091500/axe_core_audit.csv': 'url\n',
      'fincap_audit_20260220_091500/pages_scanned.csv': '',
      '2026-02-24_14-30-00_b/axe_core_audit.csv': '',
      '2026-02-24_14-30-00_b/axe_core_audit_needs_review.csv': '',
      '2026-02-24_14-30-00_b/made_up.csv': '\uFEFFurl,impact\r\n',
      '2026-02-24_14-30-00_b/html_validation.csv': '12345',
      '2026-02-24_14-30-00_b/elements/a.png': '123',
      'by_hand/readme.txt': '',
      'file.txt': '',
    });
    await utimes(join(root, 'by_hand'), new Date('2030-01-01T00:00:00'), new Date('2030-01-01T00:00:00'));
    const list = await listResultsDirs(root);
    expect(list.total_scans).toBe(3);
    expect(list.results_directory).toBe(`${root}/`);
    expect(list.scans.map((scan) => scan.name)).toEqual([
      'by_hand',
      '2026-02-24_14-30-00_b',
      'fincap_audit_20260220_091500',
    ]);
    expect(list.scans[0]?.timestamp).toBe('2030-01-01T00:00:00');
    expect(list.scans[1]).toEqual({
      name: '2026-02-24_14-30-00_b',
      timestamp: '2026-02-24T14:30:00',
      path: `${root}/2026-02-24_14-30-00_b/`,
      audit_types: ['axe_core_audit', 'html_validation', 'made_up'],
      file_count: 5,
      size_bytes: 23,
    });
  });

  it('returns an empty list with a note when the folder does not exist', async () => {
    expect(await listResultsDirs('/nowhere/results')).toMatchObject({
      scans: [],
      total_scans: 0,
      note: expect.any(String),
    });
  });

  it.skipIf(process.getuid?.() === 0)('reports missing read permission', async () => {
    const root = await createResultsDir({});
    await chmod(root, 0);
    await expect(listResultsDirs(root)).rejects.toThrow('Cannot read results directory: permission denied');
  });

  it('reports why it cannot read', async () => {
    const root = await createResultsDir({ file: '' });
    await mkdir(join(root, 'x'));
    await expect(listResultsDirs(join(root, 'file'))).rejects.toThrow('Cannot read results directory: ');
  });
});
