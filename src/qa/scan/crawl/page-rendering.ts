import type { Page, Response } from 'playwright-core';
import { actAndSettle } from '../../../platform/page/settle/settle.ts';

/** A page that scripts make pauses between its parts, while it waits for a timer or for its data. */
const QUIET_MS = 350;

/** Waits once more where scripts make the page: what the server sent says little of it. */
export async function waitForRendering(page: Page, response: Response | null, timeoutMs: number): Promise<void> {
  const served = response ? countControlsInMarkup(await response.text().catch(() => '')) : 0;
  const { parts, scripts } = await page.evaluate(countControlsInPage);
  const isMade = response === null || parts > served + 2 || (parts < 3 && scripts > 0);
  if (isMade) await actAndSettle(page, async () => {}, { quietMs: QUIET_MS, timeoutMs });
}

/** Goes to a route within the page that is open. False where nothing came of it: then the page must be opened anew. */
export async function openRoute(page: Page, url: URL, timeoutMs: number): Promise<boolean> {
  const text = () => page.evaluate(() => document.body?.innerText ?? '');
  const before = await text();
  await actAndSettle(page, () => page.goto(url.href, { waitUntil: 'domcontentloaded', timeout: timeoutMs }), {
    quietMs: QUIET_MS,
    timeoutMs,
  });
  return (await text()) !== before;
}

/** Whether only the route in the fragment differs, so that the browser would stay in the same document. */
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
