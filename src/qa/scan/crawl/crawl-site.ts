import { Failure, quote } from '../../../platform/errors.ts';
import { type FormFeatures, formsOnPage, type RecordedPage } from '../read/page-features.ts';
import { chooseCredentials, findLoginForm, findUsernameForm } from '../sign-in/login-forms.ts';
import { findPasswordForm, signInToSite } from '../sign-in/sign-in.ts';
import { normaliseUrl, shortPath } from '../site-urls.ts';
import type { CrawlSession } from './crawl-session.ts';
import type { Crawl } from './crawl-state.ts';
import { expandPage } from './expand-page.ts';
import { savePageScreenshot } from './page-screenshot.ts';
import { openScanTab, pageTimeoutFor, type ScannedPage, type ScanTab, type TabVisitResult } from './scan-tab.ts';

const MOST_LOGINS = 3;
const CHECKPOINT_EVERY_MS = 1500;
/** Share of the time that checkpoints may take: the record of a long scan is large. */
const CHECKPOINT_SHARE = 0.05;

/** End reason of a crawl that saw the whole site. */
export const SITE_EXHAUSTED = 'nothing new was left';

/** Visits pages until nothing new is left or a limit is reached. Returns the end reason. */
export async function crawlSite(walk: CrawlSession): Promise<string> {
  const { crawl, guarded, start, limits, runContext, meter } = walk;
  const opened = await openScanTab(() => guarded.context.newPage(), start.origin, pageTimeoutFor(limits.seconds));
  const tab = countVisits(opened, meter);
  if (crawl.signIn()) await signInAgain(walk, tab);
  else crawl.add(start, { depth: 0, listed: false });
  let kept = performance.now();
  let pauseMs = CHECKPOINT_EVERY_MS;
  for (;;) {
    runContext.signal.throwIfAborted();
    // Pages behind the login matter more than further public pages.
    if (!crawl.signIn() && crawl.record.visits >= limits.pages * 0.6) await signInOnce(walk, tab);
    if (crawl.record.visits >= limits.pages) return `the limit of ${limits.pages} pages was reached`;
    if (walk.seconds() >= limits.seconds) return `the limit of ${limits.seconds} seconds was reached`;
    const item = crawl.next();
    if (!item) {
      if (await queueSitemap(walk)) continue;
      if (await signInOnce(walk, tab)) continue;
      return SITE_EXHAUSTED;
    }
    crawl.record.visits++;
    runContext.progress(
      crawl.record.visits,
      Math.min(limits.pages, crawl.record.visits + crawl.left() + 1),
      `visiting ${shortPath(item.url)}`,
    );
    const visited = await tab.visit(item.url);
    await handleVisit(walk, tab, item, visited);
    if (performance.now() - kept > pauseMs) {
      const began = performance.now();
      await runContext.checkpoint(JSON.parse(JSON.stringify(crawl.toRecord(walk.seconds()))));
      kept = performance.now();
      pauseMs = Math.max(CHECKPOINT_EVERY_MS, (kept - began) / CHECKPOINT_SHARE);
    }
  }
}

function countVisits(tab: ScanTab, meter: CrawlSession['meter']): ScanTab {
  return {
    ...tab,
    visit(url) {
      meter.pages++;
      meter.steps++;
      return tab.visit(url);
    },
  };
}

/** The sitemap may name pages that no link leads to. */
async function queueSitemap({ crawl, start, readSitemap }: CrawlSession): Promise<boolean> {
  if (crawl.record.seeded || !readSitemap) return false;
  crawl.record.seeded = true;
  for (const url of await readSitemap(start.origin)) crawl.add(url, { depth: 1, listed: true });
  return crawl.left() > 0;
}

type QueuedPage = NonNullable<ReturnType<Crawl['next']>>;

/** Records the page of a visit, or notes why there is none. */
async function handleVisit(walk: CrawlSession, tab: ScanTab, item: QueuedPage, visited: TabVisitResult): Promise<void> {
  const { crawl, start } = walk;
  const isFirst = crawl.record.pages.length === 0;
  if (visited.outcome !== 'seen') {
    if (isFirst && item.depth === 0) throw siteUnreachable(start.href, visited.reason);
    if (visited.outcome === 'failed') crawl.note(`${shortPath(item.url)} could not be opened: ${visited.reason}.`);
    return;
  }
  if (await recoverSession(walk, tab, item, visited)) return;
  if (visited.setting.captcha) {
    const isWall = visited.setting.links.length < 3 && visited.reading.controls.length < 5;
    if (isFirst && isWall) throw siteUnreachable(start.href, 'it shows a captcha, which only a person can answer');
    crawl.note(`There is a captcha on ${shortPath(visited.url)}: pages behind it were not scanned.`);
  }
  await recordPage(walk, tab, visited, item);
  if (isFirst) await walk.onFirstPage?.();
}

/** Records a page if it shows something new, expands its hidden parts and queues its links. */
async function recordPage(
  walk: CrawlSession,
  tab: ScanTab,
  look: ScannedPage,
  { depth, listed }: Pick<QueuedPage, 'depth' | 'listed'>,
  always = false,
): Promise<RecordedPage | undefined> {
  const { crawl, runContext } = walk;
  const url = normaliseUrl(look.url);
  if (!url) return undefined;
  const forms = formsOnPage(crawl.asPage(look, { template: '', opened: [], artifactId: null }));
  const { template, isNew } = crawl.states.place(url, look.structure, listed, forms.flatMap(formSignature));
  // The links of the landing page are queued after the sign-in is confirmed.
  if (!always) crawl.follow(look.setting.links, look.url, depth);
  if (depth === 0 && !always && crawl.left() === 0 && forms.length === 0)
    crawl.chooseLanguage(look.setting.links, look.url);
  const isUsable = !forms.some(({ isOff }) => isOff);
  const isBetter = isUsable && crawl.states.wants(template);
  if (!isNew && !always && !isBetter) return undefined;
  crawl.states.wants(template, !isUsable);
  const artifactId = await savePageScreenshot(runContext, tab.page(), `page-${crawl.pages().length + 1}.jpg`);
  const kept = crawl.keep(look, { template, opened: [], artifactId });
  await expandPage(walk, tab, look, { template, depth });
  return kept;
}

/** Identifies a form of the page by method and fields, without the digits that differ between entries. */
function formSignature({ place: region, form: { method }, shown }: FormFeatures): string[] {
  const isOwn = (region === 'main' || region === 'dialog') && shown.length > 0;
  return isOwn ? [[method, ...shown.map(({ key }) => key.replaceAll(/\d+/g, ''))].join(' ').slice(0, 300)] : [];
}

/** Signs in once. Returns false if there is no form, no secret or no success. */
async function signInOnce(walk: CrawlSession, tab: ScanTab): Promise<boolean> {
  const { crawl, runContext } = walk;
  if (crawl.record.loginDone) return false;
  crawl.record.loginDone = true;
  const seen = <Form>(formOn: (page: RecordedPage) => Form | undefined) =>
    crawl.pages().flatMap((page) => {
      const form = formOn(page);
      return form ? [{ page, form }] : [];
    })[0];
  const whole = seen(findLoginForm);
  const name = whole ? undefined : seen(findUsernameForm);
  const names = chooseCredentials(runContext.secrets.list);
  if (names && walk.loginRefusal && (whole || name)) {
    crawl.note(walk.loginRefusal);
    return false;
  }
  const form = name && names ? await findPasswordForm(walk, tab, name.form, names.username) : undefined;
  const found = whole ?? (name && form && { page: name.page, form });
  if (!found && !(name && !names)) return false;
  if (!names) {
    crawl.note(
      'There is a login form, but the project has no secrets for it. Create a user name and a password with qa_secret_create, such as TEST_USER_NAME and TEST_USER_PASSWORD.',
    );
    return false;
  }
  if (!found) return false;
  if (found.page.setting.captcha) crawl.note('The login form asks for a captcha.');
  const look = await signInToSite(walk, tab, found.form, names);
  if (!look) return false;
  const template = found.page.state.template;
  const landed = await recordLandingPage(walk, tab, look);
  crawl.enter(
    { ...found.form, usernameSecret: names.username, passwordSecret: names.password, landedOn: landed.state },
    template,
  );
  landed.behindLogin = true;
  crawl.follow(look.setting.links, look.url, 0);
  return true;
}

async function recordLandingPage(walk: CrawlSession, tab: ScanTab, look: ScannedPage): Promise<RecordedPage> {
  const kept = await recordPage(walk, tab, look, { depth: 0, listed: false }, true);
  if (!kept) throw new Error('a page that was looked at has an address');
  return kept;
}

/** A worker that resumes a scan starts with a browser without a session. */
async function signInAgain(walk: CrawlSession, tab: ScanTab): Promise<boolean> {
  const how = walk.crawl.signIn();
  if (!how || walk.loginRefusal) return false;
  const look = await signInToSite(walk, tab, how, { username: how.usernameSecret, password: how.passwordSecret });
  return look !== undefined;
}

/** Detects the end of the session by a redirect to the login, and signs in again a few times. */
async function recoverSession(
  walk: CrawlSession,
  tab: ScanTab,
  item: QueuedPage,
  { url }: ScannedPage,
): Promise<boolean> {
  const { crawl } = walk;
  const how = crawl.signIn();
  if (!how || shortPath(url) !== shortPath(how.url) || shortPath(item.url) === shortPath(how.url)) return false;
  crawl.note(`The site ended the session at or before ${shortPath(item.url)}.`);
  if (crawl.record.relogins >= MOST_LOGINS) return true;
  crawl.record.relogins++;
  if (!(await signInAgain(walk, tab))) return true;
  const again = await tab.visit(item.url);
  if (again.outcome === 'seen' && shortPath(again.url) !== shortPath(how.url)) await recordPage(walk, tab, again, item);
  return true;
}

function siteUnreachable(url: string, reason: string): Failure {
  const message = `The site ${quote(url)} cannot be scanned: ${reason}.`;
  return new Failure('site_failed', 'UPSTREAM_ERROR', message, { field: 'url', url, reason });
}
