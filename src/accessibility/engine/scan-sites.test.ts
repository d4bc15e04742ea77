import { symlinkSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cleanPage, type SiteHandler, serveSite } from '../../../test/sites/serve.ts';
import { scanWorkspace, testHome, type Workspace } from '../../../test/sites/workspace.ts';
import { Failure } from '../../platform/errors.ts';
import { type EngineOptions, runEngine } from './run-engine.ts';

const quick = {
  viewport_sizes: { width: 800, height: 600 },
  audit_plugins: { axe_core_audit: { enabled: true }, crawl_audit: { enabled: true } },
};

async function scan({ root }: Workspace, options: Partial<EngineOptions> = {}) {
  const printed: string[] = [];
  const print = (line: string) => printed.push(line);
  const signal = new AbortController().signal;
  const end = await runEngine({ root, configFile: 'scan.json', home: testHome, print, signal, ...options });
  return { ...end, dir: end.resultsDir ?? '', printed };
}

const scannedPaths = async (workspace: Workspace, dir: string) =>
  (await workspace.table(dir, 'audit_log')).map((row) => row['url']).sort();

test('moves the scope of a site with a redirect of its base URL', async () => {
  const moved: SiteHandler = (path, { headers }) => {
    const port = headers.host?.split(':')[1];
    if (headers.host?.startsWith('127'))
      return { status: 301, headers: { location: `http://localhost:${port}/new/home` } };
    if (path === '/new/home') return cleanPage('Home', '<a href="/new/a">A</a> <a href="/old">Old</a>');
    return path === '/new/a' ? cleanPage('A') : undefined;
  };
  await using site = await serveSite(moved);
  await using workspace = await scanWorkspace([`${site.url}/`], quick);
  const { dir } = await scan(workspace);
  const there = `http://localhost:${site.port}`;
  expect(await scannedPaths(workspace, dir)).toEqual([`${there}/new/a`, `${there}/new/home`]);
});

test('tests a frame of another origin', async () => {
  await using site = await serveSite((path, { headers }) => {
    if (path === '/')
      return cleanPage('Out', `<iframe title="In" src="http://localhost:${headers.host?.split(':')[1]}/in"></iframe>`);
    return path === '/in' ? cleanPage('In', '<img src="data:,">') : undefined;
  });
  await using workspace = await scanWorkspace([site.url], quick);
  const { dir } = await scan(workspace);
  const rows = await workspace.table(dir, 'axe_core_audit');
  expect(rows.map((row) => [row['id'], row['target']])).toEqual([
    ['image-alt', '/html/body/main/iframe >>> /html/body/main/img'],
  ]);
});

test('tests a page that extends Object.prototype', async () => {
  const adds = '<script>Object.prototype.extend = function () {}</script><img src="data:,">';
  await using site = await serveSite((path) => (path === '/' ? cleanPage('Old', adds) : undefined));
  await using workspace = await scanWorkspace([site.url], quick);
  const { dir, printed } = await scan(workspace);
  expect((await workspace.table(dir, 'axe_core_audit')).map((row) => row['id'])).toEqual(['image-alt']);
  expect(printed.join()).not.toContain('partly');
});

test('does not visit guarded addresses through links, redirects, frames or redirected images', async () => {
  const hosts = new Set<string | undefined>();
  await using site = await serveSite((path, { headers }) => {
    const inside = `http://localhost:${headers.host?.split(':')[1]}`;
    if (!/favicon/.test(path)) hosts.add(headers.host?.split(':')[0]);
    if (path === '/hop') return { status: 302, headers: { location: `${inside}/secret` } };
    if (path !== '/') return undefined;
    return cleanPage(
      'Trap',
      `<a href="/hop">Hop</a><img alt="" src="/hop"><iframe title="x" src="${inside}/secret"></iframe>`,
    );
  });
  await using workspace = await scanWorkspace([site.url], quick);
  const { dir, printed } = await scan(workspace, {
    async checkAddress(address) {
      if (new URL(address).hostname !== '127.0.0.1')
        throw new Failure('bad_input', 'ADDRESS_NOT_ALLOWED', 'not allowed');
    },
  });
  expect([...hosts]).toEqual(['127.0.0.1']);
  expect(await scannedPaths(workspace, dir)).toEqual([`${site.url}/`]);
  expect(printed.at(-1)).toContain('2 pages found: 1 scanned, 0 failed, 0 skipped, 1 blocked.');
});

test('scans each page of overlapping sites once, with a row per site, including a dead one', async () => {
  const home = '<a href="/news/1">1</a> <a href="/newsletter">N</a> <a href="/about">A</a>';
  await using site = await serveSite((path) => cleanPage(path, path === '/' ? home : '<a href="/news/2">2</a>'));
  const dead = await serveSite(() => undefined);
  await dead[Symbol.asyncDispose]();
  await using workspace = await scanWorkspace([site.url, `${site.url}/news/`, dead.url], quick);
  const { dir, printed } = await scan(workspace);
  const rows = await workspace.table(dir, 'audit_log');
  const shown = rows
    .map((row) => [row['base_url'], row['url']].map((each) => each?.replace(site.url, '')).join(' '))
    .sort();
  expect(shown).toEqual([' /', ' /about', ' /newsletter', '/news/ /news/', '/news/ /news/2']);
  const counts = (await workspace.table(dir, 'pages_scanned')).map((row) => row['number_of_pages']);
  expect(counts.sort()).toEqual(['0', '2', '3']);
  expect(printed.join('\n')).toContain(`failed ${dead.url}/ (the connection was refused)`);
});

test('treats hash routes as pages when follow_hash_routes is set', async () => {
  await using site = await serveSite((path) =>
    path === '/'
      ? cleanPage(
          'App',
          '<a href="#/one">One</a> <a href="#part">Part</a><p id="at"></p><script>at.textContent = location.hash</script>',
        )
      : undefined,
  );
  await using workspace = await scanWorkspace([site.url], { ...quick, follow_hash_routes: true });
  const { dir } = await scan(workspace);
  expect(await scannedPaths(workspace, dir)).toEqual([`${site.url}/`, `${site.url}/#/one`]);
});

test('retries a page of an overloaded server', async () => {
  let asked = 0;
  await using site = await serveSite((path) => {
    if (path !== '/' || ++asked > 1) return path === '/' ? cleanPage('Home') : undefined;
    return { status: 503, headers: { 'retry-after': '0' } };
  });
  await using workspace = await scanWorkspace([site.url], quick);
  expect((await scan(workspace)).printed.at(-1)).toContain('1 scanned');
});

test('ends on a full disk with the reason, and can be resumed', async () => {
  let dir = '';
  let full = false;
  await using site = await serveSite((path, { method }) => {
    if (path === '/b' && method === 'GET' && !full) {
      full = true;
      symlinkSync('/dev/full', join(dir, 'anti_bot.csv'));
    }
    return cleanPage(path, path === '/' ? '<a href="/b">B</a>' : 'Incapsula incident ID');
  });
  await using workspace = await scanWorkspace([site.url], quick);
  const print = (line: string) => {
    printed.push(line);
    dir ||= join(workspace.root, 'results', line.replace('Assay accessibility scan: ', ''));
  };
  const printed: string[] = [];
  const { exitCode } = await scan(workspace, { print });
  expect([exitCode, printed.at(-1)]).toEqual([1, expect.stringContaining('the disk is full')]);
  const again = await scan(workspace, { resume: dir });
  expect(again.printed.at(-1)).toContain('2 pages found: 1 scanned, 0 failed, 0 skipped, 1 blocked.');
});

test('visits the pages when only crawl_audit is enabled', async () => {
  await using site = await serveSite((path) => cleanPage(path, '<a href="/b">B</a>'));
  await using workspace = await scanWorkspace([site.url], { audit_plugins: { crawl_audit: { enabled: true } } });
  const { dir } = await scan(workspace);
  expect((await workspace.table(dir, 'crawl_audit')).map((row) => row['outcome'])).toEqual(['audited', 'audited']);
});

test('reports URLs that cannot be scanned and exits with code 0', async () => {
  await using workspace = await scanWorkspace(['http://127.0.0.1:9/', 'ftp://x/', 'nonsense'], {
    only_allow_https: true,
  });
  const { exitCode, printed } = await scan(workspace);
  expect(exitCode).toBe(0);
  expect(printed.filter((line) => line.startsWith('Not scanned'))).toHaveLength(3);
  expect(printed.at(-1)).toContain('0 pages found');
});

test('reports why a configuration cannot be used', async () => {
  await using workspace = await scanWorkspace([], { max_links_per_domain: -1 });
  const bad = await scan(workspace);
  expect([bad.exitCode, bad.printed[0]]).toEqual([1, expect.stringContaining('max_links_per_domain')]);
  expect((await scan(workspace, { configFile: '../x.json' })).printed[0]).toContain('name');
  expect((await scan(workspace, { configFile: 'none.json' })).printed[0]).toContain('no such file');
  await writeFile(join(workspace.root, 'config/scan.json'), '{"base_urls_visit_path":"./results"}');
  expect((await scan(workspace)).printed[0]).toContain('Cannot read the folder');
  await writeFile(join(workspace.root, 'config/scan.json'), '{"base_urls_visit_path":"./config"}');
  expect((await scan(workspace)).printed[0]).toContain('inside base_urls');
});

test('reports why the results folder cannot be created', async () => {
  await using workspace = await scanWorkspace([], {});
  await writeFile(join(workspace.root, 'results'), 'a file, not a folder');
  const { exitCode, printed } = await scan(workspace);
  expect([exitCode, printed[0]]).toEqual([1, expect.stringContaining('Cannot create a results folder')]);
  await rm(join(workspace.root, 'results'));
  const [one, two] = await Promise.all([scan(workspace), scan(workspace)]);
  expect(one.dir).not.toBe(two.dir);
});
