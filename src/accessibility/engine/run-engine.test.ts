import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { siteWithIssues } from '../../../test/sites/accessibility-issues.ts';
import { failingSite, trapOutcomes, trapSite, treeSite } from '../../../test/sites/scan-traps.ts';
import { type ServedSite, type SiteHandler, serveSite } from '../../../test/sites/serve.ts';
import { scanWorkspace, testHome, type Workspace } from '../../../test/sites/workspace.ts';
import { type JournalLine, type PageLine, parseJournal } from './output/scan-journal.ts';
import { type EngineOptions, runEngine } from './run-engine.ts';

async function served(handler: SiteHandler): Promise<ServedSite> {
  const site = await serveSite(handler);
  onTestFinished(() => site[Symbol.asyncDispose]());
  return site;
}

async function workspaceFor(urls: readonly string[], config: Record<string, unknown> = {}): Promise<Workspace> {
  const workspace = await scanWorkspace(urls, config);
  onTestFinished(() => workspace[Symbol.asyncDispose]());
  return workspace;
}

async function scan({ root }: Workspace, options: Partial<EngineOptions> = {}) {
  const printed: string[] = [];
  const end = await runEngine({
    root,
    configFile: 'scan.json',
    home: testHome,
    print: (line) => printed.push(line),
    signal: new AbortController().signal,
    ...options,
  });
  return { ...end, dir: end.resultsDir ?? '', printed };
}

async function journal(dir: string): Promise<JournalLine[]> {
  return parseJournal(await readFile(join(dir, 'pages.jsonl'))).lines;
}

async function pageLines(dir: string): Promise<PageLine[]> {
  return (await journal(dir)).filter((line) => line.type === 'page');
}

const axeOnly = { audit_plugins: { axe_core_audit: { enabled: true } }, viewport_sizes: { width: 800, height: 600 } };
const pathOf = (url: string) => new URL(url).pathname;

test('finds the known issues of each page in each viewport', async () => {
  const site = await served(siteWithIssues);
  const workspace = await workspaceFor([site.url]);
  const { dir, exitCode, printed } = await scan(workspace);
  expect(exitCode).toBe(0);
  const count: Record<string, number> = {};
  for (const row of await workspace.table(dir, 'axe_core_audit')) {
    const key = `${pathOf(row['url'] ?? '')} ${row['audit_id']?.split('_')[1]} ${row['id'] || 'clean'} ${row['impact']}`;
    count[key] = (count[key] ?? 0) + 1;
  }
  expect(count).toEqual({
    '/ small color-contrast serious': 1,
    '/ medium color-contrast serious': 1,
    '/ small image-alt critical': 2,
    '/ medium image-alt critical': 2,
    '/forms small button-name critical': 1,
    '/forms medium button-name critical': 2,
    '/forms small label critical': 2,
    '/forms medium label critical': 2,
    '/forms small image-alt critical': 1,
    '/forms medium image-alt critical': 1,
    '/wide small clean ': 1,
    '/wide medium clean ': 1,
    '/frames small image-alt critical': 1,
    '/frames medium image-alt critical': 1,
    '/shadow small button-name critical': 1,
    '/shadow medium button-name critical': 1,
    '/from-shadow small clean ': 1,
    '/from-shadow medium clean ': 1,
    '/clean/ small clean ': 1,
    '/clean/ medium clean ': 1,
  });
  const review = await workspace.table(dir, 'axe_core_audit_needs_review');
  expect(review.map((row) => [row['id'], row['audit_id']])).toEqual([
    ['color-contrast', '1_small'],
    ['color-contrast', '1_medium'],
  ]);
  const targets = (await workspace.table(dir, 'axe_core_audit')).map((row) => row['target']);
  expect(targets).toContain('/html/body/main/iframe >>> /html/body/main/img');
  expect(targets).toContain('x-card >>> button');
  const overflow = (await workspace.table(dir, 'reflow_audit')).filter((row) => row['num_issues'] === '1');
  expect(overflow.map((row) => [pathOf(row['url'] ?? ''), row['overflow_amount_px']])).toEqual([['/wide', '88']]);
  const html = (await workspace.table(dir, 'html_validation')).filter((row) => row['num_issues'] === '1');
  expect(html.map((row) => [pathOf(row['url'] ?? ''), row['id'], row['line']])).toEqual([
    ['/forms', 'no-dup-id', '18'],
  ]);
  expect(await workspace.table(dir, 'pages_scanned')).toEqual([
    { organisation: 'Org', base_url: site.url, number_of_pages: '7', sector: 'Sector' },
  ]);
  expect(printed.at(-1)).toMatch(/^7 pages found: 7 scanned, 0 failed, 0 skipped, 0 blocked\./);
  expect(site.requests.filter((line) => line === 'GET /clean/' || line === 'GET /clean')).toHaveLength(2);
});

test('writes CWAC tables, and the fix and a screenshot of new findings', async () => {
  const site = await served(siteWithIssues);
  const workspace = await workspaceFor([`${site.url}/forms`], { max_links_per_domain: 1, audit_name: 'My  audit!' });
  const { dir } = await scan(workspace);
  expect(dir).toMatch(/\/results\/\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d_My_audit_$/);
  const config = await readFile(join(dir, 'config.json'), 'utf8');
  expect(config).toMatch(/^\uFEFF\{\n {4}"audit_name": "\d{4}-/);
  expect(JSON.parse(config.slice(1)).base_urls_visit_path).toBe('./base_urls/visit/mine/');
  const text = await readFile(join(dir, 'axe_core_audit.csv'), 'utf8');
  const [header, first] = text.split('\r\n');
  expect(header).toBe(
    '\uFEFForganisation,sector,page_title,base_url,url,viewport_size,audit_id,page_id,audit_type,issue_id,description,target,num_issues,help,helpUrl,id,impact,html,tags,best-practice',
  );
  expect(first).toMatch(
    /^Org,Sector,Forms,http:\/\/127\.0\.0\.1:\d+,http:\/\/127\.0\.0\.1:\d+\/forms,"\{'width': 320, 'height': 450\}",1_small,1,AxeCoreAudit,[0-9a-f]{10},/,
  );
  const findings = (await readFile(join(dir, 'findings.jsonl'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(findings[0].fix).toContain('Fix any of the following');
  const pictured = findings.filter((finding) => finding.screenshot);
  expect(pictured.length).toBeGreaterThan(2);
  expect(readFileSync(join(dir, pictured[0].screenshot)).subarray(1, 4).toString()).toBe('PNG');
});

test('gives each trap page its expected outcome, and the counts add up', async () => {
  const site = await served(trapSite);
  const workspace = await workspaceFor([site.url], {
    page_load_timeout: 2,
    script_timeout: 2,
    viewport_sizes: { width: 800, height: 600 },
    audit_plugins: { axe_core_audit: { enabled: true }, crawl_audit: { enabled: true } },
  });
  const { dir, exitCode, printed } = await scan(workspace);
  expect(exitCode).toBe(0);
  const pages = await pageLines(dir);
  expect(Object.fromEntries(pages.map((page) => [pathOf(page.url), page.outcome]))).toEqual(trapOutcomes);
  const why = Object.fromEntries(pages.map((page) => [pathOf(page.url), page.why]));
  expect(why).toMatchObject({
    '/loop': 'it redirects in a circle',
    '/error': 'status 500',
    '/missing': 'status 404',
    '/slow': 'it did not answer in time',
    '/private/page': 'robots.txt',
    '/data': 'application/json',
    '/download': 'it is a download, not a page',
    '/hang': 'it did not load within 2 s',
    '/wall': 'Cloudflare',
  });
  const partial = Object.fromEntries(pages.map((page) => [pathOf(page.url), page.partial.join()]));
  expect(partial['/stuck']).toBe('the page did not finish loading');
  expect(partial['/tampering']).toContain('without color-contrast');
  expect(pages.find((page) => pathOf(page.url) === '/leaving')?.final_url).toBe(`${site.url}/landed`);
  const codes = await workspace.table(dir, 'unexpected_response_codes');
  expect(codes.map((row) => [pathOf(row['url'] ?? ''), row['status_code']]).sort()).toEqual([
    ['/error', '500'],
    ['/missing', '404'],
  ]);
  expect((await workspace.table(dir, 'anti_bot')).map((row) => row['anti_bot_check'])).toEqual(['Cloudflare']);
  expect(site.requests).not.toContain('GET /private/page');
  const crawl = await workspace.table(dir, 'crawl_audit');
  expect(crawl).toHaveLength(Object.keys(trapOutcomes).length);
  const total = Object.keys(trapOutcomes).length;
  const by = (outcome: string) => Object.values(trapOutcomes).filter((each) => each === outcome).length;
  expect(printed.at(-1)).toContain(
    `${total} pages found: ${by('scanned')} scanned, ${by('failed')} failed, ${by('skipped')} skipped, ${by('blocked')} blocked.`,
  );
});

test('scans the first pages in breadth-first order under a limit, whatever their load times', async () => {
  const site = await served(treeSite(40, (page) => (page % 3 === 1 ? 150 : 0)));
  const workspace = await workspaceFor([site.url], { ...axeOnly, max_links_per_domain: 7 });
  const { dir, printed } = await scan(workspace);
  const scanned = (await pageLines(dir)).map((page) => pathOf(page.url)).sort();
  expect(scanned).toEqual(['/', '/page-1', '/page-2', '/page-3', '/page-4', '/page-5', '/page-6']);
  const [end] = (await journal(dir)).filter((line) => line.type === 'site');
  expect(printed.at(-1)).toContain(`7 scanned, 0 failed, ${end?.skipped} skipped`);
  expect(end?.why).toContain('max_links_per_domain');
});

test('abandons a site after three consecutive failures and skips its other pages', async () => {
  const site = await served(failingSite);
  const workspace = await workspaceFor([site.url], { ...axeOnly, thread_count: 1 });
  const { dir, printed } = await scan(workspace);
  expect((await pageLines(dir)).map((page) => page.outcome)).toEqual(['scanned', 'failed', 'failed', 'failed']);
  expect(printed.at(-1)).toContain('6 pages found: 1 scanned, 3 failed, 2 skipped, 0 blocked.');
});

test('resumes a killed scan without duplicate pages or partial rows', async () => {
  const site = await served(treeSite(14));
  const workspace = await workspaceFor([site.url], axeOnly);
  const stop = new AbortController();
  let pages = 0;
  const cut = await scan(workspace, {
    signal: stop.signal,
    print: (line) => {
      if (line.startsWith('[') && ++pages === 5) stop.abort();
    },
  });
  expect(cut.exitCode).toBe(130);
  const before = await pageLines(cut.dir);
  expect(before.length).toBeLessThan(14);
  // What a process killed in the middle of a page leaves behind.
  await appendFile(join(cut.dir, 'axe_core_audit.csv'), 'Org,Sector,"half a ro');
  await appendFile(join(cut.dir, 'title_audit.csv'), 'left over');
  await appendFile(join(cut.dir, 'pages.jsonl'), '{"type":"page","si');
  const { exitCode, dir, printed } = await scan(workspace, { resume: cut.dir });
  expect([exitCode, dir]).toEqual([0, cut.dir]);
  const after = await pageLines(dir);
  expect(after.slice(0, before.length)).toEqual(before);
  expect(new Set(after.map((page) => page.url)).size).toBe(14);
  expect(after).toHaveLength(14);
  expect(new Set(after.map((page) => page.page_id)).size).toBe(14);
  const rows = await workspace.table(dir, 'axe_core_audit');
  expect(rows.map((row) => row['url']).sort()).toEqual(after.map((page) => page.final_url).sort());
  expect(await workspace.table(dir, 'title_audit')).toEqual([]);
  expect(await workspace.table(dir, 'pages_scanned')).toHaveLength(1);
  expect(printed.at(-1)).toContain('14 pages found: 14 scanned, 0 failed, 0 skipped, 0 blocked.');
});

test('cancels without waiting for a page that hangs', async () => {
  const site = await served(trapSite);
  const patient = { page_load_timeout: 600, script_timeout: 600 };
  const workspace = await workspaceFor([`${site.url}/hang`], { ...axeOnly, ...patient });
  const stop = new AbortController();
  const ended = scan(workspace, { signal: stop.signal });
  await expect.poll(() => site.requests.includes('GET /hang')).toBe(true);
  stop.abort();
  expect((await ended).exitCode).toBe(130);
});

test.each([
  ['browser', '--remote-debugging-pipe'],
  ['page', '--type=renderer'],
])('restarts a killed %s and scans all pages', async (_, mark) => {
  const killed: number[] = [];
  const tree = treeSite(10);
  const site = await served((path, request) => {
    if (path === '/page-4' && request.method === 'GET' && killed.length === 0) killed.push(...killOwn(mark));
    return tree(path, request);
  });
  const workspace = await workspaceFor([site.url], axeOnly);
  const { dir, exitCode } = await scan(workspace);
  expect(killed.length).toBeGreaterThan(0);
  expect(exitCode).toBe(0);
  const pages = await pageLines(dir);
  expect(pages.map((page) => [page.outcome, page.why].join(' '))).toEqual(Array(10).fill('scanned '));
  expect(new Set(pages.map((page) => page.url)).size).toBe(10);
});

/** Kills the descendants of this process that have the mark in their command line. */
function killOwn(mark: string, parent = process.pid): number[] {
  const children = readProcess(`${parent}/task/${parent}/children`).split(' ').filter(Boolean).map(Number);
  return children.flatMap((pid) => {
    const inside = killOwn(mark, pid);
    if (!readProcess(`${pid}/cmdline`).includes(mark)) return inside;
    process.kill(pid, 'SIGKILL');
    return [...inside, pid];
  });
}

/** Reads a file of a process; empty if the process has ended. */
function readProcess(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return '';
  }
}

test.skipIf(!existsSync('/dev/full'))(
  'ends a scan on a full disk with that reason, and resumes it when there is space',
  async () => {
    const tree = treeSite(4);
    let fillUp: (() => void) | undefined;
    const site = await served((path, request) => {
      fillUp?.();
      fillUp = undefined;
      return tree(path, request);
    });
    const workspace = await workspaceFor([site.url], axeOnly);
    const results = join(workspace.root, 'results');
    const table = () => join(results, readdirSync(results)[0] ?? '', 'axe_core_audit.csv');
    fillUp = () => symlinkSync('/dev/full', table());
    const full = await scan(workspace);
    expect(full.exitCode).toBe(1);
    expect(full.printed.at(-1)).toMatch(/^Error: .*the disk is full/);
    rmSync(table());
    const { exitCode, printed } = await scan(workspace, { resume: full.dir });
    expect(exitCode).toBe(0);
    expect(printed.at(-1)).toContain('4 pages found: 4 scanned, 0 failed, 0 skipped, 0 blocked.');
  },
);
