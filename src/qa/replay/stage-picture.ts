import { setTimeout as pause } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { takePicture } from '../../platform/page/picture.ts';
import { coverPrivate } from '../../platform/page/private-text.ts';
import type { Stage } from './stage.ts';

const TIMEOUT_MS = 5000;
const TRIES = 3;
/** What is read back, squeezed and stored of a picture costs more than the page itself: one of half the width costs two thirds. */
const SMALL = 0.5;

/** What the window shows, without the secrets of the project, whoever wrote them there. None where that fails. */
export async function pictureOf(stage: Stage, { small = false } = {}): Promise<Uint8Array | undefined> {
  try {
    const { source, alone } = stage.hidden;
    const hasNone = source === '' && alone.length === 0;
    const picture = await (hasNone ? shot(stage, small, []) : coveredShot(stage, small));
    if (picture) stage.meter.screenshots++;
    return picture;
  } catch {
    return undefined;
  }
}

/**
 * A page that goes on changing may show a secret in the moment between: then all of it is covered. A frame that is busy for
 * ever does not say what it shows, and a picture would wait for it as well: then there is none.
 */
async function coveredShot(stage: Stage, small: boolean): Promise<Uint8Array | undefined> {
  for (let tries = 0; tries < TRIES; tries++) {
    await using covered = await inTime(coverPrivate(stage.page(), stage.hidden));
    if (!covered) return undefined;
    const isBlack = small && ((await inTime(covered.blackOut())) ?? false);
    const picture = await shot(stage, small, isBlack ? [] : covered.masks);
    if (await inTime(covered.isStillAll())) return picture;
  }
  return shot(stage, small, [stage.page().locator('html')]);
}

/** A small one cannot be masked. */
async function shot(stage: Stage, small: boolean, masked: readonly Locator[]): Promise<Uint8Array> {
  const page = stage.page();
  const picture = small && masked.length === 0 && (await inTime(capture(stage, page)).catch(() => undefined));
  return picture || takePicture(page, { quality: 50, fullForm: false, masked, timeoutMs: TIMEOUT_MS });
}

async function capture(stage: Stage, page: Page): Promise<Uint8Array> {
  const session = await stage.session(page);
  const { cssVisualViewport: window } = await session.send('Page.getLayoutMetrics');
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'jpeg',
    quality: 60,
    optimizeForSpeed: true,
    clip: { x: window.pageX, y: window.pageY, width: window.clientWidth, height: window.clientHeight, scale: SMALL },
  });
  return Buffer.from(data, 'base64');
}

async function inTime<Result>(work: Promise<Result>): Promise<Result | undefined> {
  const stop = new AbortController();
  const late = pause(TIMEOUT_MS, undefined, { signal: stop.signal }).catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    stop.abort();
  }
}
