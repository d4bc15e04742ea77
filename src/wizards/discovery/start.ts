import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import type { BrowserPool } from '../../platform/browser/browser-pool.ts';
import { quote } from '../../platform/errors.ts';
import { rememberClosedRoots } from '../../platform/page/private-text.ts';
import { settled } from '../../platform/page/settle.ts';
import { asksForLogin, badAnswer, siteFailure } from '../../platform/page/site-failure.ts';
import { watch } from '../../platform/page/watch.ts';
import type { WizardFolder } from '../files/folder.ts';
import { asNavigationError, discoveryError } from './failures.ts';
import { type Unfinished, unfinishedOf } from './partials.ts';
import { watchSentNames } from './sent-names.ts';
import type { Session } from './session.ts';
import type { Shelf } from './shelf.ts';
import { PageStuck, unlessStuck } from './stuck.ts';
import { pictureOrNull, type ShowPicture, told, type View, viewOf } from './view.ts';

/** What discovery works with, on behalf of one caller. */
export interface DiscoveryRoom {
  browsers(): Promise<BrowserPool>;
  shelf: Shelf;
  owner: string;
  wizards: WizardFolder;
  inside: readonly string[] | undefined;
  checkAddress(url: string): Promise<void>;
  checkPath(path: string): Promise<void>;
  signal: AbortSignal;
  show: ShowPicture;
}

const NAVIGATION_MS = 30_000;
const viewport = { width: 1280, height: 900 };

export interface Started extends View {
  session_id: string;
  message: string;
  unfinished: Unfinished[];
}

/** Opens the address in a browser of its own, which stays open for the calls that follow. */
export async function startDiscovery(room: DiscoveryRoom, given: string): Promise<Started> {
  const url = URL.parse(given.trim());
  if (!url || !/^https?:$/.test(url.protocol))
    throw discoveryError('invalid_url', `url ${quote(given)} is not an address that begins with http:// or https://.`, {
      screenshot: null,
    });
  await room.checkAddress(url.href).catch((error: unknown) => {
    throw asNavigationError(error, null);
  });
  using reserved = room.shelf.reserve(room.owner);
  const { id, session, happened } = await openSession(room, url.href);
  reserved.put(session);
  const { view, login } = await room.shelf.use(id, room.owner, async () => ({
    view: await viewOf(session, room.show),
    login: await asksForLogin(session.watch.page()),
  }));
  const unfinished = await unfinishedOf(room.wizards.partials, {
    owner: room.owner,
    url: url.href,
    alive: room.shelf.ids(),
  });
  return { session_id: id, ...view, message: guidance(unfinished, login) + happened, unfinished };
}

async function openSession(room: DiscoveryRoom, url: string) {
  const browsers = await room.browsers();
  const open = await browsers.open({ inside: room.inside, options: { viewport, locale: 'en-US' } });
  const stop = () => void open[Symbol.asyncDispose]();
  room.signal.addEventListener('abort', stop, { once: true });
  try {
    await open.context.addInitScript(rememberClosedRoots);
    const page = await open.context.newPage();
    const watching = watch(open.context, page, { followTabs: true });
    await unlessStuck(() => page, visit(room, page, url));
    const id = randomUUID();
    const session: Session = {
      id,
      owner: room.owner,
      url,
      startedAt: new Date().toISOString(),
      open,
      watch: watching,
      clicks: [],
      pages: new Map(),
      reveals: new Map(),
      tried: new Map(),
      answers: new Map(),
      sentNames: watchSentNames(open.context),
      secrets: [],
      rows: new Map(),
      partialFile: undefined,
    };
    return { id, session, happened: told(watching.take()) };
  } catch (error) {
    await open[Symbol.asyncDispose]();
    room.signal.throwIfAborted();
    if (error instanceof PageStuck)
      throw discoveryError('timeout', 'The page does not answer: a script of it keeps it busy.', { screenshot: null });
    throw error;
  } finally {
    room.signal.removeEventListener('abort', stop);
  }
}

async function visit({ show, signal }: DiscoveryRoom, page: Page, url: string): Promise<void> {
  let bad: unknown;
  const go = async () => {
    const response = await page.goto(url, { waitUntil: 'domcontentloaded', timeout: NAVIGATION_MS });
    bad = await badAnswer(page, response, url);
  };
  try {
    await settled(page, go, { signal, timeoutMs: 10_000 });
  } catch (error) {
    throw asNavigationError(siteFailure(error, url), null);
  }
  if (bad) throw asNavigationError(bad, await pictureOrNull(page, show, []));
}

function guidance(unfinished: readonly Unfinished[], login: boolean): string {
  const next =
    'Next: if this is a start page, click its start button with federalscout_click_element; then, page by page: federalscout_get_page_info proposes the metadata, federalscout_save_page_metadata keeps it, federalscout_execute_actions fills the page in and goes on. At the results call federalscout_complete_discovery.';
  const [last] = unfinished;
  const lost = last
    ? ` An earlier discovery of this address was not completed; its ${last.pages_saved} saved pages are in ${last.partial_file}.`
    : '';
  return `The page is open. ${login ? 'It asks for a login: look for a way to start without one. ' : ''}${next}${lost}`;
}
