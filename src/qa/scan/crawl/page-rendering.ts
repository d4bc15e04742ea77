import type { Page, Response } from 'playwright-core';
import { actAndSettle } from '../../../page/settle/settle.ts';

/** Pages that scripts render pause while they wait for timers or data. */
const QUIET_MS = 350;

/** Waits for pages that scripts render: their markup says little about them. */
export async function waitForRendering(page: Page, response: Response | null, timeoutMs: number): Promise<void> {
  const served = response ? countControlsInMarkup(await response.text().catch(() => '')) : 0;
  const { parts, scripts } = await page.evaluate(countControlsInPage);
  const isMade = response === null || parts > served + 2 || (parts < 3 && scripts > 0);
  if (isMade) await actAndSettle(page, async () => {}, { quietMs: QUIET_MS, timeoutMs });
}

/**
 * Opens a client-side route in the current document. Returns false if nothing changed: then the page must be loaded.
 */
export async function openRoute(page: Page, url: URL, timeoutMs: number): Promise<boolean> {
  const text = () => page.evaluate(() => document.body?.innerText ?? '');
  const before = await text();
  await actAndSettle(page, () => page.goto(url.href, { waitUntil: 'domcontentloaded', timeout: timeoutMs }), {
    quietMs: QUIET_MS,
    timeoutMs,
  });
  return (await text()) !== before;
}

/** Whether only the fragment differs, so that the browser stays in the same document. */
export function isSameDocumentRoute(page: Page, url: URL): boolean {
  const here = URL.parse(page.url());
  return here !== null && url.hash !== '' && url.href.split('#')[0] === here.href.split('#')[0];
}

function countControlsInMarkup(markup: string): number {
  return (
    markup.replaceAll(/<script\b[\s\S]*?<\/script>/gi, '').match(/<(a|button|input|select|textarea)\b/gi)?.length ?? 0
  );
}

function countControlsInPage(): { parts: number; scripts: number } {
  return {
    parts: document.querySelectorAll('a,button,input,select,textarea').length,
    scripts: document.scripts.length,
  };
}
