import type { Page, Request, Response } from 'playwright-core';
import { requestFrame } from '../../platform/page/settle/request-frame.ts';
import { pageSession } from '../world/isolated-world.ts';

/** Types of requests whose answers change what a page shows. Streams, sockets and beacons have types of their own. */
const AWAITED_TYPES = ['document', 'script', 'stylesheet', 'xhr', 'fetch'];
/** An answer whose body the page never reads does not finish: it no longer counts so long after the last data. */
const UNREAD_BODY_MS = 300;
/** A script of another site that takes longer is an advertisement or a counter. */
const FOREIGN_SCRIPT_MS = 1_500;
/** What is asked for longer, while the page shows content and no sign of loading, is a long poll. */
const PATIENCE_MS = 3_500;
/** Answers to the same request after which it is a poll. */
const POLL_ANSWERS = 2;

interface OpenRequest {
  request: Request;
  begun: number;
  /** When the headers of the answer arrived. */
  answered?: number;
  /** It replaces the document of the page. */
  isNavigation: boolean;
  isForeign: boolean;
}

export interface OpenRequests extends Disposable {
  /** The requests that the page still waits for. On a page that shows that it is loading, slow ones count too. */
  awaited(isLoading: boolean): Request[];
  /** The requests that are too slow to be awaited, and have no answer yet. */
  overdue(): Request[];
  /** Milliseconds since a request ended that the page waited for. */
  quietMs(): number;
  /** Resolves at the next end of a request, or after the limit. */
  nextEnd(limitMs: number): Promise<void>;
}

/**
 * Watches the requests of a page and its frames from now on, and tells those that the page waits for from polls, streams, beacons
 * and scripts of third parties: by resource type, age, site and repetition, never by their address. What `ignores` names never
 * counts; it is asked each time, since that may depend on the age of a request.
 */
export function watchOpenRequests(page: Page, ignores: (request: Request) => boolean = () => false): OpenRequests {
  const open = new Map<Request, OpenRequest>();
  const answers = new Map<string, number>();
  let lastEnd = Number.NEGATIVE_INFINITY;
  let wake = () => {};
  /** Costs an event for each piece of data, so it begins with the first answer that may be long. */
  let data: DataWatch | undefined;

  const begin = (request: Request) => {
    if (!AWAITED_TYPES.includes(request.resourceType()) || (answers.get(pollKey(request)) ?? 0) >= POLL_ANSWERS) return;
    const frame = requestFrame(request);
    const isNavigation = request.isNavigationRequest() && frame === page.mainFrame();
    const isForeign = !isNavigation && siteOf(request.url()) !== siteOf(frame?.url() ?? page.url());
    open.set(request, { request, begun: performance.now(), isNavigation, isForeign });
  };
  const answer = (response: Response) => {
    const request = response.request();
    const entry = open.get(request);
    if (!entry) return;
    entry.answered = performance.now();
    answers.set(pollKey(request), (answers.get(pollKey(request)) ?? 0) + 1);
    if (isStream(response)) open.delete(request);
    else if (!entry.isNavigation) data ??= watchData(page);
  };
  const end = (request: Request) => {
    const entry = open.get(request);
    if (!entry) return;
    open.delete(request);
    if (!ignores(request)) lastEnd = performance.now();
    wake();
  };
  const listed = (keep: (entry: OpenRequest, age: number) => boolean) => {
    const now = performance.now();
    const entries = [...open.values()].filter((entry) => keep(entry, now - entry.begun));
    return entries.map(({ request }) => request).filter((request) => !ignores(request));
  };
  page.on('request', begin).on('response', answer).on('requestfinished', end).on('requestfailed', end);
  return {
    awaited: (isLoading) => listed((entry, age) => isAwaited(entry, age, isLoading, data?.last())),
    overdue: () => listed((entry, age) => !entry.answered && !isForeignScript(entry) && !isAwaited(entry, age, false)),
    quietMs: () => performance.now() - lastEnd,
    async nextEnd(limitMs) {
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      const timer = setTimeout(resolve, limitMs);
      await promise;
      clearTimeout(timer);
    },
    [Symbol.dispose]() {
      page.off('request', begin).off('response', answer).off('requestfinished', end).off('requestfailed', end);
      data?.stop();
      wake();
    },
  };
}

function isAwaited(entry: OpenRequest, age: number, isLoading: boolean, lastData = 0): boolean {
  const { request, answered, isNavigation, isForeign } = entry;
  if (isNavigation) return true;
  if (answered !== undefined) return performance.now() - Math.max(answered, lastData) < UNREAD_BODY_MS;
  if (isLoading) return true;
  if (isForeignScript(entry)) return age < FOREIGN_SCRIPT_MS;
  // What is sent to the site itself has an outcome that the page has to show.
  return (!isForeign && !isSafe(request)) || age < PATIENCE_MS;
}

const isForeignScript = ({ request, isForeign }: OpenRequest) => isForeign && request.resourceType() === 'script';
const isSafe = (request: Request) => ['GET', 'HEAD', 'OPTIONS'].includes(request.method());

interface DataWatch {
  /** When data of any answer arrived last. */
  last(): number;
  stop(): void;
}

function watchData(page: Page): DataWatch {
  let last = performance.now();
  const note = () => {
    last = performance.now();
  };
  // A page that is closed or has crashed receives nothing.
  const session = pageSession(page).catch(() => undefined);
  void session.then((open) =>
    open
      ?.on('Network.dataReceived', note)
      .send('Network.enable')
      .catch(() => {}),
  );
  return {
    last: () => last,
    stop: () =>
      void session.then((open) =>
        open
          ?.off('Network.dataReceived', note)
          .send('Network.disable')
          .catch(() => {}),
      ),
  };
}

function isStream(response: Response): boolean {
  return /event-stream|x-mixed-replace|ndjson|json-seq/i.test(response.headers()['content-type'] ?? '');
}

/** Polls differ in a time or a counter at most: long numbers are left out. */
function pollKey(request: Request): string {
  return `${request.method()} ${request.url().replace(/\d{8,}/g, '')} ${request.postData() ?? ''}`;
}

/** The last two labels of the host name, or its address. Sites below a public suffix like `co.uk` count as one. */
function siteOf(url: string): string {
  const host = URL.parse(url)?.hostname ?? '';
  return /^[\d.]+$|:/.test(host) ? host : host.split('.').slice(-2).join('.');
}
