import type { Page } from 'playwright-core';

/** Whether nothing changes in a page and its frames for so long, and until each of them was drawn once more. */
export async function isPageStill(page: Page, forMs: number): Promise<boolean> {
  const frames = page.frames().slice(0, 10);
  const still = await Promise.all(frames.map((frame) => frame.evaluate(stillInPage, forMs).catch(() => false)));
  return still.every(Boolean);
}

/** In the page. What is animated changes before each drawing, however seldom a busy machine draws. */
function stillInPage(forMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isStill: boolean) => {
      observer.disconnect();
      clearTimeout(late);
      resolve(isStill);
    };
    let waitedFor = 2;
    const pass = () => {
      waitedFor--;
      if (waitedFor === 0) end(true);
    };
    setTimeout(pass, forMs);
    requestAnimationFrame(() => setTimeout(pass, 0));
    // What is out of sight is not drawn at all.
    const late = setTimeout(end, forMs + 250, true);
    const observer = new MutationObserver(() => end(false));
    const what = { childList: true, subtree: true, attributes: true, characterData: true };
    observer.observe(document, what);
    for (const element of document.querySelectorAll('*'))
      if (element.shadowRoot) observer.observe(element.shadowRoot, what);
  });
}
