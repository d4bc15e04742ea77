import type { Locator, Page, PageScreenshotOptions } from 'playwright-core';
import { awaitWithin } from '../settle/time-limit.ts';

export interface ScreenshotOptions {
  /** JPEG quality of the first attempt, 1 to 100. */
  quality?: number;
  /** Values to mask. If they cannot be masked, no picture is taken. */
  masked?: readonly Locator[];
  mostBytes?: number;
  /** Captures the whole page instead of the viewport. */
  fullForm?: boolean;
  timeoutMs?: number;
}

/**
 * Width in pixels at which a model still reads a form; the picture costs less than half of one with the width of the
 * viewport.
 */
const MOST_WIDTH = 800;
const MOST_BYTES = 100_000;
const MOST_HEIGHT = 6_000;
const LEAST_QUALITY = 20;
/** JPEG quality of the capture before it is scaled, high enough that its compression is not visible. */
const RAW_QUALITY = 92;
const TRIES = 3;

/**
 * A JPEG of the page, at most `MOST_WIDTH` wide and `mostBytes` long. To fit, quality is reduced, then the lower part
 * is cut.
 */
export async function takeScreenshot(page: Page, options: ScreenshotOptions = {}): Promise<Buffer> {
  const { quality = 80, masked = [], mostBytes = MOST_BYTES, fullForm = true, timeoutMs = 10_000 } = options;
  const height = fullForm ? ((await awaitWithin(fullHeight(page), timeoutMs)) ?? 0) : 0;
  const raw = await screenshot(page, {
    type: 'jpeg',
    quality: RAW_QUALITY,
    mask: [...masked],
    maskColor: '#444444',
    animations: 'disabled',
    timeout: timeoutMs,
    ...(height > 0 && { fullPage: true }),
    ...(height > MOST_HEIGHT && {
      clip: { x: 0, y: 0, width: page.viewportSize()?.width ?? 1280, height: MOST_HEIGHT },
    }),
  });
  const qualities = [clamp(quality), 60, 40, LEAST_QUALITY].filter((each, i) => i === 0 || each < quality);
  return shrink(page, raw, { mostBytes, mostWidth: MOST_WIDTH, qualities }, timeoutMs);
}

/** Whether the browser had no surface to capture, because it is replacing the one of the page. */
async function screenshot(page: Page, options: PageScreenshotOptions): Promise<Buffer> {
  for (let tries = 1; ; tries++)
    try {
      return await page.screenshot(options);
    } catch (error) {
      if (tries === TRIES || !/Unable to capture screenshot/.test(String(error))) throw error;
    }
}

interface PictureLimits {
  mostBytes: number;
  mostWidth: number;
  /** Qualities in percent, best first. */
  qualities: number[];
}

/**
 * Scales and compresses a picture in the browser, in an isolated world that scripts of the page cannot see: a picture
 * also shows frames of other sites. A navigation of the page removes the world.
 */
async function shrink(page: Page, raw: Buffer, limits: PictureLimits, timeoutMs: number): Promise<Buffer> {
  const begun = performance.now();
  for (let tries = 1; tries <= TRIES; tries++) {
    const data = await awaitWithin(shrinkInWorld(page, raw, limits), timeoutMs);
    if (data !== undefined) return Buffer.from(data, 'base64');
    if (performance.now() - begun >= timeoutMs) break;
  }
  throw new Error('the browser did not scale the screenshot');
}

async function shrinkInWorld(page: Page, raw: Buffer, limits: PictureLimits): Promise<string> {
  const session = await page.context().newCDPSession(page);
  try {
    const { frameTree } = await session.send('Page.getFrameTree');
    const world = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id });
    const { result, exceptionDetails } = await session.send('Runtime.callFunctionOn', {
      functionDeclaration: String(shrinkInPage),
      executionContextId: world.executionContextId,
      arguments: [{ value: raw.toString('base64') }, { value: limits }],
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    return String(result.value);
  } finally {
    await session.detach().catch(() => {});
  }
}

/** Runs in the page, without names from outside. */
async function shrinkInPage(base64: string, { mostBytes, mostWidth, qualities }: PictureLimits): Promise<string> {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.codePointAt(0) ?? 0);
  const whole = await createImageBitmap(new Blob([bytes]));
  const scale = Math.min(1, mostWidth / whole.width);
  const width = Math.round(whole.width * scale);

  function draw(height: number): OffscreenCanvas {
    const canvas = new OffscreenCanvas(width, height);
    const brush = canvas.getContext('2d');
    if (!brush) throw new Error('no canvas');
    brush.imageSmoothingQuality = 'high';
    brush.drawImage(whole, 0, 0, whole.width * scale, whole.height * scale);
    return canvas;
  }

  const compress = (canvas: OffscreenCanvas, quality: number) =>
    canvas.convertToBlob({ type: 'image/jpeg', quality: quality / 100 });

  let canvas = draw(Math.max(1, Math.round(whole.height * scale)));
  let picture = new Blob([]);
  for (const quality of qualities) {
    picture = await compress(canvas, quality);
    if (picture.size <= mostBytes) break;
  }
  while (picture.size > mostBytes && canvas.height > 1) {
    canvas = draw(Math.ceil(canvas.height / 2));
    picture = await compress(canvas, qualities.at(-1) ?? 1);
  }
  const url = await new Promise<unknown>((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.readAsDataURL(picture);
  });
  return String(url).replace(/^[^,]*,/, '');
}

function clamp(quality: number): number {
  return Math.min(100, Math.max(1, Math.round(quality)));
}

async function fullHeight(page: Page): Promise<number> {
  const height = await page.evaluate(() => document.documentElement.scrollHeight).catch(() => 0);
  return height > (page.viewportSize()?.height ?? 0) ? height : 0;
}
