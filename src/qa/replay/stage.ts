import { randomBytes } from 'node:crypto';
import type { BrowserContext, CDPSession, Page, Request } from 'playwright-core';
import type { BrowserRoom } from '../../platform/browser/room.ts';
import { type Happening, type Watch, watch } from '../../platform/page/watch.ts';
import { UNIQUE, UNIQUE_LENGTH } from '../cases/values.ts';
import type { Meter } from '../runs/costs.ts';
import { pathWithin } from '../scripts/model.ts';
import { unlessAborted } from './unless-aborted.ts';

/** A request that the page sent, once it was answered or had failed. */
export interface SentRequest {
  method: string;
  /** Without the origin, if that is the site's own. */
  path: string;
  /** 0 where there was no answer. */
  status: number;
  type: string;
}

/** A page of its own in a context of its own, with everything that happens on it. */
export interface Stage extends AsyncDisposable {
  context: BrowserContext;
  page(): Page;
  /** For what Playwright does in a dearer way. */
  session(page: Page): Promise<CDPSession>;
  baseUrl: string;
  sent: SentRequest[];
  /** Server errors of the site and uncaught errors of its pages. */
  failures: string[];
  happenings: Happening[];
  /** Fills in what differs from run to run. */
  fillIn(text: string): string;
  unique: string;
  secret(name: string): string;
  /** Secrets that were entered. */
  entered: Set<string>;
  meter: Meter;
}

export interface StageWishes {
  browsers(): Promise<BrowserRoom>;
  inside: readonly string[] | undefined;
  baseUrl: string;
  secret(name: string): string;
  signal?: AbortSignal | undefined;
  meter: Meter;
}

const VIEWPORT = { width: 1280, height: 800 };

export async function openStage({ browsers, inside, baseUrl, secret, signal, meter }: StageWishes): Promise<Stage> {
  const room = await browsers();
  const opening = room.open({
    inside,
    options: { viewport: VIEWPORT, locale: 'en-GB', baseURL: baseUrl, reducedMotion: 'reduce' },
    ...(signal && { signal }),
  });
  const opened = await unlessAborted(opening, signal).catch((error: unknown) => {
    // What opens when nobody wants it any more is closed again.
    void opening.then(closing, () => {});
    throw error;
  });
  try {
    const first = await unlessAborted(opened.context.newPage(), signal);
    const watched = watch(opened.context, first, { followTabs: true });
    return staged(opened, watched, { baseUrl, secret, meter });
  } catch (error) {
    await closing(opened);
    throw error;
  }
}

/** A browser that does not close a page in this time has ceased to answer, and is not waited for. */
const CLOSES_WITHIN_MS = 15_000;

async function closing(opened: AsyncDisposable): Promise<void> {
  await unlessAborted(opened[Symbol.asyncDispose](), AbortSignal.timeout(CLOSES_WITHIN_MS)).catch(() => {});
}

function staged(
  opened: AsyncDisposable & { context: BrowserContext },
  watched: Watch,
  { baseUrl, secret, meter }: Pick<StageWishes, 'baseUrl' | 'secret' | 'meter'>,
): Stage {
  const from = performance.now();
  const { context } = opened;
  const sent: SentRequest[] = [];
  const failures: string[] = [];
  const unique = randomBytes(8).toString('hex').slice(0, UNIQUE_LENGTH);
  const note = (request: Request, status: number) => {
    const path = pathWithin(request.url(), baseUrl);
    sent.push({ method: request.method(), path, status, type: request.resourceType() });
    if (request.resourceType() === 'document') meter.pages++;
    if (status >= 500) failures.push(`${request.method()} ${path} was answered with ${status}`);
  };
  context.on('response', (response) => note(response.request(), response.status()));
  context.on('requestfailed', (request) => {
    // What a page breaks off by leaving is no failure of the site.
    if (!/ERR_ABORTED/.test(request.failure()?.errorText ?? '')) note(request, 0);
  });
  context.on('weberror', (error) => failures.push(`Error in the page: ${error.error().message}`));
  const happenings: Happening[] = [];
  const sessions = new Map<Page, Promise<CDPSession>>();
  return {
    context,
    baseUrl,
    sent,
    failures,
    unique,
    secret,
    meter,
    entered: new Set(),
    page: () => watched.page(),
    session(page) {
      const session = sessions.get(page) ?? context.newCDPSession(page);
      sessions.set(page, session);
      return session;
    },
    get happenings() {
      happenings.push(...watched.take());
      return happenings;
    },
    fillIn: (text) => text.replaceAll(UNIQUE, unique),
    async [Symbol.asyncDispose]() {
      watched[Symbol.dispose]();
      meter.browserMs += performance.now() - from;
      await closing(opened);
    },
  };
}
