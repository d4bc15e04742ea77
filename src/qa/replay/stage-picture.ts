import { setTimeout as pause } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { locate } from '../../platform/page/ladder.ts';
import { takePicture } from '../../platform/page/picture.ts';
import type { Stage } from './stage.ts';

const TIMEOUT_MS = 5000;
/** What is read back, squeezed and stored of a picture costs more than the page itself: one of half the width costs two thirds. */
const SMALL = 0.5;

/** What the window shows, without the secrets that were entered, wherever the page repeats them. None where that fails. */
export async function pictureOf(stage: Stage, { small = false } = {}): Promise<Uint8Array | undefined> {
  const page = stage.page();
  const secrets = secretsOn(page, stage);
  try {
    const picture =
      (small && (await smallPicture(stage, page, secrets))) ||
      (await takePicture(page, { quality: 50, fullForm: false, masked: secrets, timeoutMs: TIMEOUT_MS }));
    stage.meter.screenshots++;
    return picture;
  } catch {
    return undefined;
  }
}

function secretsOn(page: Page, { entered: { values, rungs } }: Stage): Locator[] {
  return [
    ...rungs.map((rung) => locate(page, rung)),
    ...[...values].flatMap((value) => [page.getByText(value), page.locator(`[value=${JSON.stringify(value)}]`)]),
  ];
}

/** Undefined where something must be masked, before it was taken or after it, or where it fails: that is not for this way. */
async function smallPicture(stage: Stage, page: Page, secrets: readonly Locator[]): Promise<Uint8Array | undefined> {
  const [first, ...others] = secrets;
  const anySecret = others.reduce<Locator | undefined>((any, one) => any?.or(one), first);
  const isSeen = async () => anySecret !== undefined && (await anySecret.count()) > 0;
  if (await isSeen()) return undefined;
  const picture = await inTime(capture(stage, page)).catch(() => undefined);
  return picture && !(await isSeen()) ? picture : undefined;
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
