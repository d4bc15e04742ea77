import type { BrowserContext, Frame, Locator, Page, Route } from 'playwright-core';
import { requestFrame } from '../../../platform/page/settle/request-frame.ts';

/** Time for a click to send a request, if it sends one. */
const REQUEST_TIMEOUT_MS = 400;

/**
 * Clicks several times before the first request is answered. The number of requests then depends on the page alone, not on
 * the speed of the site.
 */
export async function clickRepeatedly(
  page: Page,
  locator: Locator,
  { times, timeout }: { times: number; timeout: number },
) {
  await locator.scrollIntoViewIfNeeded({ timeout });
  const box = await locator.boundingBox({ timeout });
  await using answers = await delayResponses(page.context());
  await locator.click({ timeout, noWaitAfter: true });
  for (let count = 2; box && count <= times; count++) {
    await answers.sent(count - 1);
    // Clicks the same position again: a removed button is not waited for.
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down({ clickCount: count });
    await page.mouse.up({ clickCount: count });
  }
  await answers.sent(times);
}

/**
 * Holds back responses to navigations and to requests that may change something, until it is disposed. The request route
 * stays installed afterwards: a browser whose routes change during a navigation may never respond.
 */
async function delayResponses(context: BrowserContext) {
  const end = Promise.withResolvers<void>();
  const delayed: Promise<void>[] = [];
  const leading = new Map<Frame | undefined, Route>();
  let [isOver, wake] = [false, () => {}];
  const delay = async (route: Route): Promise<void> => {
    const request = route.request();
    const leads = request.isNavigationRequest();
    if (isOver || (!leads && /^(GET|HEAD|OPTIONS)$/.test(request.method()))) return route.fallback();
    const frame = requestFrame(request);
    if (leads) leading.set(frame, route);
    // The next click has replaced this navigation.
    const isGone = () => leads && route !== leading.get(frame);
    const answered = end.promise.then(() => (isGone() ? route.abort('aborted') : route.fallback())).catch(() => {});
    delayed.push(answered);
    wake();
    return answered;
  };
  await context.route('**/*', delay);
  return {
    /** Waits until this many requests were sent, or the time is over. */
    async sent(count: number): Promise<void> {
      const enough = Promise.withResolvers<void>();
      const timer = setTimeout(enough.resolve, REQUEST_TIMEOUT_MS);
      wake = () => {
        if (delayed.length >= count) enough.resolve();
      };
      wake();
      await enough.promise;
      clearTimeout(timer);
    },
    async [Symbol.asyncDispose]() {
      isOver = true;
      end.resolve();
      await Promise.all(delayed);
    },
  };
}
