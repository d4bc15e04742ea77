import { mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { siteWithIssues } from '../../../../test/sites/accessibility-issues.ts';
import { treeSite } from '../../../../test/sites/scan-traps.ts';
import { cleanPage, type ServedSite, type SiteHandler, serveSite } from '../../../../test/sites/serve.ts';
import { scanWorkspace, testHome, type Workspace } from '../../../../test/sites/workspace.ts';
import { runEngine } from '../run-engine.ts';
import type { ScanSlice } from './slice-protocol.ts';
import { visitSlice } from './visit-slice.ts';

/** Redirects to pages that are known, to one that is not, and out of the site. */
const redirectSite: SiteHandler = (path) => {
  const to = (location: string) => ({ status: 302, headers: { location } });
  const known: Record<string, ReturnType<SiteHandler>> = {
    '/': cleanPage('Home', ['a', 'b', 'c', 'd'].map((name) => `<p><a href="/${name}">${name}</a></p>`).join('')),
    '/a': cleanPage('Same title'),
    '/b': to('/a'),
    '/c': to('/only-by-redirect'),
    '/d': to('http://localhost:1/'),
    '/only-by-redirect': cleanPage('Same title'),
  };
  return known[path];
};

async function sites(): Promise<ServedSite[]> {
  const handlers = [...Array.from({ length: 5 }, () => treeSite(8)), siteWithIssues, redirectSite, treeSite(3)];
  const served = await Promise.all(handlers.map(serveSite));
  onTestFinished(async () => {
    for (const site of served) await site[Symbol.asyncDispose]();
  });
  return served;
}

/** Runs a scan whose slices are visited in this process, or by no worker where `visitsSlice` says so. */
async function scan(workspace: Workspace, visitsSlice?: (slice: ScanSlice, number: number) => boolean) {
  const { signal } = new AbortController();
  const environment = { root: workspace.root, configFile: 'scan.json', home: testHome, print: () => {}, signal };
  const slices: ScanSlice[] = [];
  const visitor = {
    async visit(slice: ScanSlice) {
      slices.push(slice);
      if (!visitsSlice?.(slice, slices.length)) return undefined;
      const folder = await mkdtemp(join(workspace.root, 'slice-'));
      await visitSlice({ ...environment, slice, folder });
      return folder;
    },
  };
  const { exitCode, resultsDir = '' } = await runEngine({
    ...environment,
    ...(visitsSlice && { visitorFor: () => visitor }),
  });
  expect(exitCode).toBe(0);
  return { dir: resultsDir, slices };
}

/** Every table, with sorted rows and without ids and times, which depend on the order of the visits. */
async function tables(workspace: Workspace, dir: string): Promise<Record<string, string[]>> {
  const names = (await readdir(dir)).flatMap((file) => /^(?!progress)(.+)\.csv$/.exec(file)?.[1] ?? []);
  const rows = async (name: string) =>
    (await workspace.table(dir, name)).map(({ page_id: _page, audit_id: _audit, load_ms: _load, ...row }) =>
      JSON.stringify(row),
    );
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, (await rows(name)).toSorted()])));
}

test('a scan in slices has the same rows as a scan in one process, and requests no page twice', async () => {
  const served = await sites();
  const config = {
    // No test reaches these limits, however busy the machine is.
    ...{ page_load_timeout: 600, script_timeout: 600 },
    thread_count: 1,
    audit_plugins: { axe_core_audit: { enabled: true }, seo_audit: { enabled: true }, crawl_audit: { enabled: true } },
  };
  await using workspace = await scanWorkspace(
    served.map(({ url }) => `${url}/`),
    config,
  );
  const alone = await scan(workspace);
  const requests = () => served.map((site) => site.requests.splice(0).toSorted());
  const before = requests();
  // No worker takes the second slice.
  const together = await scan(workspace, (_slice, number) => number !== 2);
  const expected = await tables(workspace, alone.dir);
  expect(Object.keys(expected)).toContain('axe_core_audit');
  expect(await tables(workspace, together.dir)).toEqual(expected);
  // A slice reads robots.txt again, and does not know all pages to which its pages redirect.
  const robots = (request: string) => !request.endsWith('/robots.txt');
  const trees = (lists: string[][]) => lists.slice(0, 6).map((list) => list.filter(robots));
  expect(trees(requests())).toEqual(trees(before));
  // How many slices follow the refused one depends on how soon this process has visited the other pages.
  const [visited, refused] = together.slices;
  expect(visited?.pages.length).toBeGreaterThan(0);
  expect(refused?.pages.length).toBeGreaterThan(0);
  const elements = async (dir: string) => (await readdir(join(dir, 'elements'))).length;
  expect(await elements(together.dir)).toBe(await elements(alone.dir));
});
