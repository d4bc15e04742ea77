import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { actAndSettle } from '../../../page/settle/settle.ts';
import type { BrowserPool } from '../../../platform/browser/browser-pool.ts';
import { quote } from '../../../platform/errors.ts';
import { trackClosedShadowRoots } from '../../../platform/page/capture/private-text.ts';
import { checkPageResponse, isLoginPage, toSiteFailure } from '../../../platform/page/navigation/site-failure.ts';
import { watchPageEvents } from '../../../platform/page/settle/page-events.ts';
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

/** What discovery needs from the server, on behalf of one caller. */
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

/** Opens the address in its own browser context, which stays open for the following calls. */
export async function startDiscovery(context: DiscoveryContext, given: string): Promise<StartedDiscovery> {
  const url = URL.parse(given.trim());
  if (!url || !/^https?:$/.test(url.protocol))
    throw discoveryError(
      'invalid_url',
      `url ${quote(given)} is not a full address that starts with http:// or https://.`,
      {
        screenshot: null,
      },
    );
  await context.checkAddress(url.href).catch((error: unknown) => {
    throw toNavigationError(error, null);
  });
  using reserved = context.sessions.reserve(context.owner);
  const { id, session, happened } = await openSession(context, url.href);
  reserved.put(session);
  const { view, login } = await context.sessions.use(id, context.owner, async () => ({
    view: await capturePageView(session, context.attachScreenshot),
    login: await isLoginPage(session.watch.page()),
  }));
  const unfinished = await listUnfinishedDiscoveries(context.wizards.partials, {
    owner: context.owner,
    url: url.href,
    alive: context.sessions.ids(),
  });
  return { session_id: id, ...view, message: guidance(unfinished, login) + happened, unfinished };
}

async function openSession(context: DiscoveryContext, url: string) {
  const id = randomUUID();
  const browsers = await context.browsers();
  const open = await browsers.open({
    allowedPrivateAddresses: context.allowedAddresses,
    options: { viewport, locale: 'en-US' },
  });
  const stop = () => void open[Symbol.asyncDispose]();
  context.signal.addEventListener('abort', stop, { once: true });
  try {
    await open.context.addInitScript(trackClosedShadowRoots);
    const page = await open.context.newPage();
    const watching = watchPageEvents(open.context, page, { followTabs: true });
    await rejectIfPageHangs(() => page, visit(context, page, { id, url }));
    const session: DiscoverySession = {
      id,
      owner: context.owner,
      url,
      startedAt: new Date().toISOString(),
      open,
      watch: watching,
      clicks: [],
      pages: new Map(),
      proposals: new Map(),
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
    context.signal.throwIfAborted();
    if (error instanceof PageStuckError)
      throw discoveryError('timeout', 'The page does not respond: one of its scripts keeps it busy.', {
        screenshot: null,
      });
    throw error;
  } finally {
    context.signal.removeEventListener('abort', stop);
  }
}

async function visit(
  { attachScreenshot, signal }: DiscoveryContext,
  page: Page,
  { id, url }: Pick<DiscoverySession, 'id' | 'url'>,
): Promise<void> {
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
  if (bad) throw toNavigationError(bad, await captureScreenshotOrNull({ id, secrets: [] }, page, attachScreenshot));
}

function guidance(unfinished: readonly UnfinishedDiscovery[], login: boolean): string {
  const next =
    'Next: on a start page, click its start button with federalscout_click_element. Then for each page: federalscout_get_page_info proposes the metadata, federalscout_save_page_metadata saves it, federalscout_execute_actions fills in the page and continues. On the results page call federalscout_complete_discovery.';
  const [last] = unfinished;
  const lost = last
    ? ` An earlier discovery of this address was not completed; its ${last.pages_saved} saved pages are in ${last.partial_file}.`
    : '';
  return `The page is open. ${login ? 'It asks for a login; try to find a way to start without one. ' : ''}${next}${lost}`;
}
