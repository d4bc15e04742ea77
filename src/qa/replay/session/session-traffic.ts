import type { BrowserContext, Download, Page, Request } from 'playwright-core';
import { requestFrame } from '../../../platform/page/settle/request-frame.ts';
import type { UsageMeter } from '../../runs/usage-meter.ts';
import { isSameSite } from '../../scan/start-url.ts';
import { pathWithin } from '../../scripts/model/script-steps.ts';

/** A request that a page sent. */
export interface SentRequest {
  method: string;
  /** Without the origin if it is the origin of the site. */
  path: string;
  /** 0 if it failed; UNANSWERED until there is a response, and for ever if the page aborted it. */
  status: number;
  /** The request opens a page: no resource of a page, and no frame. */
  opensPage: boolean;
}

/** A download that a page started. */
interface DownloadedResponse {
  name: string;
  /** The first bytes. Empty for an empty file, undefined if the file did not arrive. */
  beginning: Promise<string | undefined>;
}

const UNANSWERED = -1;
/** A longer download is abandoned. */
const ARRIVES_WITHIN_MS = 10_000;

export interface SessionTraffic {
  /** In the order in which they were sent. */
  sent: SentRequest[];
  /** Called before each action on a page. */
  startStep(): void;
  /** Requests that were sent since then. */
  sentInStep(): readonly SentRequest[];
  /** Texts of alerts since then. */
  dialogTexts(): readonly string[];
  /** Downloads that were started since then. */
  downloads(): readonly DownloadedResponse[];
  /** Server errors of the site and uncaught errors of its pages. */
  failures: string[];
  /** Waits until the site has answered the requests of the page. Returns at once if none is pending. */
  waitForResponses(page: Page, limitMs: number): Promise<void>;
}

/** Types of resources that may still change a page or fail. Streams and beacons never end. */
const awaitedResourceTypes = ['document', 'xhr', 'fetch', 'script', 'stylesheet'];

/** Records the requests of the pages of a context and their results. */
export function recordTraffic(
  context: BrowserContext,
  { baseUrl, meter }: { baseUrl: string; meter: UsageMeter },
): SessionTraffic {
  const base = new URL(baseUrl);
  const sent: SentRequest[] = [];
  const failures: string[] = [];
  const entries = new WeakMap<Request, SentRequest>();
  const pending = new Set<Request>();
  let wake = () => {};
  let begun = 0;
  let spoken: string[] = [];
  let downloads: DownloadedResponse[] = [];

  context.on('request', (request) => {
    const one = {
      method: request.method(),
      path: pathWithin(request.url(), baseUrl),
      status: UNANSWERED,
      opensPage: opensPage(request),
    };
    entries.set(request, one);
    sent.push(one);
    if (request.resourceType() === 'document') meter.pages++;
    if (awaitedResourceTypes.includes(request.resourceType()) && isSameSiteRequest(base, request)) pending.add(request);
  });
  const answer = (request: Request, status: number) => {
    const one = entries.get(request);
    if (one) one.status = status;
  };
  const end = (request: Request) => {
    pending.delete(request);
    if (pending.size === 0) wake();
  };
  context.on('response', (response) => {
    const [request, status] = [response.request(), response.status()];
    answer(request, status);
    if (status >= 500 && isSameSiteRequest(base, request))
      failures.push(`${request.method()} ${pathWithin(request.url(), baseUrl)} was answered with ${status}`);
  });
  context.on('requestfinished', end);
  context.on('requestfailed', (request) => {
    // A request that a navigation aborts is no failure of the site.
    if (!/ERR_ABORTED/.test(request.failure()?.errorText ?? '')) answer(request, 0);
    end(request);
  });
  // The page watcher closes the dialogs.
  context.on('dialog', (dialog) => {
    if (dialog.type() === 'alert') spoken.push(dialog.message());
  });
  context.on('download', (download) => {
    downloads.push({ name: download.suggestedFilename(), beginning: readBeginning(download) });
  });
  context.on('weberror', (error) => failures.push(`Error in the page: ${error.error().message}`));

  return {
    sent,
    failures,
    startStep() {
      begun = sent.length;
      spoken = [];
      downloads = [];
    },
    dialogTexts: () => spoken,
    downloads: () => downloads,
    sentInStep: () => sent.slice(begun),
    async waitForResponses(page, limitMs) {
      const until = Date.now() + limitMs;
      for (;;) {
        // Requests that the page sent earlier are known after this response.
        await page.evaluate(() => undefined).catch(() => {});
        const left = until - Date.now();
        if (pending.size === 0) return;
        // A request that exceeded the limit once is not waited for again.
        if (left <= 0) return pending.clear();
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, left);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    },
  };
}

/** The content is discarded. */
async function readBeginning(download: Download): Promise<string | undefined> {
  const givingUp = setTimeout(() => void download.cancel().catch(() => {}), ARRIVES_WITHIN_MS);
  try {
    const chunks: AsyncIterable<Buffer> = await download.createReadStream();
    for await (const chunk of chunks) return chunk.subarray(0, 2000).toString();
    return '';
  } catch {
    return undefined;
  } finally {
    clearTimeout(givingUp);
    await download.delete().catch(() => {});
  }
}

function isSameSiteRequest(base: URL, request: Request): boolean {
  const url = URL.parse(request.url());
  return url !== null && isSameSite(base, url);
}

function opensPage(request: Request): boolean {
  // Only a window that is being opened has no frame yet.
  return request.isNavigationRequest() && (requestFrame(request)?.parentFrame() ?? null) === null;
}
