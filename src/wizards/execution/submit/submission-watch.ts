import type { BrowserContext, Page, Request } from 'playwright-core';
import { requestFrame } from '../../../platform/page/settle/request-frame.ts';

/** What may have left the browser since the last page of a form was sent. */
export interface SubmissionWatch {
  /** From now on, what leaves may be the form. */
  begin(): void;
  /** Something left that may be the form. */
  mayHaveLeft(): boolean;
  /** How much of it the site has not answered yet. */
  openRequests(): number;
  /** How the site refused some of it, if it did, whatever the page makes of that. */
  refusal(): string | undefined;
}

export function watchSubmission(context: BrowserContext): SubmissionWatch {
  let hasBegun = false;
  let hasLeft = false;
  const open = new Set<Request>();
  /** By address, since what failed once may have been sent again. */
  const refusals = new Map<string, string>();
  const leaves = () => {
    if (hasBegun) hasLeft = true;
  };
  const watchSockets = (page: Page) => page.on('websocket', (socket) => socket.on('framesent', leaves));
  for (const page of context.pages()) watchSockets(page);
  context
    .on('page', watchSockets)
    .on('request', (request) => {
      if (!hasBegun || !mayCarry(request)) return;
      hasLeft = true;
      if (!isWriting(request)) return;
      open.add(request);
      refusals.delete(request.url());
    })
    .on('response', (response) => {
      const request = response.request();
      if (!open.has(request) || response.status() < 400 || !isOfSite(request)) return;
      refusals.set(request.url(), `a response with HTTP status ${response.status()}`);
    })
    .on('requestfinished', (request) => void open.delete(request))
    .on('requestfailed', (request) => {
      const isOver = request.failure()?.errorText === 'net::ERR_ABORTED';
      if (open.delete(request) && !isOver && isOfSite(request))
        refusals.set(request.url(), 'a request without a response');
    });
  return {
    begin: () => {
      hasBegun = true;
    },
    mayHaveLeft: () => hasLeft,
    openRequests: () => open.size,
    refusal: () => refusals.values().next().value,
  };
}

const isWriting = (request: Request) => !['GET', 'HEAD', 'OPTIONS'].includes(request.method());

/** A form is sent as a document or by a script, by GET too; what is only told to those who count visitors is none. */
const mayCarry = (request: Request) => ['document', 'xhr', 'fetch'].includes(request.resourceType());

/** By a script, to the host of the page: what others count fails now and then, and is no concern of the form's. */
function isOfSite(request: Request): boolean {
  if (request.isNavigationRequest()) return false;
  return URL.parse(request.url())?.host === URL.parse(requestFrame(request)?.url() ?? '')?.host;
}
