import type { Page } from 'playwright-core';
import { takeMaskedScreenshot } from '../../../platform/page/capture/private-text.ts';
import type { PageEvent } from '../../../platform/page/settle/page-events.ts';
import { takeWithinBytes } from '../../../platform/text/byte-limit.ts';
import { type DiscoverySession, sessionPage } from '../session/discovery-session.ts';
import { type HtmlContextEntry, listPageElements, toHtmlContext } from './page-elements.ts';
import { maskedLocators, redactSecrets, toPrivateText } from './typed-secrets.ts';

const SCREENSHOT_MS = 10_000;
const MAX_EVENTS = 10;
/** federalscout_get_page_info lists the controls that do not fit. */
const MAX_CONTEXT_BYTES = 30_000;

/** Shows a screenshot with the response. Returns what the response contains for it. */
export type AttachScreenshot = (discoveryId: string, jpeg: Buffer) => string;

export interface PageView {
  screenshot: string;
  current_url: string;
  html_context: HtmlContextEntry[];
}

/** The state of the page that the agent gets after each step. */
export async function capturePageView(session: DiscoverySession, show: AttachScreenshot): Promise<PageView> {
  const page = sessionPage(session);
  const screenshot = await captureDiscoveryScreenshot(session, page, show);
  const seen = {
    current_url: page.url(),
    html_context: takeWithinBytes(toHtmlContext(await listPageElements(page)), MAX_CONTEXT_BYTES),
  };
  return { screenshot, ...redactSecrets(session, seen) };
}

/** Shows a screenshot with passwords and values of private fields masked. */
export async function captureDiscoveryScreenshot(
  { id, secrets }: Pick<DiscoverySession, 'id' | 'secrets'>,
  page: Page,
  show: AttachScreenshot,
): Promise<string> {
  const options = { masked: maskedLocators(page, secrets), timeoutMs: SCREENSHOT_MS };
  const { picture } = await takeMaskedScreenshot(page, toPrivateText(secrets), options);
  return show(id, picture);
}

/** A screenshot for an error, or null if the page is blank or closed. */
export async function captureScreenshotOrNull(
  session: Pick<DiscoverySession, 'id' | 'secrets'>,
  page: Page,
  show: AttachScreenshot,
): Promise<string | null> {
  if (page.isClosed() || /^(?:about:blank|chrome-error:)/.test(page.url())) return null;
  return captureDiscoveryScreenshot(session, page, show).catch(() => null);
}

/** Dialogs, downloads, new tabs and crashes as the end of a message. Script errors of the page are left out. */
export function describeBrowserEvents(happenings: readonly PageEvent[]): string {
  const words = happenings.filter(({ kind }) => ['dialog', 'download', 'new-tab', 'crash'].includes(kind));
  const texts = [...new Set(words.map(({ text }) => text))];
  const more = texts.length > MAX_EVENTS ? ` And ${texts.length - MAX_EVENTS} more.` : '';
  return (
    texts
      .slice(0, MAX_EVENTS)
      .map((text) => ` ${text}`)
      .join('') + more
  );
}
