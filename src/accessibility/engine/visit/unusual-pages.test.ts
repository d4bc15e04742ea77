import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { cleanPage, type SiteHandler, serveSite } from '../../../../test/sites/serve.ts';
import { scanWorkspace, testHome } from '../../../../test/sites/workspace.ts';
import { parseJournal } from '../output/scan-journal.ts';
import { runEngine } from '../run-engine.ts';
import { forbidsScripts } from './scriptless-page.ts';

/** Scans pages, by default each as its own site, and returns the issues and untested checks of each page. */
async function scanPages(pages: SiteHandler, paths: readonly string[], config: Record<string, unknown>) {
  await using site = await serveSite(pages);
  await using workspace = await scanWorkspace(
    paths.map((path) => `${site.url}${path}`),
    { viewport_sizes: { width: 800, height: 600 }, max_links_per_domain: 1, crawl_sitemaps: false, ...config },
  );
  const { resultsDir: dir = '' } = await runEngine({
    root: workspace.root,
    configFile: 'scan.json',
    home: testHome,
    print: () => {},
    signal: new AbortController().signal,
  });
  const { lines } = parseJournal(await readFile(join(dir, 'pages.jsonl')));
  const rows = await workspace.table(dir, 'axe_core_audit');
  const pictures = await readdir(join(dir, 'elements')).catch(() => []);
  const seen = lines.flatMap((line) => {
    if (line.type !== 'page') return [];
    const { url, outcome, why, title, partial, issues } = line;
    const found = rows.filter((row) => row['url'] === url && row['id'] !== '').map((row) => row['target']);
    return [[url.slice(site.url.length), { outcome, why, title, partial, issues, found }] as const];
  });
  return { pages: Object.fromEntries(seen), rows, pictures };
}

const axeOnly = { audit_plugins: { axe_core_audit: { enabled: true } } };
const issue = '<img src="data:,">';
const never = new Promise<undefined>(() => {});
const scanned = { outcome: 'scanned', why: '', partial: [] };

test('tests a page whose frame never loads, and reports frames that axe cannot access', async () => {
  const site: SiteHandler = (path) => {
    switch (path) {
      case '/held':
        return cleanPage('Held', `${issue}<iframe title="Never" src="/never"></iframe>`);
      case '/never':
        return never;
      case '/sandboxed':
        return cleanPage('Sandboxed', '<iframe title="In" sandbox="allow-scripts" src="/in"></iframe>');
      case '/closed':
        return cleanPage('Closed', `${issue}<iframe title="In" sandbox src="/in"></iframe>`);
      case '/in':
        return cleanPage('In', issue);
      default:
        return undefined;
    }
  };
  const { pages } = await scanPages(site, ['/held', '/sandboxed', '/closed'], { ...axeOnly, page_load_timeout: 5 });
  expect(pages).toMatchObject({
    '/held': { ...scanned, partial: ['the page did not finish loading'], found: ['/html/body/main/img'] },
    '/sandboxed': { ...scanned, found: ['/html/body/main/iframe >>> /html/body/main/img'] },
    '/closed': {
      ...scanned,
      partial: [expect.stringContaining('axe could not test a frame (custom)')],
      found: ['/html/body/main/img'],
    },
  });
});

test('tests a page that is busy for a while or whose form names hide document properties', async () => {
  // Busy for longer than the settle time.
  const busy = `<script>addEventListener('load', () => setTimeout(() => {
    for (const end = performance.now() + 5500; performance.now() < end;);
  }));</script>`;
  const forms = ['title', 'fonts', 'scripts', 'links'].map((name) => `<form name="${name}"></form>`).join('');
  const site: SiteHandler = (path) => {
    if (path === '/busy') return cleanPage('Busy', `${issue}${busy}`);
    return path === '/named' ? cleanPage('Named', `${issue}${forms}`) : undefined;
  };
  const plugins = { ...axeOnly.audit_plugins, seo_audit: { enabled: true } };
  const { pages } = await scanPages(site, ['/busy', '/named'], { audit_plugins: plugins });
  const found = ['/html/body/main/img'];
  expect(pages).toMatchObject({
    '/busy': { ...scanned, title: 'Busy', found },
    '/named': { ...scanned, title: 'Named', found },
  });
});

test('finds the same on a page that is rendered by scripts, however long its data takes', async () => {
  const times = [80, 300, 1_000, 3_000];
  const app = (ms: number) => `<script>fetch('/data?${ms}').then((answer) => answer.json()).then(() => {
    document.querySelector('main').innerHTML = '${issue}<h1>Items</h1><button type="button"></button>';
  });</script>`;
  const site: SiteHandler = async (path) => {
    const [, name, ms = ''] = /^\/(app|data)\?(\d+)$/.exec(path) ?? [];
    if (name === 'data') await setTimeout(Number(ms));
    if (name === 'data') return { type: 'application/json', body: '[]' };
    return name === 'app' ? cleanPage(`After ${ms} ms`, app(Number(ms))) : undefined;
  };
  const paths = times.map((ms) => `/app?${ms}`);
  const { pages } = await scanPages(site, paths, axeOnly);
  const found = ['/html/body/main/button', '/html/body/main/img'];
  expect(pages).toMatchObject(Object.fromEntries(paths.map((path) => [path, { ...scanned, found }])));
});

test('says that a page still waited for data when it was tested', async () => {
  const app = `${issue}<h1>Items</h1><script>fetch('/never?token=x')</script>`;
  const site: SiteHandler = (path) =>
    path === '/' ? cleanPage('Waits', app) : path === '/robots.txt' ? undefined : never;
  const { pages } = await scanPages(site, ['/'], axeOnly);
  const partial = [expect.stringMatching(/^the page was not ready when it was tested: GET http:\S+\/never$/)];
  expect(pages).toMatchObject({ '/': { ...scanned, partial, found: ['/html/body/main/img'] } });
});

test('opens a page at its own address in each viewport when a script changes the shown address', async () => {
  // The served page has a duplicate id; the address that it shows does not exist.
  const shows = `${issue}<p id="a"></p><p id="a"></p><script>history.replaceState({}, '', '/start/' + Math.random());</script>`;
  const site: SiteHandler = (path) => {
    if (path === '/') return { status: 302, headers: { location: '/app' } };
    return path === '/app' ? cleanPage('App', shows) : undefined;
  };
  const viewports = { viewport_sizes: { small: { width: 400, height: 600 }, large: { width: 800, height: 600 } } };
  const plugins = { ...axeOnly.audit_plugins, html_validation: { enabled: true } };
  const { pages, rows } = await scanPages(site, ['/'], { audit_plugins: plugins, ...viewports });
  expect(pages).toMatchObject({ '/': { ...scanned, issues: { axe_core_audit: 2, html_validation: 1 } } });
  expect(rows.map((row) => [row['id'], row['audit_id']])).toEqual([
    ['image-alt', '1_small'],
    ['image-alt', '1_large'],
  ]);
});

test('tests a page whose policy forbids all scripts, with a screenshot', async () => {
  const body = `${issue}<script>1</script><details><summary>More</summary><p>Text</p></details><button type="button"></button>`;
  const policy = { 'content-security-policy': "default-src 'self'; sandbox allow-forms" };
  const site: SiteHandler = (path) =>
    path === '/' ? { headers: policy, body: cleanPage('Sandbox', body) } : undefined;
  const { pages, pictures } = await scanPages(site, ['/'], {});
  const found = ['/html/body/main/button', '/html/body/main/img'];
  expect(pages).toMatchObject({ '/': { ...scanned, found } });
  expect(pictures).not.toEqual([]);
});

test('recognizes policies that forbid scripts', () => {
  const policies = ['sandbox', "default-src 'self'; Sandbox allow-forms", "img-src 'self', sandbox"];
  expect(policies.map(forbidsScripts)).toEqual([true, true, true]);
  const open = ['', 'sandbox allow-forms allow-scripts', "default-src 'none'", 'report-uri /sandbox'];
  expect(open.map(forbidsScripts)).toEqual([false, false, false, false]);
});

test('loses only the focus audit on a page that hangs when a key is pressed', async () => {
  const trap = `${issue}<a href="#top">Top</a><script>addEventListener('keydown', () => { for (;;); })</script>`;
  const site: SiteHandler = (path) => (path === '/' ? cleanPage('Trap', trap) : undefined);
  const plugins = { ...axeOnly.audit_plugins, focus_indicator_audit: { enabled: true } };
  const { pages } = await scanPages(site, ['/'], { audit_plugins: plugins, script_timeout: 5 });
  const partial = ['focus_indicator_audit failed (custom): pressing Tab took longer than 5 s'];
  expect(pages).toMatchObject({ '/': { ...scanned, partial, found: ['/html/body/main/img'] } });
});

test('tests the next viewport and the next page after a page that cannot be left', async () => {
  const stays = `${issue}<script>addEventListener('pagehide', () => { for (;;); })</script>`;
  const site: SiteHandler = (path) => {
    if (path === '/') return cleanPage('Stays', `${stays}<a href="/after">After</a>`);
    return path === '/after' ? cleanPage('After', issue) : undefined;
  };
  const config = {
    ...axeOnly,
    max_links_per_domain: 50,
    // One worker visits both pages in the same tab.
    thread_count: 1,
    page_load_timeout: 5,
    viewport_sizes: { small: { width: 400, height: 600 }, large: { width: 800, height: 600 } },
  };
  const { pages } = await scanPages(site, ['/'], config);
  const seen = { ...scanned, found: ['/html/body/main/img', '/html/body/main/img'] };
  expect(pages).toMatchObject({ '/': seen, '/after': seen });
});

test('keeps the results of the first viewport when the page fails in the second', async () => {
  let asked = 0;
  const site: SiteHandler = (path, { method }) => {
    if (path !== '/' || method !== 'GET') return path === '/' ? cleanPage('Once') : undefined;
    return asked++ === 0 ? cleanPage('Once', issue) : never;
  };
  const viewports = { viewport_sizes: { small: { width: 400, height: 600 }, large: { width: 800, height: 600 } } };
  const { pages } = await scanPages(site, ['/'], { ...axeOnly, ...viewports, page_load_timeout: 5 });
  const partial = ['not tested in large: it did not load within 5 s'];
  expect(pages).toMatchObject({ '/': { ...scanned, partial, found: ['/html/body/main/img'] } });
});
