import { Failure, quote } from '../../../platform/errors.ts';
import type { RunContext } from '../../runs/run-context.ts';
import type { UsageMeter } from '../../runs/usage-meter.ts';
import type { GuardedContext } from '../guard/guarded-context.ts';
import { type FormFeatures, formsOnPage, type RecordedPage } from '../read/page-features.ts';
import { chooseCredentials, findLoginForm, findUsernameForm } from '../sign-in/login-forms.ts';
import { findPasswordForm, signInToSite } from '../sign-in/sign-in.ts';
import { normaliseUrl, shortPath } from '../site-urls.ts';
import type { Crawl, CrawlLimits } from './crawl-state.ts';
import { expandPage } from './expand-page.ts';
import { savePageScreenshot } from './page-screenshot.ts';
import { openScanTab, type PageObservation, pageTimeoutFor, type ScanTab, type VisitResult } from './scan-tab.ts';

export interface CrawlSession {
  place: Pick<RunContext, 'secrets' | 'saveArtifact' | 'checkpoint' | 'progress' | 'signal'>;
  crawl: Crawl;
  guarded: GuardedContext;
  start: URL;
  limits: CrawlLimits;
  /** Counts what is opened, and what is done there. */
  meter: Pick<UsageMeter, 'pages' | 'steps'>;
  /** Seconds so far, those of earlier attempts included. */
  seconds(): number;
  /** Why the secrets of the project are not for this site, if they are not. */
  loginRefusal?: string | undefined;
  /** Pages that the site names beside those that it links to. */
  readSitemap?(origin: string): Promise<URL[]>;
  /** Called once the site has shown its first page. */
  onFirstPage?(): Promise<void>;
}

const MOST_LOGINS = 3;
const CHECKPOINT_EVERY_MS = 1500;
/** A long scan has a long record: writing it down may take this share of the time. */
const CHECKPOINT_SHARE = 0.05;

/** Why a walk ended that saw the whole site. */
export const SITE_EXHAUSTED = 'nothing new was left';

/** Goes through the site page by page until there is nothing new, or enough. Says why it ended. */
export async function crawlSite(walk: CrawlSession): Promise<string> {
  const { crawl, guarded, start, limits, place, meter } = walk;
  const opened = await openScanTab(() => guarded.context.newPage(), start.origin, pageTimeoutFor(limits.seconds));
  const tab = countVisits(opened, meter);
  if (crawl.signIn()) await signInAgain(walk, tab);
  else crawl.add(start, { depth: 0, listed: false });
  let kept = performance.now();
  let pauseMs = CHECKPOINT_EVERY_MS;
  for (;;) {
    place.signal.throwIfAborted();
    // What lies behind a login is worth more than the hundredth page before it.
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
    place.progress(
      crawl.record.visits,
      Math.min(limits.pages, crawl.record.visits + crawl.left() + 1),
      `looking at ${shortPath(item.url)}`,
    );
    const visited = await tab.visit(item.url);
    await handleVisit(walk, tab, item, visited);
    if (performance.now() - kept > pauseMs) {
      const began = performance.now();
      await place.checkpoint(JSON.parse(JSON.stringify(crawl.toRecord(walk.seconds()))));
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

/** Pages that no link leads to may stand in the sitemap. */
async function queueSitemap({ crawl, start, readSitemap }: CrawlSession): Promise<boolean> {
  if (crawl.record.seeded || !readSitemap) return false;
  crawl.record.seeded = true;
  for (const url of await readSitemap(start.origin)) crawl.add(url, { depth: 1, listed: true });
  return crawl.left() > 0;
}

type QueuedPage = NonNullable<ReturnType<Crawl['next']>>;

/** What a visit brought: a page to keep, links to follow, or a reason to say why not. */
async function handleVisit(walk: CrawlSession, tab: ScanTab, item: QueuedPage, visited: VisitResult): Promise<void> {
  const { crawl, start } = walk;
  const isFirst = crawl.record.pages.length === 0;
  if (visited.outcome !== 'seen') {
    if (isFirst && item.depth === 0) throw siteUnreachable(start.href, visited.reason);
    if (visited.outcome === 'failed') crawl.note(`${shortPath(item.url)} could not be looked at: ${visited.reason}.`);
    return;
  }
  if (await recoverSession(walk, tab, item, visited)) return;
  if (visited.setting.captcha) {
    const isWall = visited.setting.links.length < 3 && visited.reading.controls.length < 5;
    if (isFirst && isWall) throw siteUnreachable(start.href, 'it shows a captcha, which only a person can answer');
    crawl.note(`There is a captcha on ${shortPath(visited.url)}: what lies behind it was not seen.`);
  }
  await recordPage(walk, tab, visited, item);
  if (isFirst) await walk.onFirstPage?.();
}

/** Keeps a page if it shows something new, opens what it hides, and puts its links into the queue. */
async function recordPage(
  walk: CrawlSession,
  tab: ScanTab,
  look: PageObservation,
  { depth, listed }: Pick<QueuedPage, 'depth' | 'listed'>,
  always = false,
): Promise<RecordedPage | undefined> {
  const { crawl, place } = walk;
  const url = normaliseUrl(look.url);
  if (!url) return undefined;
  const forms = formsOnPage(crawl.asPage(look, { template: '', opened: [], artifactId: null }));
  const { template, isNew } = crawl.states.place(url, look.structure, listed, forms.flatMap(formSignature));
  // Where the login led is followed once it is known that we are inside.
  if (!always) crawl.follow(look.setting.links, look.url, depth);
  if (depth === 0 && !always && crawl.left() === 0 && forms.length === 0)
    crawl.chooseLanguage(look.setting.links, look.url);
  const isUsable = !forms.some(({ isOff }) => isOff);
  const isBetter = isUsable && crawl.states.wants(template);
  if (!isNew && !always && !isBetter) return undefined;
  crawl.states.wants(template, !isUsable);
  const artifactId = await savePageScreenshot(place, tab.page(), `page-${crawl.pages().length + 1}.jpg`);
  const kept = crawl.keep(look, { template, opened: [], artifactId });
  await expandPage(walk, tab, look, { template, depth });
  return kept;
}

/** What a form of the page's own asks for, without what differs from one entry of a list to the next. */
function formSignature({ place, form: { method }, shown }: FormFeatures): string[] {
  const isOwn = (place === 'main' || place === 'dialog') && shown.length > 0;
  return isOwn ? [[method, ...shown.map(({ key }) => key.replaceAll(/\d+/g, ''))].join(' ').slice(0, 300)] : [];
}

/** Logs in, once what can be seen without it was seen. False where there is no form, no secret, or no success. */
async function signInOnce(walk: CrawlSession, tab: ScanTab): Promise<boolean> {
  const { crawl, place } = walk;
  if (crawl.record.loginDone) return false;
  crawl.record.loginDone = true;
  const seen = <Form>(formOn: (page: RecordedPage) => Form | undefined) =>
    crawl.pages().flatMap((page) => {
      const form = formOn(page);
      return form ? [{ page, form }] : [];
    })[0];
  const whole = seen(findLoginForm);
  const name = whole ? undefined : seen(findUsernameForm);
  const names = chooseCredentials(place.secrets.list);
  if (names && walk.loginRefusal && (whole || name)) {
    crawl.note(walk.loginRefusal);
    return false;
  }
  const form = name && names ? await findPasswordForm(walk, tab, name.form, names.username) : undefined;
  const found = whole ?? (name && form && { page: name.page, form });
  if (!found && !(name && !names)) return false;
  if (!names) {
    crawl.note(
      'There is a login form, but the project has no secrets for it: a user name and a password, such as TEST_USER_NAME and TEST_USER_PASSWORD, would let the scan see what lies behind.',
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

async function recordLandingPage(walk: CrawlSession, tab: ScanTab, look: PageObservation): Promise<RecordedPage> {
  const kept = await recordPage(walk, tab, look, { depth: 0, listed: false }, true);
  if (!kept) throw new Error('a page that was looked at has an address');
  return kept;
}

/** A worker that goes on with a scan has a browser that nobody is logged in with. */
async function signInAgain(walk: CrawlSession, tab: ScanTab): Promise<boolean> {
  const how = walk.crawl.signIn();
  if (!how || walk.loginRefusal) return false;
  const look = await signInToSite(walk, tab, how, { username: how.usernameSecret, password: how.passwordSecret });
  return look !== undefined;
}

/** A page that sends us to the login although we were inside: the session is over. It is begun again, a few times. */
async function recoverSession(
  walk: CrawlSession,
  tab: ScanTab,
  item: QueuedPage,
  { url }: PageObservation,
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
