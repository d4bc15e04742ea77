import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import type { FindingDetails } from '../output/finding-details.ts';
import { withTimeLimit } from '../time-limits.ts';
import type { AuditTarget } from './audit.ts';

/** Screenshots of elements, in the results folder. */
export const ELEMENTS_FOLDER = 'elements';
const LIMIT_MS = 1_500;
/** Margin around an element in its screenshot, to show its context. */
const MARGIN_PX = 24;

/** Takes screenshots of the first elements of each rule and sets `screenshot` of their findings. */
export async function screenshotElements(auditTarget: AuditTarget, findings: readonly FindingDetails[]): Promise<void> {
  for (const finding of findings) {
    if (!auditTarget.knownFindings.reserveScreenshot(finding.rule)) continue;
    const file = `${ELEMENTS_FOLDER}/${finding.issue_id}.png`;
    if (
      await screenshotElement(
        auditTarget.page,
        finding.selectors,
        join(auditTarget.resultsDir, file),
        auditTarget.resultsDir,
      )
    )
      finding.screenshot = file;
    else auditTarget.knownFindings.releaseScreenshot(finding.rule);
  }
}

/** Returns false instead of throwing: a missing screenshot does not affect the audit. */
async function screenshotElement(page: Page, selectors: string[][], path: string, dir: string): Promise<boolean> {
  const size = page.viewportSize();
  if (!size) return false;
  try {
    const box = await withTimeLimit(LIMIT_MS, 'finding an element', findBox(page, selectors));
    if (!box || box.width < 1 || box.height < 1 || box.height > size.height) return false;
    const x = Math.max(0, box.x - MARGIN_PX);
    const y = Math.max(0, box.y - MARGIN_PX);
    const width = Math.min(size.width, box.x + box.width + MARGIN_PX) - x;
    const height = Math.min(size.height, box.y + box.height + MARGIN_PX) - y;
    if (width < 1 || height < 1) return false;
    await mkdir(join(dir, ELEMENTS_FOLDER), { recursive: true });
    await page.screenshot({
      path,
      timeout: LIMIT_MS,
      animations: 'disabled',
      caret: 'initial',
      clip: { x, y, width, height },
    });
    return true;
  } catch {
    return false;
  }
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Scrolls an element into view and returns its position in the window. */
async function findBox(page: Page, selectors: string[][]): Promise<Box | null> {
  const [inside, ...frames] = selectors.toReversed();
  if (!inside || inside.join() === 'html' || inside.join() === 'body') return null;
  if (frames.length === 0) return page.evaluate(findBoxInPage, inside);
  const element = locateInFrames(page, inside, frames);
  await element.scrollIntoViewIfNeeded({ timeout: LIMIT_MS });
  return element.boundingBox({ timeout: LIMIT_MS });
}

/** Runs in the page. Each selector is searched in the shadow root of the element before. */
function findBoxInPage(path: string[]): Box | null {
  let root: Document | ShadowRoot | null = document;
  let element: Element | null = null;
  for (const selector of path) {
    element = root?.querySelector(selector) ?? null;
    root = element?.shadowRoot ?? null;
  }
  if (!element?.checkVisibility({ checkVisibilityCSS: true })) return null;
  element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x, y, width, height };
}

function locateInFrames(page: Page, inside: string[], frames: string[][]): Locator {
  const frame = frames
    .toReversed()
    .reduce<Page | Frame | ReturnType<Page['frameLocator']>>((from, frame) => from.frameLocator(frame.join(' ')), page);
  const [first = '', ...shadows] = inside;
  return shadows.reduce<Locator>((host, selector) => host.locator(selector), frame.locator(first)).first();
}
