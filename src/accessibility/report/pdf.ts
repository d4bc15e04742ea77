import type { Browser } from 'playwright-core';

/** The report on paper: tagged, so that it can be read aloud, with its headings as an outline. Nothing is loaded or run. */
export async function renderPdf(html: string, browser: Browser): Promise<Uint8Array> {
  const context = await browser.newContext({ javaScriptEnabled: false, offline: true });
  try {
    const page = await context.newPage();
    await page.setContent(html, { waitUntil: 'load' });
    return await page.pdf({
      format: 'A4',
      tagged: true,
      outline: true,
      printBackground: true,
      preferCSSPageSize: true,
    });
  } finally {
    await context.close();
  }
}
