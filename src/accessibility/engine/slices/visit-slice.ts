import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createHostThrottle } from '../crawl/host-throttle.ts';
import { createSiteQueue, MAX_CONSECUTIVE_FAILURES } from '../crawl/site-queue.ts';
import type { VisitTask } from '../crawl/visit-schedule.ts';
import { readBaseUrls } from '../input/base-urls.ts';
import { readScanConfig } from '../input/engine-config.ts';
import { openScan, type ScanEnvironment } from '../open-scan.ts';
import { visitWithRetries } from '../visit/visit-with-retries.ts';
import { type ScanSlice, type SlicedVisit, VISITS_FILE } from './slice-protocol.ts';

interface SliceRun extends ScanEnvironment {
  configFile: string;
  slice: ScanSlice;
  /** Where the results are written. */
  folder: string;
}

/**
 * Visits the pages of a slice, one after another, and writes a line for each. It follows no links: the process that has the
 * frontier of the scan does. Pages after several failures of a site are left out.
 */
export async function visitSlice({ configFile, slice, folder, ...environment }: SliceRun): Promise<void> {
  const { root, signal, print } = environment;
  const config = await readScanConfig(root, configFile);
  const { sites: bases } = await readBaseUrls(root, config);
  const sites = bases.map((base, index) => createSiteQueue(index, base, config.max_links_per_domain));
  for (const { site, scope } of slice.moved) sites[site]?.moveTo(scope);
  // Redirects to pages of this slice are not opened; the process with the frontier recognises redirects to other known pages.
  for (const { site, url } of slice.pages) sites[site]?.claim(new URL(url));
  // The slice holds its hosts, so the gaps between its own visits are the gaps of the host.
  const hosts = createHostThrottle(1, config.delay_between_page_loads * 1000);
  await using opened = await openScan(environment, { config, resultsDir: folder, sites, hosts, findings: [] });
  const { scan, tabs } = opened;
  const tab = tabs.open();
  const failures = new Map<number, number>();
  for (const { site: index, page_id, ...page } of slice.pages) {
    const site = sites[index];
    if (!site || (failures.get(index) ?? 0) >= MAX_CONSECUTIVE_FAILURES) continue;
    const { host } = new URL(page.url);
    await pause(hosts.waitMs(host), undefined, { signal });
    hosts.begin(host);
    const task: VisitTask = { ...page, site, host };
    const visit = await visitWithRetries(scan, tab, { task, pageId: page_id, claimedKeys: new Set() });
    signal.throwIfAborted();
    hosts.end(host, visit.health);
    if (visit.outcome === 'scanned') failures.delete(index);
    else if (visit.isSiteFailure) failures.set(index, (failures.get(index) ?? 0) + 1);
    const line = { page_id, visit } satisfies Record<keyof SlicedVisit, unknown>;
    await appendFile(join(folder, VISITS_FILE), `${JSON.stringify(line)}\n`);
    print(`${visit.outcome} ${page.url}`);
  }
}
