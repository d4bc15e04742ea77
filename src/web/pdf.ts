import type { BrowserPool } from '../platform/browser/browser-pool.ts';

/** A page on paper: tagged, so that it can be read aloud, with its headings as an outline. Nothing is loaded or run. */
export async function renderPdf(html: string, browsers: BrowserPool, signal?: AbortSignal): Promise<Uint8Array> {
  await using opened = await browsers.open({
    allowedPrivateAddresses: undefined,
    ...(signal && { signal }),
    options: { javaScriptEnabled: false, offline: true },
  });
  const page = await opened.context.newPage();
  await page.setContent(html, { waitUntil: 'load' });
  // Awaited here: the context is closed on return.
  return await page.pdf({ format: 'A4', tagged: true, outline: true, printBackground: true, preferCSSPageSize: true });
}
