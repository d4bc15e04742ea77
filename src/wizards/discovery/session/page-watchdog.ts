import type { Page } from 'playwright-core';

/** So long a page may leave the simplest question unanswered. A script that never ends leaves it so for ever. */
const STUCK_MS = 15_000;

/** The page of a discovery answers nothing any more. */
export class PageStuckError extends Error {}

/**
 * The work, or `PageStuck` as soon as the page has not answered for a while: much of what is asked of a page waits for it
 * without a limit. How long the work itself takes does not matter.
 */
export async function rejectIfPageHangs<Value>(
  page: () => Page,
  work: Promise<Value>,
  limitMs: number = STUCK_MS,
): Promise<Value> {
  const { promise: stuck, reject } = Promise.withResolvers<never>();
  stuck.catch(() => {});
  let timer: NodeJS.Timeout | undefined;
  const after = (ms: number, next: () => void) => {
    timer = setTimeout(next, ms);
  };
  let isOver = false;
  const ask = () => {
    after(limitMs, () => reject(new PageStuckError()));
    const again = () => {
      clearTimeout(timer);
      if (!isOver) after(limitMs / 3, ask);
    };
    // A page that is on its way to another one, or closed, is not stuck.
    void answerOf(page).then(again, again);
  };
  after(limitMs / 3, ask);
  try {
    return await Promise.race([work, stuck]);
  } finally {
    isOver = true;
    clearTimeout(timer);
  }
}

async function answerOf(page: () => Page): Promise<unknown> {
  return page().evaluate('1');
}
