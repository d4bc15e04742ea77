import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { Failure, quote } from '../../../platform/errors.ts';
import { detectBotWall, LARGEST_BOT_WALL, readSmallPage } from '../../../platform/page/navigation/bot-wall.ts';
import { siteFailureReason } from '../../../platform/page/navigation/site-failure.ts';
import { describeFailedAudit, describeUntestedViewport } from '../../results/untested-checks.ts';
import type { AuditTarget } from '../audits/audit.ts';
import { crawlPageKey } from '../crawl/page-address.ts';
import { collectLinksInPage, MAX_LINKS_PER_PAGE, type PageLinks } from '../crawl/page-links.ts';
import { mergeTables } from '../output/csv-rows.ts';
import { formatPythonSize } from '../output/python-format.ts';
import type { AuditedViewport, ScanContext } from '../scan-context.ts';
import { pauseUnlessAborted, withTimeLimit } from '../time-limits.ts';
import type { BrowserTab } from './browser-tabs.ts';
import { acceptedStatuses } from './header-check.ts';
import { classifyBrowserError, type LoadedPage } from './load-page.ts';
import { isPageTimeout, type OpenedPage, openPage } from './open-page.ts';
import { acceptLandingPage } from './visit-permission.ts';
import {
  headerTables,
  type PageVisit,
  type PageVisitResult,
  rejectHeaders,
  type VisitEnd,
  visitResult,
} from './visit-result.ts';

const MAX_SOURCE_BYTES = 5_000_000;
/** The browser's error page does not show the address that failed. */
const DEAD_END_REASON = 'a script or meta refresh leads to an address that cannot be opened';

/** Opens a page once per viewport and runs the audits of that viewport. */
export async function auditPage(
  scan: ScanContext,
  tab: BrowserTab,
  pageVisit: PageVisit,
  url: string,
): Promise<PageVisitResult> {
  const visit = visitResult(url, { outcome: 'scanned', crawlOutcome: 'audited', reason: '', health: 'good' });
  let looked = 0;
  let address = url;
  for (const [index, viewport] of scan.viewports.entries()) {
    if (index > 0) await pauseUnlessAborted(scan.config.delay_between_viewports * 1000, scan.signal);
    scan.signal.throwIfAborted();
    const opened = await openPage(scan, tab, pageVisit, address, viewport).catch((error: unknown) => {
      // A timeout in a later viewport keeps the results of the earlier ones.
      if (index === 0 || !isPageTimeout(error)) throw error;
      visit.partial.push(describeUntestedViewport(viewport.name, error.message));
      visit.health = 'unknown';
    });
    if (!opened) {
      await tab.discard();
      continue;
    }
    const facts = await readPageFacts(scan, opened.page, index === 0);
    const wall = detectBotWall(facts.html);
    if (wall) return blockedByBotWall(scan, pageVisit, visit, wall, viewport, opened.page);
    if (index === 0) {
      visit.status = opened.loaded.status;
      visit.contentType = opened.loaded.contentType;
      visit.loadMs = opened.loaded.loadMs;
      const end = await checkLoadedPage(scan, pageVisit, opened.loaded);
      if ('outcome' in end) return { ...visit, finalUrl: opened.loaded.url, ...end };
      visit.finalUrl = end.url;
      address = opened.loaded.address;
    } else {
      if (!isSamePage(opened.loaded.url, visit.finalUrl) && !isSamePage(opened.loaded.address, address))
        throw navigatedAway(opened.loaded.url);
      const bad = rejectResponse(opened.loaded);
      if (bad) {
        visit.partial.push(describeUntestedViewport(viewport.name, bad.reason));
        visit.health = bad.health ?? 'unknown';
        continue;
      }
    }
    visit.partial.push(...opened.loaded.partial);
    if (index === 0) {
      visit.title = facts.title;
      visit.links = facts.links.map((link) => ({ url: link, parent: visit.finalUrl }));
      if (facts.droppedCount > 0)
        visit.partial.push(`${facts.droppedCount} links beyond the first ${MAX_LINKS_PER_PAGE} were not followed`);
    }
    looked += await runAudits(scan, tab, pageVisit, visit, viewport, { ...opened, title: facts.title });
  }
  await tab.countPage();
  if (looked > 0 || scan.viewports.every(({ audits }) => audits.length === 0)) return visit;
  return { ...visit, outcome: 'failed', crawlOutcome: 'failed', reason: visit.partial.join('; '), isSiteFailure: true };
}

/** Checks the headers of the browser's response, and whether the final address may be scanned. */
async function checkLoadedPage(
  scan: ScanContext,
  pageVisit: PageVisit,
  loaded: LoadedPage,
): Promise<{ url: string } | VisitEnd> {
  const bad = rejectResponse(loaded);
  if (bad) return { ...bad, rows: headerTables(scan, pageVisit, { ...loaded, wall: undefined }) };
  if (!/^https?:/.test(loaded.url)) return nonWebAddress(loaded.url);
  return acceptLandingPage(scan, pageVisit, loaded.url);
}

/** Status 0 means that there was no response: a script only changed the fragment. */
function rejectResponse(loaded: LoadedPage): VisitEnd | undefined {
  return loaded.status === 0 ? undefined : rejectHeaders({ ...loaded, wall: undefined });
}

function nonWebAddress(url: string): VisitEnd {
  if (url.startsWith('chrome-error:')) return { outcome: 'failed', crawlOutcome: 'failed', reason: DEAD_END_REASON };
  return { outcome: 'failed', crawlOutcome: 'failed', reason: `it leads to ${quote(url)}` };
}

async function blockedByBotWall(
  scan: ScanContext,
  { task }: PageVisit,
  visit: PageVisitResult,
  wall: string,
  viewport: AuditedViewport,
  page: Page,
): Promise<PageVisitResult> {
  const { hostname } = new URL(visit.finalUrl);
  await mkdir(join(scan.resultsDir, 'anti_bot_ss'), { recursive: true });
  await page.screenshot({ path: join(scan.resultsDir, 'anti_bot_ss', `${hostname}.png`) }).catch(() => {});
  const row = {
    organisation: task.site.base.organisation,
    domain: hostname,
    url: visit.finalUrl,
    anti_bot_check: wall,
    viewport_size: formatPythonSize(viewport),
  };
  return {
    ...visit,
    outcome: 'blocked',
    crawlOutcome: 'anti_bot',
    reason: wall,
    rows: { anti_bot: [row] },
    isSiteFailure: true,
  };
}

interface PageFacts extends PageLinks {
  title: string;
  /** Empty when the page is too large to be a bot wall. */
  html: string;
}

/** Reads all facts that are needed before the audits in one call, because each round trip to the browser is expensive. */
async function readPageFacts({ config }: ScanContext, page: Page, withLinks: boolean): Promise<PageFacts> {
  const links = withLinks ? `(${collectLinksInPage})(${MAX_LINKS_PER_PAGE})` : '{ links: [], more: 0 }';
  // A form named `title` would hide `document.title`.
  const title = "Reflect.get(Document.prototype, 'title', document).trim()";
  const question = `({ title: ${title}, html: (${readSmallPage})(${LARGEST_BOT_WALL}), ...${links} })`;
  try {
    return await withTimeLimit(config.script_timeout * 1000, 'reading the page', page.evaluate<PageFacts>(question));
  } catch (error) {
    throw classifyBrowserError(page, error);
  }
}

type OpenedTitledPage = OpenedPage & { title: string };

/** Runs the audits of a viewport and adds their results to the visit. A failed audit is recorded and does not stop the others. */
async function runAudits(
  scan: ScanContext,
  tab: BrowserTab,
  pageVisit: PageVisit,
  visit: PageVisitResult,
  viewport: AuditedViewport,
  look: OpenedTitledPage,
): Promise<number> {
  const { base } = pageVisit.task.site;
  let { page, loaded } = look;
  let ran = 0;
  const target: AuditTarget = {
    organisation: base.organisation,
    sector: base.sector,
    siteUrl: base.url,
    baseUrl: baseUrlColumn(base.url, scan.config.max_links_per_domain),
    url: visit.finalUrl,
    pageId: pageVisit.pageId,
    get page() {
      return page;
    },
    viewport,
    title: look.title,
    source: async () => (await loaded.source()) ?? fetchSource(scan, loaded.address),
    resultsDir: scan.resultsDir,
    scriptLimitMs: scan.config.script_timeout * 1000,
    knownFindings: scan.knownFindings,
    validateHtml: scan.validator.validate,
    async reopen() {
      await tab.discard();
      ({ page, loaded } = await openPage(scan, tab, pageVisit, look.loaded.address, viewport));
      if (!isSamePage(loaded.address, look.loaded.address)) throw navigatedAway(loaded.url);
      return page;
    },
  };
  for (const { audit: each, settings } of viewport.audits) {
    try {
      const findings = await each.run(target, settings);
      visit.rows = mergeTables(visit.rows, findings.rows);
      visit.findings.push(...(findings.details ?? []));
      visit.issues[each.name] = (visit.issues[each.name] ?? 0) + findings.issues;
      visit.partial.push(...(findings.partial ?? []));
      ran++;
    } catch (error) {
      scan.signal.throwIfAborted();
      const known = classifyBrowserError(page, error);
      if (known instanceof Failure && !isPageTimeout(known)) throw known;
      visit.partial.push(describeFailedAudit(each.name, viewport.name, siteFailureReason(known)));
      // The page may still be busy with the audit that timed out.
      if (known instanceof Failure) await target.reopen();
    }
    if (!isSamePage(page.url(), loaded.url)) throw navigatedAway(page.url());
  }
  return ran;
}

async function fetchSource(scan: ScanContext, url: string): Promise<string | undefined> {
  try {
    const answer = await scan.request('GET', url, scan.config.page_load_timeout * 1000);
    if (!acceptedStatuses.includes(answer.status)) {
      await answer.discard();
      return undefined;
    }
    return (await answer.body(MAX_SOURCE_BYTES))?.toString('utf8');
  } catch {
    return undefined;
  }
}

function navigatedAway(url: string): Failure {
  return new Failure('site_failed', 'NAVIGATED_AWAY', `it navigated to another page during the test: ${quote(url)}`);
}

/** Compares without query and fragment too: scripts change both without leaving the page. */
function isSamePage(a: string, b: string): boolean {
  return crawlPageKey(new URL(a)) === crawlPageKey(new URL(b)) || a.replace(/[?#].*/, '') === b.replace(/[?#].*/, '');
}

/** CWAC writes only the origin when one page per site is visited. */
export function baseUrlColumn(url: string, limit: number): string {
  return limit === 1 ? new URL(url).origin : url;
}
