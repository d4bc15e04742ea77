import type { Page } from 'playwright-core';

/** Time after which a page without any response counts as stuck, for example in an endless script. */
const STUCK_MS = 15_000;

/** The page of a discovery no longer responds. */
export class PageStuckError extends Error {}

/**
 * Returns the work, or throws `PageStuckError` when the page has not responded for `limitMs`: many page operations wait without
 * a limit. The duration of the work itself does not matter.
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
    // A page that navigates or was closed is not stuck.
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
