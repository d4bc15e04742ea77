import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import type { BrowserPool } from '../../../platform/browser/browser-pool.ts';
import { quote } from '../../../platform/errors.ts';
import { trackClosedShadowRoots } from '../../../platform/page/capture/private-text.ts';
import { checkPageResponse, isLoginPage, toSiteFailure } from '../../../platform/page/navigation/site-failure.ts';
import { watchPageEvents } from '../../../platform/page/settle/page-events.ts';
import { actAndSettle } from '../../../platform/page/settle/settle.ts';
import type { WizardFolder } from '../../files/wizard-folder.ts';
import { watchSentFieldNames } from '../act/sent-field-names.ts';
import {
  type AttachScreenshot,
  capturePageView,
  captureScreenshotOrNull,
  describeBrowserEvents,
  type PageView,
} from '../read-page/page-view.ts';
import { discoveryError, toNavigationError } from './discovery-error.ts';
import type { DiscoverySession } from './discovery-session.ts';
import { PageStuckError, rejectIfPageHangs } from './page-watchdog.ts';
import { listUnfinishedDiscoveries, type UnfinishedDiscovery } from './partial-file.ts';
import type { SessionRegistry } from './session-registry.ts';

/** What discovery works with, on behalf of one caller. */
export interface DiscoveryContext {
  browsers(): Promise<BrowserPool>;
  sessions: SessionRegistry;
  owner: string;
  wizards: WizardFolder;
  allowedAddresses: readonly string[] | undefined;
  checkAddress(url: string): Promise<void>;
  checkPath(path: string): Promise<void>;
  signal: AbortSignal;
  attachScreenshot: AttachScreenshot;
}

const NAVIGATION_MS = 30_000;
const viewport = { width: 1280, height: 900 };

export interface StartedDiscovery extends PageView {
  session_id: string;
  message: string;
  unfinished: UnfinishedDiscovery[];
}

/** Opens the address in a browser of its own, which stays open for the calls that follow. */
export async function startDiscovery(room: DiscoveryContext, given: string): Promise<StartedDiscovery> {
  const url = URL.parse(given.trim());
  if (!url || !/^https?:$/.test(url.protocol))
    throw discoveryError('invalid_url', `url ${quote(given)} is not an address that begins with http:// or https://.`, {
      screenshot: null,
    });
  await room.checkAddress(url.href).catch((error: unknown) => {
    throw toNavigationError(error, null);
  });
  using reserved = room.sessions.reserve(room.owner);
  const { id, session, happened } = await openSession(room, url.href);
  reserved.put(session);
  const { view, login } = await room.sessions.use(id, room.owner, async () => ({
    view: await capturePageView(session, room.attachScreenshot),
    login: await isLoginPage(session.watch.page()),
  }));
  const unfinished = await listUnfinishedDiscoveries(room.wizards.partials, {
    owner: room.owner,
    url: url.href,
    alive: room.sessions.ids(),
  });
  return { session_id: id, ...view, message: guidance(unfinished, login) + happened, unfinished };
}

async function openSession(room: DiscoveryContext, url: string) {
  const browsers = await room.browsers();
  const open = await browsers.open({
    allowedPrivateAddresses: room.allowedAddresses,
    options: { viewport, locale: 'en-US' },
  });
  const stop = () => void open[Symbol.asyncDispose]();
  room.signal.addEventListener('abort', stop, { once: true });
  try {
    await open.context.addInitScript(trackClosedShadowRoots);
    const page = await open.context.newPage();
    const watching = watchPageEvents(open.context, page, { followTabs: true });
    await rejectIfPageHangs(() => page, visit(room, page, url));
    const id = randomUUID();
    const session: DiscoverySession = {
      id,
      owner: room.owner,
      url,
      startedAt: new Date().toISOString(),
      open,
      watch: watching,
      clicks: [],
      pages: new Map(),
      reveals: new Map(),
      questionsByAnswer: new Map(),
      answers: new Map(),
      sentNames: watchSentFieldNames(open.context),
      secrets: [],
      rowGroups: new Map(),
      partialFile: undefined,
    };
    return { id, session, happened: describeBrowserEvents(watching.take()) };
  } catch (error) {
    await open[Symbol.asyncDispose]();
    room.signal.throwIfAborted();
    if (error instanceof PageStuckError)
      throw discoveryError('timeout', 'The page does not answer: a script of it keeps it busy.', { screenshot: null });
    throw error;
  } finally {
    room.signal.removeEventListener('abort', stop);
  }
}

async function visit({ attachScreenshot, signal }: DiscoveryContext, page: Page, url: string): Promise<void> {
  let bad: unknown;
  const go = async () => {
    const response = await page.goto(url, { waitUntil: 'domcontentloaded', timeout: NAVIGATION_MS });
    bad = await checkPageResponse(page, response, url);
  };
  try {
    await actAndSettle(page, go, { signal, timeoutMs: 10_000 });
  } catch (error) {
    throw toNavigationError(toSiteFailure(error, url), null);
  }
  if (bad) throw toNavigationError(bad, await captureScreenshotOrNull(page, attachScreenshot, []));
}

function guidance(unfinished: readonly UnfinishedDiscovery[], login: boolean): string {
  const next =
    'Next: if this is a start page, click its start button with federalscout_click_element; then, page by page: federalscout_get_page_info proposes the metadata, federalscout_save_page_metadata keeps it, federalscout_execute_actions fills the page in and goes on. At the results call federalscout_complete_discovery.';
  const [last] = unfinished;
  const lost = last
    ? ` An earlier discovery of this address was not completed; its ${last.pages_saved} saved pages are in ${last.partial_file}.`
    : '';
  return `The page is open. ${login ? 'It asks for a login: look for a way to start without one. ' : ''}${next}${lost}`;
}
