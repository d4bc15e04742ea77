import type { BrowserContext, Page, Request, Response, WebSocket } from 'playwright-core';
import { requestFrame } from '../../platform/page/settle/request-frame.ts';
import type { CausedRequest } from './outcome-model.ts';

/** The requests since an action that may carry a submission. */
export interface RequestRecord extends Disposable {
  /** As far as they are known by now; a repeated one counts with its last answer. Waits for the bodies of JSON answers. */
  list(): Promise<CausedRequest[]>;
  /** Something was sent that may be the submission: a request, or a message of a socket. */
  hasSent(): boolean;
  /** The number of requests with unsafe methods that have no answer. */
  openCount(): number;
}

interface Entry {
  request: Request;
  isOfSite: boolean;
  isOpen: boolean;
  hasFailed: boolean;
  response?: Response;
  /** Read when it arrives, because a new document takes the body away. */
  answer?: Promise<unknown>;
}

const MAX_BODY = 1_000_000;
const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS', 'TRACE'];

/** RFC 9110, section 9.2.1. */
export const isSafeMethod = (method: string): boolean => SAFE_METHODS.includes(method.toUpperCase());

/** Records the requests of all pages of a context from now on. Beacons, pictures and scripts carry no submission. */
export function recordRequests(context: BrowserContext): RequestRecord {
  const entries: Entry[] = [];
  let hasSocketSent = false;
  const find = (request: Request) => entries.findLast((entry) => entry.request === request);
  const begin = (request: Request) => {
    if (!['document', 'xhr', 'fetch'].includes(request.resourceType())) return;
    entries.push({ request, isOfSite: isOfSite(request), isOpen: true, hasFailed: false });
  };
  const answer = (response: Response) => {
    const entry = find(response.request());
    if (!entry) return;
    entry.response = response;
    if (/\bjson\b|\+json/i.test(response.headers()['content-type'] ?? '')) entry.answer = readJson(response);
  };
  const end = (request: Request) => {
    const entry = find(request);
    if (entry) entry.isOpen = false;
  };
  const fail = (request: Request) => {
    end(request);
    const entry = find(request);
    // A request that a new document ends has not failed.
    if (entry) entry.hasFailed = !/ERR_ABORTED/.test(request.failure()?.errorText ?? '');
  };
  const noteFrame = () => {
    hasSocketSent = true;
  };
  const watchSocket = (socket: WebSocket) => socket.on('framesent', noteFrame);
  const watchPage = (page: Page) => page.on('websocket', watchSocket);
  for (const page of context.pages()) watchPage(page);
  context.on('page', watchPage).on('request', begin).on('response', answer);
  context.on('requestfinished', end).on('requestfailed', fail);
  return {
    async list() {
      const last = new Map(entries.map((entry) => [`${entry.request.method()} ${entry.request.url()}`, entry]));
      return Promise.all([...last.values()].map(describe));
    },
    hasSent: () => hasSocketSent || entries.length > 0,
    openCount: () => entries.filter(({ isOpen, request }) => isOpen && !isSafeMethod(request.method())).length,
    [Symbol.dispose]() {
      for (const page of context.pages()) page.off('websocket', watchSocket);
      context.off('page', watchPage).off('request', begin).off('response', answer);
      context.off('requestfinished', end).off('requestfailed', fail);
    },
  };
}

const isPageRequest = (request: Request) =>
  request.isNavigationRequest() && (requestFrame(request)?.parentFrame() ?? null) === null;

const isOfSite = (request: Request) =>
  URL.parse(request.url())?.host === URL.parse(requestFrame(request)?.url() ?? '')?.host;

async function readJson(response: Response): Promise<unknown> {
  try {
    const text = await response.text();
    return text.length <= MAX_BODY ? JSON.parse(text) : undefined;
  } catch {
    // The body is gone, or is no JSON.
    return undefined;
  }
}

async function describe({ request, isOfSite: isOwn, hasFailed, response, answer }: Entry): Promise<CausedRequest> {
  const method = request.method();
  return {
    method,
    url: request.url(),
    status: response?.status() ?? 0,
    hasFailed,
    opensPage: isPageRequest(request),
    isRedirected: request.redirectedTo() !== null,
    isOfSite: isOwn,
    sent: isSafeMethod(method) ? (URL.parse(request.url())?.search ?? '') : (request.postData() ?? ''),
    answer: await answer,
  };
}
