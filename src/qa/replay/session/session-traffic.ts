import type { BrowserContext, Download, Page, Request } from 'playwright-core';
import { requestFrame } from '../../../platform/page/settle/request-frame.ts';
import type { UsageMeter } from '../../runs/usage-meter.ts';
import { isSameSite } from '../../scan/start-url.ts';
import { pathWithin } from '../../scripts/model/script-steps.ts';

/** A request that a page sent. */
export interface SentRequest {
  method: string;
  /** Without the origin, if that is the site's own. */
  path: string;
  /** 0 if it failed; UNANSWERED until there is a response, and for ever if the page aborted it. */
  status: number;
  /** The request opens a page: no resource of a page, and no frame. */
  opensPage: boolean;
}

/** A download that a page started. */
interface DownloadedResponse {
  name: string;
  /** What it begins with: nothing where it is empty, undefined where it did not arrive. */
  beginning: Promise<string | undefined>;
}

const UNANSWERED = -1;
/** What takes longer to arrive is given up. */
const ARRIVES_WITHIN_MS = 10_000;

export interface SessionTraffic {
  /** In the order in which they were sent. */
  sent: SentRequest[];
  /** Called before something is done on a page. */
  startStep(): void;
  /** What was sent since then. */
  sentInStep(): readonly SentRequest[];
  /** Texts of alerts since then. */
  dialogTexts(): readonly string[];
  /** Downloads that were started since then. */
  downloads(): readonly DownloadedResponse[];
  /** Server errors of the site and uncaught errors of its pages. */
  failures: string[];
  /** Waits until what the page has asked the site for is answered. A page at rest costs one look. */
  waitForResponses(page: Page, limitMs: number): Promise<void>;
}

/** What may still change a page or go wrong. Streams and beacons never end. */
const awaitedResourceTypes = ['document', 'xhr', 'fetch', 'script', 'stylesheet'];

/** Notes what the pages of a context ask for, from the moment it is sent, and what comes of it. */
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
    // What a page breaks off by leaving is no failure of the site.
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
        // What the page had sent before this is answered is known after it.
        await page.evaluate(() => undefined).catch(() => {});
        const left = until - Date.now();
        if (pending.size === 0) return;
        // What takes longer than anybody waits is not waited for again.
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

/** Nothing of it is kept. */
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
  // Only a window that is just being opened has no frame yet.
  return request.isNavigationRequest() && (requestFrame(request)?.parentFrame() ?? null) === null;
}
