import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { siteWithIssues } from '../sites/accessibility-issues.ts';
import { type ServedSite, serveSite } from '../sites/serve.ts';
import { ended, scanEnvironment } from '../support/accessibility/accessibility.ts';
import {
  type Connection,
  callOn,
  connectHttp,
  connectStdio,
  progressOf,
  type Result,
  runAssay,
  startHttp,
} from '../support/assay.ts';
import { type Folder, newFolder } from '../support/folders.ts';

let folder: Folder;
let env: Record<string, string>;
let site: ServedSite;
let client: Connection;
let call: ReturnType<typeof callOn>;
beforeAll(async () => {
  folder = await newFolder();
  env = await scanEnvironment(folder);
  site = await serveSite(siteWithIssues);
  client = await connectStdio('modern', { env });
  call = callOn(client);
});
afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

/** What a client hears of `cwac_scan`, before the id of the scan comes as its result. */
const startProgress = (sites: number, scanId: string) => [
  { progress: 0, total: sites, message: 'checking the addresses' },
  { progress: sites, total: sites, message: `the scan has started: call cwac_scan_status with scan_id ${scanId}` },
];

describe('an accessibility scan', () => {
  let scan_id: string;

  test('starts immediately with its inputs in a workspace in CWAC’s layout', async () => {
    const args = { urls: [`${site.url}/`], audit_name: 'My shop: 1st audit' };
    const { started, heard } = await progressOf(client, 'cwac_scan', args);
    scan_id = started.scan_id;
    expect(heard).toEqual(startProgress(1, scan_id));
    const root = join(env['ASSAY_HOME'] ?? '', 'accessibility');
    expect(started).toEqual({
      scan_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      config_path: join(root, `config/mcp_${scan_id.slice(0, 8)}.json`),
      base_urls_dir: `${join(root, `base_urls/visit/mcp_${scan_id.slice(0, 8)}`)}/`,
      status: 'started',
      audit_name: 'My_shop_1st_audit',
    });
  });

  test('completes and removes its inputs', async () => {
    expect(await ended(call, scan_id)).toEqual({
      scan_id,
      status: 'complete',
      elapsed_time: expect.stringMatching(/^\d+m \d+s$/),
      results_dir: expect.stringMatching(/results\/\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d_My_shop_1st_audit\/$/),
      exit_code: 0,
    });
    expect(existsSync(join(env['ASSAY_HOME'] ?? '', `accessibility/config/mcp_${scan_id.slice(0, 8)}.json`))).toBe(
      false,
    );
  });

  test('finds the issues of the site by rule and page', async () => {
    const axe = await call('cwac_get_results', { scan_id, audit_type: 'axe_core_audit', limit: 1000 });
    const found = (path: string, rule: string) =>
      axe.results.filter(
        (row: Result) => row.url === `${site.url}${path}` && row.rule_id === rule && row.viewport === 'medium',
      ).length;
    expect(found('/', 'image-alt')).toBe(2);
    expect(found('/', 'color-contrast')).toBe(1);
    expect(found('/forms', 'label')).toBe(2);
    expect(found('/shadow', 'button-name')).toBe(1);
    expect(axe.results.filter((row: Result) => row.url.endsWith('/clean'))).toEqual([]);
    const critical = await call('cwac_get_results', { scan_id, impact: 'critical', limit: 3 });
    expect(critical.returned_results).toBe(3);
    expect(critical.total_results).toBeGreaterThan(3);
    expect(critical.results.every((row: Result) => row.impact === 'critical')).toBe(true);
    await expect(call('cwac_get_results', { scan_id, audit_type: 'nothing' })).rejects.toThrow(
      'Error: No results file for audit type: nothing',
    );
  });

  test('has a summary whose counts add up', async () => {
    const summary = await call('cwac_get_summary', { scan_id });
    const sum = (counts: Record<string, number>) => Object.values(counts).reduce((total, count) => total + count, 0);
    expect(summary.audit_name).toBe('My_shop_1st_audit');
    expect(sum(summary.issues_by_audit_type)).toBe(summary.total_issues);
    expect(sum(summary.issues_by_impact)).toBe(summary.total_issues);
    expect(summary.top_violations[0]).toMatchObject({ rule_id: 'image-alt', impact: 'critical' });
    expect(summary.urls_scanned).toBe(summary.pages.scanned);
    expect(summary.needs_review).toBeGreaterThan(0);
  });

  test('is listed and has reports for people and machines', async () => {
    const { scans, total_scans } = await call('cwac_list_scans');
    expect(total_scans).toBe(1);
    expect(scans[0]).toMatchObject({
      scan_id,
      audit_types: expect.arrayContaining(['axe_core_audit', 'html_validation']),
    });
    const report = await call('cwac_generate_report', { scan_id, pdf: true });
    expect(report).toMatchObject({ scan_id, status: 'generated', verdict: expect.any(String) });
    const names = report.report_files.map((file: string) => file.split('/').at(-1));
    expect(names).toEqual([
      'report_data.json',
      'leaderboard.csv',
      'report.html',
      'report.sarif',
      'report.junit.xml',
      'report.pdf',
    ]);
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'fix_accessibility_issues' },
      argument: { name: 'scan_id', value: scan_id.slice(0, 4) },
    });
    expect(completion.values).toEqual([scan_id]);
    for (const file of report.report_files) expect(readFileSync(file).length).toBeGreaterThan(100);
    expect(readFileSync(report.report_files[5]).subarray(0, 5).toString()).toBe('%PDF-');
  });

  test('shows persisting issues after a second scan', async () => {
    const { scan_id: again } = await call('cwac_scan', {
      urls: [`${site.url}/`],
      plugins: { axe_core_audit: true, seo_audit: false },
    });
    const { results_dir } = await ended(call, again);
    const report = await call('cwac_generate_report', { scan_id: again });
    expect(report.compared_with).toContain('My_shop_1st_audit');
    expect(existsSync(join(results_dir, 'seo_audit.csv'))).toBe(false);
    const { changes } = JSON.parse(readFileSync(join(results_dir, 'report_data.json'), 'utf8'));
    expect(JSON.stringify(changes)).toContain('"persisting"');
  });
});

describe('invalid and failing scans', () => {
  test.each([
    [{ urls: [] }, 'Error: At least one URL is required'],
    [{ urls: ['not a url'] }, 'Error: Invalid URL: not a url'],
    [{ urls: ['https://fine.example', 'file:///etc/passwd'] }, 'Error: Invalid URL: file:///etc/passwd'],
    [{ urls: ['javascript:alert(1)'] }, 'Error: Invalid URL: javascript:alert(1)'],
    [{ urls: ['localhost:8436'] }, /^Error: Invalid URL: localhost:8436\. .* http:\/\/localhost:8436$/],
    [{ urls: ['http://me:secret@a.example'] }, /Invalid URL/],
    [{ urls: ['http://a.example'], viewport_sizes: { width: 5, height: 5 } }, /viewport_sizes must be/],
    [{ urls: ['http://a.example'], max_links_per_domain: -1 }, /max_links_per_domain/],
    [{ urls: Array.from({ length: 10_001 }, (_, i) => `http://a.example/${i}`) }, /At most 10000 URLs/],
  ])('rejects %j', async (args, message) => {
    await expect(call('cwac_scan', args)).rejects.toThrow(message);
  });

  test.each(['cwac_scan_status', 'cwac_get_results', 'cwac_get_summary', 'cwac_generate_report', 'cwac_cancel_scan'])(
    '%s rejects an unknown scan id',
    async (tool) => {
      await expect(call(tool, { scan_id: 'no-such-scan' })).rejects.toThrow(
        'Error: No scan found with ID: no-such-scan',
      );
    },
  );

  test('completes with a warning for an unreachable site', async () => {
    const { scan_id } = await call('cwac_scan', { urls: ['http://127.0.0.1:2/'] });
    const status = await ended(call, scan_id);
    expect(status).toMatchObject({
      status: 'complete',
      warnings: ['No page was scanned: the connection was refused (http://127.0.0.1:2/).'],
    });
  });

  test('completes with a warning for a site that returns an error', async () => {
    await using broken = await serveSite(() => ({ status: 500, body: 'broken' }));
    const { scan_id } = await call('cwac_scan', { urls: [`${broken.url}/`] });
    expect(await ended(call, scan_id)).toMatchObject({
      status: 'complete',
      warnings: [`No page was scanned: robots.txt returned status 500 (${broken.url}/).`],
    });
  });

  test('accepts ten thousand URLs', async () => {
    const urls = Array.from({ length: 10_000 }, (_, i) => `http://127.0.0.1:2/${i}?a=1,2`);
    const { scan_id, status, base_urls_dir } = await call('cwac_scan', { urls });
    expect(status).toBe('started');
    const list = readFileSync(join(base_urls_dir, 'urls.csv'), 'utf8').trim().split('\n');
    expect(list).toHaveLength(10_001);
    expect(list.at(-1)).toBe('127.0.0.1,"http://127.0.0.1:2/9999?a=1,2",unknown');
    await call('cwac_cancel_scan', { scan_id });
    expect((await ended(call, scan_id)).status).toBe('cancelled');
  });

  test('fails the waiting command for an unreachable site', async () => {
    const waited = await runAssay(['call', 'cwac_scan', '--urls', 'http://127.0.0.1:2/', '--wait'], { env });
    expect(waited.code).toBe(1);
    expect(waited.stderr).toContain('No page was scanned: the connection was refused (http://127.0.0.1:2/).');
  });

  test('warns about an unknown plugin', async () => {
    const { scan_id, warnings } = await call('cwac_scan', {
      urls: [`${site.url}/clean`],
      plugins: { no_such_audit: true },
      max_links_per_domain: 1,
    });
    expect(warnings).toEqual([expect.stringContaining('no_such_audit')]);
    expect((await ended(call, scan_id)).status).toBe('complete');
  });
});

/** Time limit that includes the start of a worker on a busy machine. */
const BUSY_MS = 120_000;

test('runs two scans at once', async () => {
  const [one, two] = await Promise.all(
    ['one', 'two'].map((audit_name) =>
      call('cwac_scan', { urls: [`${site.url}/clean`], audit_name, max_links_per_domain: 1 }),
    ),
  );
  const [first, second] = await Promise.all([ended(call, one.scan_id), ended(call, two.scan_id)]);
  expect([first.status, second.status]).toEqual(['complete', 'complete']);
  expect(first.results_dir).not.toBe(second.results_dir);
});

test(
  'waits for the scan with --wait, and otherwise leaves it to a worker',
  async () => {
    await using own = await newFolder();
    const ownEnv = await scanEnvironment(own);
    const args = ['call', 'cwac_scan', '--urls', `${site.url}/clean`, '--max-links-per-domain', '1'];
    const waited = await runAssay([...args, '--wait'], { env: ownEnv });
    expect(JSON.parse(waited.stdout)).toMatchObject({
      status: 'complete',
      exit_code: 0,
      pages: { scanned: 1 },
      next: expect.stringMatching(/^assay call cwac_generate_report --scan-id /),
    });
    const { scan_id } = JSON.parse((await runAssay(args, { env: ownEnv })).stdout);
    const status = async () =>
      JSON.parse((await runAssay(['call', 'cwac_scan_status', '--scan-id', scan_id], { env: ownEnv })).stdout);
    await expect.poll(async () => (await status()).status, { interval: 500 }).toBe('complete');
    expect((await runAssay(['call', 'cwac_list_scans', '--wait'], { env: ownEnv })).code).toBe(2);
  },
  BUSY_MS,
);

test('reports an unwritable results folder as an expected error', async () => {
  await using own = await newFolder();
  const ownEnv = await scanEnvironment(own);
  await own.write('home/accessibility/results', 'a file in place of the folder');
  await using other = await connectStdio('modern', { env: ownEnv });
  await expect(callOn(other)('cwac_scan', { urls: [`${site.url}/clean`] })).rejects.toThrow(
    /Error: Cannot use the workspace/,
  );
});

test('reports a missing browser in the status of the scan', async () => {
  await using own = await newFolder();
  const ownEnv = { ...(await scanEnvironment(own)), ASSAY_BROWSER: '/no/such/browser' };
  await using other = await connectStdio('modern', { env: ownEnv });
  const { scan_id } = await callOn(other)('cwac_scan', { urls: [`${site.url}/clean`] });
  expect(await ended(callOn(other), scan_id)).toMatchObject({
    status: 'failed',
    stderr: expect.stringContaining('/no/such/browser'),
  });
  expect(readdirSync(join(own.path, 'home/accessibility/base_urls/visit'))).toEqual([]);
});

test('rejects private addresses over HTTP unless the operator allows them', async () => {
  await using own = await newFolder();
  const ownEnv = await scanEnvironment(own);
  await using closed = await startHttp({ args: [], env: ownEnv });
  await using stranger = await connectHttp('modern', closed);
  await expect(callOn(stranger)('cwac_scan', { urls: [`${site.url}/`] })).rejects.toThrow(/may not be visited/);
  await using open = await startHttp({ args: ['--allow-addresses', '127.0.0.1'], env: ownEnv });
  await using guest = await connectHttp('modern', open);
  // An unknown host is a failed site, not a rejected call.
  const urls = [`${site.url}/clean`, 'http://nobody.invalid/'];
  const { started, heard } = await progressOf(guest, 'cwac_scan', { urls, max_links_per_domain: 1 });
  const { scan_id } = started;
  expect(heard).toEqual(startProgress(2, scan_id));
  expect((await ended(callOn(guest), scan_id)).status).toBe('complete');
  expect((await callOn(guest)('cwac_get_summary', { scan_id })).pages).toMatchObject({ scanned: 1, failed: 1 });
});

test('fails the demo with one line when there is no browser', async () => {
  await using own = await newFolder();
  const { code, stdout, stderr } = await runAssay(['demo'], {
    env: { ASSAY_HOME: join(own.path, 'home'), ASSAY_BROWSER: '/no/such/browser' },
  });
  expect([code, stdout, stderr.trim().split('\n').length]).toEqual([2, '', 1]);
  expect(stderr).toContain('ASSAY_BROWSER is "/no/such/browser"');
});
