import type { Page, Response } from 'playwright-core';
import { quote } from '../../../platform/errors.ts';
import type { PageReading } from '../../../platform/page/page-model.ts';
import { actAndSettle } from '../../../platform/page/settle/settle.ts';
import { readPage } from '../../../platform/page/snapshot/page-reader.ts';
import { limitBytes } from '../guard/byte-limit.ts';
import { type PageLayout, readPageLayout } from '../read/page-layout.ts';
import { isSameDocumentRoute, openRoute, waitForRendering } from './page-rendering.ts';
import { readPageStructure } from './page-structure.ts';

export interface PageObservation {
  url: string;
  reading: PageReading;
  setting: PageLayout;
  structure: string[];
}

export type VisitResult =
  | ({ outcome: 'seen'; status: number } & PageObservation)
  | { outcome: 'failed' | 'file' | 'away'; reason: string; status: number };

/** A tab for the whole scan; a new one is opened when a page hangs in it. */
export interface ScanTab {
  page(): Page;
  visit(url: string): Promise<VisitResult>;
  observe(): Promise<PageObservation>;
  /** Ends the document that is open, and whatever its scripts remember. */
  closeDocument(): Promise<void>;
}

/** How long one page of a scan is waited for: a short scan has less patience. */
export function pageTimeoutFor(seconds: number): number {
  return Math.min(15_000, Math.max(3_000, seconds * 50));
}

export async function openScanTab(newPage: () => Promise<Page>, origin: string, patienceMs: number): Promise<ScanTab> {
  let page = await newPage();
  let limit = await limitBytes(page.context(), page);
  let closing = Promise.resolve();

  async function renew(): Promise<void> {
    const hung = page;
    page = await newPage();
    limit = await limitBytes(page.context(), page);
    closing = hung.close().catch(() => {});
  }

  async function observe(): Promise<PageObservation> {
    const reading = await readPage(page);
    const [setting, structure] = [await readPageLayout(page), await readPageStructure(page)];
    return { url: reading.url, reading, setting, structure };
  }

  async function open(url: string): Promise<VisitResult> {
    let response: Response | null = null;
    const go = async () => {
      response = await page.goto(url, { waitUntil: 'domcontentloaded', timeout: patienceMs });
    };
    const target = new URL(url);
    try {
      const isThere = isSameDocumentRoute(page, target) && (await openRoute(page, target, patienceMs));
      // From an empty page even a route within the same document is loaded afresh.
      if (!isThere && target.hash !== '') await page.goto('about:blank');
      if (!isThere) await actAndSettle(page, go, { timeoutMs: patienceMs });
      if (!isThere && isHtml(response)) await waitForRendering(page, response, patienceMs);
    } catch (error) {
      if (page.context().browser()?.isConnected() === false) throw error;
      return { outcome: isDownload(error) ? 'file' : 'failed', reason: failureReason(error), status: 0 };
    }
    const { status, type } = responseFacts(response);
    if (URL.parse(page.url())?.origin !== origin)
      return { outcome: 'away', reason: 'it leads to another site', status };
    if (status >= 400) return { outcome: 'failed', reason: `it answers with ${status}`, status };
    if (!isHtml(response)) return { outcome: 'file', reason: `it is ${quote(type, 60)}`, status };
    return { outcome: 'seen', status, ...(await observe()) };
  }

  /** A page whose script never ends answers nothing, and one that never ends is not waited for. */
  async function openInTime(url: string): Promise<VisitResult> {
    const late = Promise.withResolvers<VisitResult>();
    const giveUp = (reason: string) => late.resolve({ outcome: 'failed', reason, status: 0 });
    void limit.exceeded().then(() => giveUp('it is too big to be read'));
    const timer = setTimeout(() => giveUp('it does not answer in time'), patienceMs * 2);
    const work = open(url);
    try {
      return await Promise.race([late.promise, work]);
    } finally {
      clearTimeout(timer);
      work.catch(() => {});
    }
  }

  return {
    page: () => page,
    observe,
    async closeDocument() {
      const isGone = await page.goto('about:blank', { timeout: patienceMs }).then(
        () => true,
        () => false,
      );
      if (isGone) return;
      await renew();
      await closing;
    },
    async visit(url) {
      const visited = await openInTime(url);
      if (visited.outcome === 'failed' && visited.status === 0) await renew();
      return visited;
    },
  };
}

function responseFacts(response: Response | null): { status: number; type: string } {
  return { status: response?.status() ?? 200, type: response?.headers()['content-type'] ?? '' };
}

function isHtml(response: Response | null): boolean {
  return /html|^$/.test(responseFacts(response).type);
}

function isDownload(error: unknown): boolean {
  return error instanceof Error && /Download is starting/.test(error.message);
}

function failureReason(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  const network = /net::ERR_[A-Z_]+/.exec(message)?.[0];
  if (network) return `the browser says ${network}`;
  return /Timeout/.test(message) ? 'it does not answer in time' : 'the browser cannot open it';
}
