import type { Locator, Page, PageScreenshotOptions } from 'playwright-core';
import { awaitWithin } from '../settle/time-limit.ts';

export interface ScreenshotOptions {
  /** JPEG quality to begin with, 1 to 100. */
  quality?: number;
  /** What must not be seen. If it cannot be masked, no picture is taken. */
  masked?: readonly Locator[];
  mostBytes?: number;
  /** The whole page rather than what the window shows. */
  fullForm?: boolean;
  timeoutMs?: number;
}

const MOST_BYTES = 100_000;
const MOST_HEIGHT = 6_000;
const LEAST_QUALITY = 20;

/** A JPEG of the page, at most about as big as asked: first worse, then smaller, then only its upper part. */
export async function takeScreenshot(page: Page, options: ScreenshotOptions = {}): Promise<Buffer> {
  const { quality = 80, masked = [], mostBytes = MOST_BYTES, fullForm = true, timeoutMs = 10_000 } = options;
  const height = fullForm ? ((await awaitWithin(fullHeight(page), timeoutMs)) ?? 0) : 0;
  const shoot = (worse: number, scale: number) =>
    screenshot(page, {
      type: 'jpeg',
      quality: worse,
      mask: [...masked],
      maskColor: '#444444',
      animations: 'disabled',
      timeout: timeoutMs,
      ...(height > 0 && { fullPage: true }),
      ...(height > MOST_HEIGHT && {
        clip: { x: 0, y: 0, width: page.viewportSize()?.width ?? 1280, height: Math.round(MOST_HEIGHT * scale) },
      }),
    });
  let picture = await shoot(clamp(quality), 1);
  for (const [worse, scale] of steps(clamp(quality), height > MOST_HEIGHT)) {
    if (picture.length <= mostBytes) return picture;
    picture = await shoot(worse, scale);
  }
  if (picture.length <= mostBytes || height === 0) return picture;
  return smallest(page, options);
}

const TRIES = 3;

/** A browser that is just giving a page another surface has nothing to take a picture of, and says so. */
async function screenshot(page: Page, options: PageScreenshotOptions): Promise<Buffer> {
  for (let tries = 1; ; tries++)
    try {
      return await page.screenshot(options);
    } catch (error) {
      if (tries === TRIES || !/Unable to capture screenshot/.test(String(error))) throw error;
    }
}

/** A page so long and busy that even a bad picture of it is too big: what the window shows. */
async function smallest(
  page: Page,
  { masked = [], mostBytes = MOST_BYTES, timeoutMs = 10_000 }: ScreenshotOptions,
): Promise<Buffer> {
  return takeScreenshot(page, { quality: 50, masked, mostBytes, fullForm: false, timeoutMs });
}

function steps(from: number, isCut: boolean): (readonly [number, number])[] {
  const worse = [60, 40, LEAST_QUALITY].filter((quality) => quality < from).map((quality) => [quality, 1] as const);
  return isCut ? [...worse, [LEAST_QUALITY, 0.5]] : worse;
}

function clamp(quality: number): number {
  return Math.min(100, Math.max(1, Math.round(quality)));
}

async function fullHeight(page: Page): Promise<number> {
  const height = await page.evaluate(() => document.documentElement.scrollHeight).catch(() => 0);
  return height > (page.viewportSize()?.height ?? 0) ? height : 0;
}
