import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serveSelfSigned } from '../../../test/sites/self-signed.ts';
import { cleanPage, type SiteHandler, serveSite } from '../../../test/sites/serve.ts';
import { scanWorkspace, testHome } from '../../../test/sites/workspace.ts';
import { createSiteQueue } from './crawl/site-queue.ts';
import { type PageLine, parseJournal } from './output/scan-journal.ts';
import { runEngine } from './run-engine.ts';

async function scan(urls: readonly string[], config: Record<string, unknown>) {
  await using workspace = await scanWorkspace(urls, { viewport_sizes: { width: 800, height: 600 }, ...config });
  const printed: string[] = [];
  const print = (line: string) => printed.push(line);
  const signal = new AbortController().signal;
  const { exitCode, resultsDir = '' } = await runEngine({
    root: workspace.root,
    configFile: 'scan.json',
    home: testHome,
    print,
    signal,
  });
  const journal = join(resultsDir, 'pages.jsonl');
  const { lines } = parseJournal(existsSync(journal) ? readFileSync(journal) : Buffer.alloc(0));
  const pages = lines.filter((line): line is PageLine => line.type === 'page');
  return { exitCode, pages, printed };
}

const titles = { audit_plugins: { title_audit: { enabled: true } } };

test('scans a page of 100,000 nodes within the time limit and reports untested checks', async () => {
  const nodes = '<div><p>one</p><p>two</p></div>'.repeat(33_400);
  await using site = await serveSite((path) => (path === '/' ? cleanPage('Large', nodes) : undefined));
  const audits = ['axe_core_audit', 'html_validation', 'title_audit'];
  const { exitCode, pages } = await scan([site.url], {
    script_timeout: 2,
    page_load_timeout: 60,
    audit_plugins: Object.fromEntries(audits.map((name) => [name, { enabled: true }])),
  });
  expect(exitCode).toBe(0);
  expect(pages).toMatchObject([{ outcome: 'scanned', title: 'Large' }]);
  const said = pages[0]?.partial.join() ?? '';
  expect('axe_core_audit' in (pages[0]?.issues ?? {}) || said.includes('axe took longer than 2 s')).toBe(true);
});

test('counts the links of a page beyond the maximum, and the counts add up', async () => {
  const links = Array.from({ length: 120_000 }, (_, i) => `<a href=/${i}>${i}</a> <a href=/${i}#again>${i}</a>`);
  const home = cleanPage('Links', links.join('\n'));
  await using site = await serveSite((path) => (path === '/' ? home : cleanPage(path, '<a href="/">Home</a>')));
  const { pages, printed } = await scan([site.url], {
    ...titles,
    max_links_per_domain: 3,
    page_load_timeout: 60,
    script_timeout: 60,
  });
  expect(pages[0]?.partial).toEqual(['20000 links beyond the first 100000 were not followed']);
  expect(printed.at(-1)).toContain('100001 pages found: 3 scanned, 0 failed, 99998 skipped, 0 blocked.');
  expect(printed.at(-2)).toBe(
    `99998 pages of ${site.url} skipped: max_links_per_domain was reached; 1 of them are not listed, because at most 100000 addresses per site are kept`,
  );
});

test('scans an endless site up to the limit and counts the rest', async () => {
  const calendar: SiteHandler = (path) => {
    const day = Number(path.slice(1) || 0);
    const next = Array.from({ length: 1000 }, (_, i) => `<a href="/${day * 1000 + i + 1}">later</a>`);
    return cleanPage(`Day ${day}`, next.join(' '));
  };
  await using site = await serveSite(calendar);
  const { pages, printed } = await scan([site.url], { ...titles, max_links_per_domain: 12 });
  expect(pages.map(({ outcome }) => outcome)).toEqual(Array(12).fill('scanned'));
  expect(printed.at(-1)).toContain('12001 pages found: 12 scanned, 0 failed, 11989 skipped, 0 blocked.');
});

test('counts addresses beyond the queue size once each', () => {
  const site = createSiteQueue(0, { organisation: '', sector: '', url: 'https://x.nz/' }, 0);
  const found = Array.from({ length: 100_049 }, (_, i) => ({ url: `https://x.nz/${i}`, parent: '' }));
  const end = { outcome: 'scanned', isSiteFailure: false } as const;
  site.take();
  site.end(0, { ...end, foundPages: found });
  site.take();
  site.end(1, { ...end, foundPages: found });
  expect([site.found, site.rest().notKept, site.rest().isCountWhole]).toEqual([100_050, 50, true]);
  expect(site.isKnown(new URL('https://x.nz/100048'))).toBe(true);
  expect(site.isKnown(new URL('https://x.nz/other'))).toBe(false);
});

test('reports an untrusted certificate and an error on the first page', async () => {
  await using site = await serveSelfSigned();
  await using broken = await serveSite((path) => (path === '/' ? { status: 500, body: 'broken' } : undefined));
  const { exitCode, pages, printed } = await scan([site.url, broken.url], titles);
  expect(exitCode).toBe(0);
  expect(pages.map(({ url, outcome, why }) => [url, outcome, why]).sort()).toEqual(
    [
      [`${site.url}/`, 'failed', 'its certificate or TLS is not valid'],
      [`${broken.url}/`, 'failed', 'status 500'],
    ].sort(),
  );
  expect(printed.at(-1)).toContain('2 pages found: 0 scanned, 2 failed');
});

test('warns once about each setting without effect', async () => {
  await using site = await serveSite(() => cleanPage('Home'));
  const { printed } = await scan([site.url], {
    $schema: '../config.schema.json',
    headless: false,
    browser: 'firefox',
    chrome_driver_location: '/opt/driver',
    chrome_binary_location: 'auto',
    colour: 'blue',
    audit_plugins: {
      language_audit: { class_name: 'LanguageAudit', enabled: true, run_sentiment_analysis: true, depth: 3 },
      axe_core_audit: { class_name: 'AxeCoreAudit', enabled: false, depth: 3 },
    },
  });
  const ignored = printed.filter((line) => line.startsWith('Ignored'));
  expect(ignored.map((line) => line.replace('Ignored setting ', '')).sort()).toEqual([
    '"browser": scans always use Chromium.',
    '"chrome_driver_location": no driver program is needed.',
    '"colour": there is no such setting.',
    '"headless": the browser always runs headless.',
    '"language_audit.depth": there is no such setting.',
    '"language_audit.run_sentiment_analysis": sentiment is not measured.',
  ]);
  const named = await scan([site.url], { ...titles, chrome_binary_location: '/no/such/browser' });
  expect([named.exitCode, named.printed.at(-1)]).toEqual([
    1,
    expect.stringContaining('Error: chrome_binary_location is "/no/such/browser"'),
  ]);
});
