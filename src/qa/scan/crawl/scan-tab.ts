import type { Page, Response } from 'playwright-core';
import { actAndSettle } from '../../../page/settle/settle.ts';
import { quote } from '../../../platform/errors.ts';
import type { PageReading } from '../../../platform/page/page-model.ts';
import { readPage } from '../../../platform/page/snapshot/page-reader.ts';
import { limitBytes } from '../guard/byte-limit.ts';
import { type PageLayout, readPageLayout } from '../read/page-layout.ts';
import { isSameDocumentRoute, openRoute, waitForRendering } from './page-rendering.ts';
import { readPageStructure } from './page-structure.ts';

export interface ScannedPage {
  url: string;
  reading: PageReading;
  setting: PageLayout;
  structure: string[];
}

export type TabVisitResult =
  | ({ outcome: 'seen'; status: number } & ScannedPage)
  | { outcome: 'failed' | 'file' | 'away'; reason: string; status: number };

/** The tab of a scan. It is replaced when a page hangs. */
export interface ScanTab {
  page(): Page;
  visit(url: string): Promise<TabVisitResult>;
  observe(): Promise<ScannedPage>;
  /** Replaces the document by an empty one, which ends its scripts. */
  closeDocument(): Promise<void>;
}

/** Timeout per page in milliseconds: 5% of the limit of the scan, 3 to 15 seconds. */
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

  async function observe(): Promise<ScannedPage> {
    const reading = await readPage(page);
    const [setting, structure] = [await readPageLayout(page), await readPageStructure(page)];
    return { url: reading.url, reading, setting, structure };
  }

  async function open(url: string): Promise<TabVisitResult> {
    let response: Response | null = null;
    const go = async () => {
      response = await page.goto(url, { waitUntil: 'domcontentloaded', timeout: patienceMs });
    };
    const target = new URL(url);
    try {
      const isThere = isSameDocumentRoute(page, target) && (await openRoute(page, target, patienceMs));
      // An empty page in between forces a reload of a route in the same document.
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

  /** Gives up on pages that hang or never end. */
  async function openInTime(url: string): Promise<TabVisitResult> {
    const late = Promise.withResolvers<TabVisitResult>();
    const giveUp = (reason: string) => late.resolve({ outcome: 'failed', reason, status: 0 });
    void limit.exceeded().then(() => giveUp('it is too large'));
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
  if (network) return `the browser reports ${network}`;
  return /Timeout/.test(message) ? 'it does not answer in time' : 'the browser cannot open it';
}
