import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createHostThrottle, type HostThrottle } from '../crawl/host-throttle.ts';
import { createSiteQueue, MAX_CONSECUTIVE_FAILURES } from '../crawl/site-queue.ts';
import { readBaseUrls } from '../input/base-urls.ts';
import { readScanConfig } from '../input/engine-config.ts';
import { openScan, type ScanEnvironment } from '../open-scan.ts';
import type { PageVisit } from '../visit/visit-result.ts';
import { visitWithRetries } from '../visit/visit-with-retries.ts';
import { pageFolder, type ScanSlice, type SlicedVisit, VISITS_FILE } from './slice-protocol.ts';

interface SliceRun extends ScanEnvironment {
  configFile: string;
  slice: ScanSlice;
  /** Where the results are written. */
  folder: string;
  /** No page is begun after this time; the rest of the slice is left out. */
  limitMs?: number;
}

/** Bounds what a killed worker costs, and how long the hosts of a slow slice are leased. */
const SLICE_MS = 60_000;

/**
 * Visits the pages of a slice, one after another, and writes a line for each. It follows no links: the process that has the
 * frontier of the scan does. Pages after several failures of a site, or after the time limit, are left out.
 */
export async function visitSlice({
  configFile,
  slice,
  folder,
  limitMs = SLICE_MS,
  ...environment
}: SliceRun): Promise<void> {
  const { root, signal, print } = environment;
  const config = await readScanConfig(root, configFile);
  const { sites: bases } = await readBaseUrls(root, config);
  const sites = bases.map((base, index) => createSiteQueue(index, base, config.max_links_per_domain));
  for (const { site, scope } of slice.moved) sites[site]?.moveTo(scope);
  // Redirects to pages of this slice are not opened; the process with the frontier recognises redirects to other known pages.
  for (const { site, url } of slice.pages) sites[site]?.claim(new URL(url));
  // The slice holds its hosts, so the gaps between its own visits are the gaps of the host.
  const hosts = createHostThrottle(1, config.delay_between_page_loads * 1000);
  for (const { host, ms } of slice.gaps) hosts.setMinimumGap(host, ms);
  await using opened = await openScan(environment, { config, resultsDir: folder, sites, hosts, findings: slice.known });
  const { scan, tabs } = opened;
  const tab = tabs.open();
  const failures = new Map(slice.failing.map((each) => [each.site, each.failures]));
  const waiting = [...slice.pages];
  const endsAt = performance.now() + limitMs;
  for (let page = takeNext(waiting, hosts); page; page = takeNext(waiting, hosts)) {
    const { site: index, page_id, ...task } = page;
    const site = sites[index];
    if (!site || (failures.get(index) ?? 0) >= MAX_CONSECUTIVE_FAILURES) continue;
    const { host } = new URL(page.url);
    await pause(hosts.waitMs(host), undefined, { signal });
    hosts.begin(host);
    const pageVisit: PageVisit = { task: { ...task, site, host }, pageId: page_id, claims: new Map() };
    const ofPage = { ...scan, resultsDir: join(folder, pageFolder(page_id)) };
    const visit = await visitWithRetries(ofPage, tab, pageVisit);
    signal.throwIfAborted();
    visit.findings = scan.knownFindings.remember(visit.findings);
    hosts.end(host, visit.health);
    if (visit.outcome === 'scanned') failures.delete(index);
    else if (visit.isSiteFailure) failures.set(index, (failures.get(index) ?? 0) + 1);
    const line = { page_id, claims: [...pageVisit.claims], visit } satisfies Record<keyof SlicedVisit, unknown>;
    await appendFile(join(folder, VISITS_FILE), `${JSON.stringify(line)}\n`);
    print(`${visit.outcome} ${page.url}`);
    if (performance.now() >= endsAt) return;
  }
}

/** The next page of the site whose host waits least; of equal ones the first, so that a tab stays on its site. */
function takeNext(waiting: ScanSlice['pages'], hosts: HostThrottle): ScanSlice['pages'][number] | undefined {
  const firsts = new Map<number, ScanSlice['pages'][number]>();
  for (const page of waiting) if (!firsts.has(page.site)) firsts.set(page.site, page);
  const [next] = [...firsts.values()]
    .map((page) => ({ page, wait: hosts.waitMs(new URL(page.url).host) }))
    .toSorted((a, b) => a.wait - b.wait);
  if (next) waiting.splice(waiting.indexOf(next.page), 1);
  return next?.page;
}
