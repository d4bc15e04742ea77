import { setTimeout as pause } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { maskPrivateText } from '../../../platform/page/capture/private-text.ts';
import { takeScreenshot } from '../../../platform/page/capture/screenshot.ts';
import type { ReplaySession } from './replay-session.ts';

const TIMEOUT_MS = 5000;
const TRIES = 3;
/** To read, compress and store a picture costs more than to render the page; half the width costs two thirds. */
const SMALL_SCALE = 0.5;

/** Captures the viewport with the secrets of the project masked; undefined if that fails. */
export async function captureSessionScreenshot(
  session: ReplaySession,
  { small = false } = {},
): Promise<Uint8Array | undefined> {
  try {
    const { source, alone } = session.privateText;
    const hasNone = source === '' && alone.length === 0;
    const picture = await (hasNone ? captureOnce(session, small, []) : captureMasked(session, small));
    if (picture) session.meter.screenshots++;
    return picture;
  } catch {
    return undefined;
  }
}

/**
 * A page that keeps changing may show a secret between masking and capture, so all of it is masked. A frame that does not
 * respond cannot be searched, and would block the capture too: then there is no picture.
 */
async function captureMasked(session: ReplaySession, small: boolean): Promise<Uint8Array | undefined> {
  for (let tries = 0; tries < TRIES; tries++) {
    await using covered = await withTimeout(maskPrivateText(session.page(), session.privateText));
    if (!covered) return undefined;
    const isBlack = small && ((await withTimeout(covered.blackOut())) ?? false);
    const picture = await captureOnce(session, small, isBlack ? [] : covered.masks);
    if (await withTimeout(covered.isStillAll())) return picture;
  }
  return captureOnce(session, small, [session.page().locator('html')]);
}

/** A small picture cannot be masked. */
async function captureOnce(session: ReplaySession, small: boolean, masked: readonly Locator[]): Promise<Uint8Array> {
  const page = session.page();
  const picture =
    small && masked.length === 0 && (await withTimeout(captureSmall(session, page)).catch(() => undefined));
  return picture || takeScreenshot(page, { quality: 50, fullForm: false, masked, timeoutMs: TIMEOUT_MS });
}

async function captureSmall(session: ReplaySession, page: Page): Promise<Uint8Array> {
  const cdp = await session.cdpSession(page);
  const { cssVisualViewport: window } = await cdp.send('Page.getLayoutMetrics');
  const { data } = await cdp.send('Page.captureScreenshot', {
    format: 'jpeg',
    quality: 60,
    optimizeForSpeed: true,
    clip: {
      x: window.pageX,
      y: window.pageY,
      width: window.clientWidth,
      height: window.clientHeight,
      scale: SMALL_SCALE,
    },
  });
  return Buffer.from(data, 'base64');
}

async function withTimeout<Result>(work: Promise<Result>): Promise<Result | undefined> {
  const stop = new AbortController();
  const late = pause(TIMEOUT_MS, undefined, { signal: stop.signal }).catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    stop.abort();
  }
}
