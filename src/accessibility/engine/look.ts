import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { Failure, quote } from '../../platform/errors.ts';
import { detectBotWall, LARGEST_BOT_WALL, readSmallPage } from '../../platform/page/navigation/bot-wall.ts';
import { siteFailureReason } from '../../platform/page/navigation/site-failure.ts';
import { auditFailed, notTestedIn } from '../results/untested.ts';
import { pageKey } from './addresses.ts';
import type { Sight } from './audits/audit.ts';
import { mergeRows } from './csv.ts';
import { fineStatus } from './header-check.ts';
import { land } from './landing.ts';
import type { Lane } from './lanes.ts';
import { type LinksInPage, linksInPage, MOST_LINKS } from './links.ts';
import { crashOr, type Loaded } from './load.ts';
import { isPageTimeout, type Opened, openPage } from './open-page.ts';
import { pythonSize } from './python.ts';
import type { Scan, ScanView } from './scan-parts.ts';
import { badHeaders, type End, type Errand, ended, tablesOf, type Visit } from './visit-end.ts';
import { pause, within } from './waiting.ts';

const LARGEST_SOURCE = 5_000_000;
/** The browser's own page of errors does not say where it was sent. */
const DEAD_END = 'it leads, by itself, to an address that cannot be opened';

/** Opens a page in each viewport, once, and lets all audits of that viewport look at it. */
export async function lookAtPage(scan: Scan, lane: Lane, errand: Errand, url: string): Promise<Visit> {
  const visit = ended(url, { outcome: 'scanned', how: 'audited', why: '', health: 'good' });
  let looked = 0;
  let address = url;
  for (const [index, view] of scan.views.entries()) {
    if (index > 0) await pause(scan.config.delay_between_viewports * 1000, scan.signal);
    scan.signal.throwIfAborted();
    const opened = await openPage(scan, lane, errand, address, view).catch((error: unknown) => {
      // What was seen of it in one viewport is not thrown away for another.
      if (index === 0 || !isPageTimeout(error)) throw error;
      visit.partial.push(notTestedIn(view.name, error.message));
      visit.health = 'unknown';
    });
    if (!opened) {
      await lane.discard();
      continue;
    }
    const facts = await factsOf(scan, opened.page, index === 0);
    const wall = detectBotWall(facts.html);
    if (wall) return blocked(scan, errand, visit, wall, view, opened.page);
    if (index === 0) {
      visit.status = opened.loaded.status;
      visit.contentType = opened.loaded.contentType;
      visit.loadMs = opened.loaded.loadMs;
      const end = await firstImpression(scan, errand, opened.loaded);
      if ('outcome' in end) return { ...visit, finalUrl: opened.loaded.url, ...end };
      visit.finalUrl = end.url;
      address = opened.loaded.address;
    } else {
      if (!isSamePage(opened.loaded.url, visit.finalUrl) && !isSamePage(opened.loaded.address, address))
        throw navigatedAway(opened.loaded.url);
      const bad = badAnswer(opened.loaded);
      if (bad) {
        visit.partial.push(notTestedIn(view.name, bad.why));
        visit.health = bad.health ?? 'unknown';
        continue;
      }
    }
    visit.partial.push(...opened.loaded.partial);
    if (index === 0) {
      visit.title = facts.title;
      visit.links = facts.links.map((link) => ({ url: link, parent: visit.finalUrl }));
      if (facts.more > 0)
        visit.partial.push(`${facts.more} of its links, past the first ${MOST_LINKS}, were not followed`);
    }
    looked += await audit(scan, lane, errand, visit, view, { ...opened, title: facts.title });
  }
  await lane.pageDone();
  if (looked > 0 || scan.views.every(({ audits }) => audits.length === 0)) return visit;
  return { ...visit, outcome: 'failed', how: 'failed', why: visit.partial.join('; '), siteTrouble: true };
}

/** What the headers of the real answer say, and whether the page stayed where it was sent. */
async function firstImpression(scan: Scan, errand: Errand, loaded: Loaded): Promise<{ url: string } | End> {
  const bad = badAnswer(loaded);
  if (bad) return { ...bad, rows: tablesOf(scan, errand, { ...loaded, wall: undefined }) };
  if (!/^https?:/.test(loaded.url)) return leaving(loaded.url);
  return land(scan, errand, loaded.url);
}

/** A fragment that a script set has no answer of its own. */
function badAnswer(loaded: Loaded): End | undefined {
  return loaded.status === 0 ? undefined : badHeaders({ ...loaded, wall: undefined });
}

function leaving(url: string): End {
  if (url.startsWith('chrome-error:')) return { outcome: 'failed', how: 'failed', why: DEAD_END };
  return { outcome: 'failed', how: 'failed', why: `it led to ${quote(url)}` };
}

async function blocked(
  scan: Scan,
  { task }: Errand,
  visit: Visit,
  wall: string,
  view: ScanView,
  page: Page,
): Promise<Visit> {
  const { hostname } = new URL(visit.finalUrl);
  await mkdir(join(scan.dir, 'anti_bot_ss'), { recursive: true });
  await page.screenshot({ path: join(scan.dir, 'anti_bot_ss', `${hostname}.png`) }).catch(() => {});
  const row = {
    organisation: task.site.base.organisation,
    domain: hostname,
    url: visit.finalUrl,
    anti_bot_check: wall,
    viewport_size: pythonSize(view),
  };
  return { ...visit, outcome: 'blocked', how: 'anti_bot', why: wall, rows: { anti_bot: [row] }, siteTrouble: true };
}

interface Facts extends LinksInPage {
  title: string;
  /** Empty where the page is too large to be a wall. */
  html: string;
}

/** All that is asked of a page before the audits, in one go: each question costs the browser and us as much as its answer. */
async function factsOf({ config }: Scan, page: Page, withLinks: boolean): Promise<Facts> {
  const links = withLinks ? `(${linksInPage})(${MOST_LINKS})` : '{ links: [], more: 0 }';
  // A form named `title` would stand in front of the document's own.
  const title = "Reflect.get(Document.prototype, 'title', document).trim()";
  const question = `({ title: ${title}, html: (${readSmallPage})(${LARGEST_BOT_WALL}), ...${links} })`;
  try {
    return await within(config.script_timeout * 1000, 'reading the page', page.evaluate<Facts>(question));
  } catch (error) {
    throw crashOr(page, error);
  }
}

type Look = Opened & { title: string };

/** Runs the audits of a viewport into the visit. An audit that fails is noted and does not spoil the others. */
async function audit(
  scan: Scan,
  lane: Lane,
  errand: Errand,
  visit: Visit,
  view: ScanView,
  look: Look,
): Promise<number> {
  const { base } = errand.task.site;
  let { page, loaded } = look;
  let ran = 0;
  const sight: Sight = {
    organisation: base.organisation,
    sector: base.sector,
    siteUrl: base.url,
    baseUrl: baseUrlColumn(base.url, scan.config.max_links_per_domain),
    url: visit.finalUrl,
    pageId: errand.pageId,
    get page() {
      return page;
    },
    view,
    title: look.title,
    source: async () => (await loaded.source()) ?? fetchSource(scan, loaded.address),
    dir: scan.dir,
    scriptLimitMs: scan.config.script_timeout * 1000,
    known: scan.known,
    validateHtml: scan.validator.validate,
    async reopen() {
      await lane.discard();
      ({ page, loaded } = await openPage(scan, lane, errand, look.loaded.address, view));
      if (!isSamePage(loaded.address, look.loaded.address)) throw navigatedAway(loaded.url);
      return page;
    },
  };
  for (const { audit: each, settings } of view.audits) {
    try {
      const findings = await each.run(sight, settings);
      visit.rows = mergeRows(visit.rows, findings.rows);
      visit.findings.push(...(findings.details ?? []));
      visit.issues[each.name] = (visit.issues[each.name] ?? 0) + findings.issues;
      visit.partial.push(...(findings.partial ?? []));
      ran++;
    } catch (error) {
      scan.signal.throwIfAborted();
      const known = crashOr(page, error);
      if (known instanceof Failure && !isPageTimeout(known)) throw known;
      visit.partial.push(auditFailed(each.name, view.name, siteFailureReason(known)));
      // It may still be busy with what took too long.
      if (known instanceof Failure) await sight.reopen();
    }
    if (!isSamePage(page.url(), loaded.url)) throw navigatedAway(page.url());
  }
  return ran;
}

async function fetchSource(scan: Scan, url: string): Promise<string | undefined> {
  try {
    const answer = await scan.request('GET', url, scan.config.page_load_timeout * 1000);
    if (!fineStatus.includes(answer.status)) {
      await answer.discard();
      return undefined;
    }
    return (await answer.body(LARGEST_SOURCE))?.toString('utf8');
  } catch {
    return undefined;
  }
}

function navigatedAway(url: string): Failure {
  return new Failure('site_failed', 'NAVIGATED_AWAY', `it led to another page while it was tested: ${quote(url)}`);
}

/** Scripts may write what they like behind the `?` and the `#` without leaving the page. */
function isSamePage(a: string, b: string): boolean {
  return pageKey(new URL(a)) === pageKey(new URL(b)) || a.replace(/[?#].*/, '') === b.replace(/[?#].*/, '');
}

/** CWAC shows the host alone when only single pages are visited. */
export function baseUrlColumn(url: string, limit: number): string {
  return limit === 1 ? new URL(url).origin : url;
}
