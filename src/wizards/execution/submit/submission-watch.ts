import type { BrowserContext, Page, Request } from 'playwright-core';
import { requestFrame } from '../../../platform/page/settle/request-frame.ts';

/** Watches the requests since the last page of a form was submitted. */
export interface SubmissionWatch {
  /** Starts the watch: every later request may be the submission. */
  begin(): void;
  /** A request was sent that may be the submission. */
  mayHaveLeft(): boolean;
  /** The number of such requests without a response. */
  openRequests(): number;
  /** How the site rejected such a request, if it did, whatever the page shows. */
  refusal(): string | undefined;
}

export function watchSubmission(context: BrowserContext): SubmissionWatch {
  let hasBegun = false;
  let hasLeft = false;
  const open = new Set<Request>();
  /** Keyed by address, because a failed request may be sent again. */
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

/** A form is sent as a document or by a script, also by GET; beacons for analytics do not count. */
const mayCarry = (request: Request) => ['document', 'xhr', 'fetch'].includes(request.resourceType());

/**
 * Whether a script sent the request to the host of the page: failures of third-party requests do not concern the form.
 */
function isOfSite(request: Request): boolean {
  if (request.isNavigationRequest()) return false;
  return URL.parse(request.url())?.host === URL.parse(requestFrame(request)?.url() ?? '')?.host;
}
