import { Failure, quote } from '../../platform/errors.ts';
import type { RunContext } from '../runs/run-context.ts';
import type { UsageMeter } from '../runs/usage-meter.ts';
import { normalised, pathOf } from './addresses.ts';
import type { Crawl, Limits } from './crawl.ts';
import { type FormFacts, formsOn, type SeenPage } from './facts.ts';
import type { GuardedContext } from './guarded-context.ts';
import { afterName, logIn } from './log-in.ts';
import { openParts } from './open-parts.ts';
import { portray } from './portray.ts';
import { credentialsAmong, loginFormOn, nameFormOn } from './sign-in.ts';
import { type Look, openTab, patienceFor, type Tab, type Visited } from './visit.ts';

export interface Walk {
  place: Pick<RunContext, 'secrets' | 'saveArtifact' | 'checkpoint' | 'progress' | 'signal'>;
  crawl: Crawl;
  guarded: GuardedContext;
  start: URL;
  limits: Limits;
  /** Counts what is opened, and what is done there. */
  meter: Pick<UsageMeter, 'pages' | 'steps'>;
  /** Seconds so far, those of earlier attempts included. */
  seconds(): number;
  /** Why the secrets of the project are not for this site, if they are not. */
  noLogin?: string | undefined;
  /** Pages that the site names beside those that it links to. */
  sitemap?(origin: string): Promise<URL[]>;
  /** Called once the site has shown its first page. */
  answered?(): Promise<void>;
}

const MOST_LOGINS = 3;
const CHECKPOINT_EVERY_MS = 1500;
/** A long scan has a long record: writing it down may take this share of the time. */
const CHECKPOINT_SHARE = 0.05;

/** Why a walk ended that saw the whole site. */
export const ALL_SEEN = 'nothing new was left';

/** Goes through the site page by page until there is nothing new, or enough. Says why it ended. */
export async function walkThrough(walk: Walk): Promise<string> {
  const { crawl, guarded, start, limits, place, meter } = walk;
  const opened = await openTab(() => guarded.context.newPage(), start.origin, patienceFor(limits.seconds));
  const tab = counting(opened, meter);
  if (crawl.signIn()) await enterAgain(walk, tab);
  else crawl.add(start, { depth: 0, listed: false });
  let kept = performance.now();
  let pauseMs = CHECKPOINT_EVERY_MS;
  for (;;) {
    place.signal.throwIfAborted();
    // What lies behind a login is worth more than the hundredth page before it.
    if (!crawl.signIn() && crawl.record.visits >= limits.pages * 0.6) await enter(walk, tab);
    if (crawl.record.visits >= limits.pages) return `the limit of ${limits.pages} pages was reached`;
    if (walk.seconds() >= limits.seconds) return `the limit of ${limits.seconds} seconds was reached`;
    const item = crawl.next();
    if (!item) {
      if (await seed(walk)) continue;
      if (await enter(walk, tab)) continue;
      return ALL_SEEN;
    }
    crawl.record.visits++;
    place.progress(
      crawl.record.visits,
      Math.min(limits.pages, crawl.record.visits + crawl.left() + 1),
      `looking at ${pathOf(item.url)}`,
    );
    const visited = await tab.visit(item.url);
    await take(walk, tab, item, visited);
    if (performance.now() - kept > pauseMs) {
      const began = performance.now();
      await place.checkpoint(JSON.parse(JSON.stringify(crawl.toRecord(walk.seconds()))));
      kept = performance.now();
      pauseMs = Math.max(CHECKPOINT_EVERY_MS, (kept - began) / CHECKPOINT_SHARE);
    }
  }
}

function counting(tab: Tab, meter: Walk['meter']): Tab {
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
async function seed({ crawl, start, sitemap }: Walk): Promise<boolean> {
  if (crawl.record.seeded || !sitemap) return false;
  crawl.record.seeded = true;
  for (const url of await sitemap(start.origin)) crawl.add(url, { depth: 1, listed: true });
  return crawl.left() > 0;
}

type Item = NonNullable<ReturnType<Crawl['next']>>;

/** What a visit brought: a page to keep, links to follow, or a reason to say why not. */
async function take(walk: Walk, tab: Tab, item: Item, visited: Visited): Promise<void> {
  const { crawl, start } = walk;
  const isFirst = crawl.record.pages.length === 0;
  if (visited.outcome !== 'seen') {
    if (isFirst && item.depth === 0) throw unreachable(start.href, visited.reason);
    if (visited.outcome === 'failed') crawl.note(`${pathOf(item.url)} could not be looked at: ${visited.reason}.`);
    return;
  }
  if (await wasThrownOut(walk, tab, item, visited)) return;
  if (visited.setting.captcha) {
    const isWall = visited.setting.links.length < 3 && visited.reading.controls.length < 5;
    if (isFirst && isWall) throw unreachable(start.href, 'it shows a captcha, which only a person can answer');
    crawl.note(`There is a captcha on ${pathOf(visited.url)}: what lies behind it was not seen.`);
  }
  await learn(walk, tab, visited, item);
  if (isFirst) await walk.answered?.();
}

/** Keeps a page if it shows something new, opens what it hides, and puts its links into the queue. */
async function learn(
  walk: Walk,
  tab: Tab,
  look: Look,
  { depth, listed }: Pick<Item, 'depth' | 'listed'>,
  always = false,
): Promise<SeenPage | undefined> {
  const { crawl, place } = walk;
  const url = normalised(look.url);
  if (!url) return undefined;
  const forms = formsOn(crawl.asPage(look, { template: '', opened: [], artifactId: null }));
  const { template, isNew } = crawl.states.place(url, look.shape, listed, forms.flatMap(askedBy));
  // Where the login led is followed once it is known that we are inside.
  if (!always) crawl.follow(look.setting.links, look.url, depth);
  if (depth === 0 && !always && crawl.left() === 0 && forms.length === 0)
    crawl.chooseLanguage(look.setting.links, look.url);
  const isUsable = !forms.some(({ isOff }) => isOff);
  const isBetter = isUsable && crawl.states.wants(template);
  if (!isNew && !always && !isBetter) return undefined;
  crawl.states.wants(template, !isUsable);
  const artifactId = await portray(place, tab.page(), `page-${crawl.pages().length + 1}.jpg`);
  const kept = crawl.keep(look, { template, opened: [], artifactId });
  await openParts(walk, tab, look, { template, depth });
  return kept;
}

/** What a form of the page's own asks for, without what differs from one entry of a list to the next. */
function askedBy({ place, form: { method }, shown }: FormFacts): string[] {
  const isOwn = (place === 'main' || place === 'dialog') && shown.length > 0;
  return isOwn ? [[method, ...shown.map(({ key }) => key.replaceAll(/\d+/g, ''))].join(' ').slice(0, 300)] : [];
}

/** Logs in, once what can be seen without it was seen. False where there is no form, no secret, or no success. */
async function enter(walk: Walk, tab: Tab): Promise<boolean> {
  const { crawl, place } = walk;
  if (crawl.record.loginDone) return false;
  crawl.record.loginDone = true;
  const seen = <Form>(formOn: (page: SeenPage) => Form | undefined) =>
    crawl.pages().flatMap((page) => {
      const form = formOn(page);
      return form ? [{ page, form }] : [];
    })[0];
  const whole = seen(loginFormOn);
  const name = whole ? undefined : seen(nameFormOn);
  const names = credentialsAmong(place.secrets.list);
  if (names && walk.noLogin && (whole || name)) {
    crawl.note(walk.noLogin);
    return false;
  }
  const form = name && names ? await afterName(walk, tab, name.form, names.username) : undefined;
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
  const look = await logIn(walk, tab, found.form, names);
  if (!look) return false;
  const template = found.page.state.template;
  const landed = await landedOn(walk, tab, look);
  crawl.enter(
    { ...found.form, usernameSecret: names.username, passwordSecret: names.password, landedOn: landed.state },
    template,
  );
  landed.behindLogin = true;
  crawl.follow(look.setting.links, look.url, 0);
  return true;
}

async function landedOn(walk: Walk, tab: Tab, look: Look): Promise<SeenPage> {
  const kept = await learn(walk, tab, look, { depth: 0, listed: false }, true);
  if (!kept) throw new Error('a page that was looked at has an address');
  return kept;
}

/** A worker that goes on with a scan has a browser that nobody is logged in with. */
async function enterAgain(walk: Walk, tab: Tab): Promise<boolean> {
  const how = walk.crawl.signIn();
  if (!how || walk.noLogin) return false;
  const look = await logIn(walk, tab, how, { username: how.usernameSecret, password: how.passwordSecret });
  return look !== undefined;
}

/** A page that sends us to the login although we were inside: the session is over. It is begun again, a few times. */
async function wasThrownOut(walk: Walk, tab: Tab, item: Item, { url }: Look): Promise<boolean> {
  const { crawl } = walk;
  const how = crawl.signIn();
  if (!how || pathOf(url) !== pathOf(how.url) || pathOf(item.url) === pathOf(how.url)) return false;
  crawl.note(`The site ended the session at or before ${pathOf(item.url)}.`);
  if (crawl.record.relogins >= MOST_LOGINS) return true;
  crawl.record.relogins++;
  if (!(await enterAgain(walk, tab))) return true;
  const again = await tab.visit(item.url);
  if (again.outcome === 'seen' && pathOf(again.url) !== pathOf(how.url)) await learn(walk, tab, again, item);
  return true;
}

function unreachable(url: string, reason: string): Failure {
  const message = `The site ${quote(url)} cannot be scanned: ${reason}.`;
  return new Failure('site_failed', 'UPSTREAM_ERROR', message, { field: 'url', url, reason });
}
