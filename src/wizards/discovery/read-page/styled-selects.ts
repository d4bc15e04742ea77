import type { Page } from 'playwright-core';
import { rungToSelector } from '../../../platform/page/locate/rung-selector.ts';
import type { Control, PageReading } from '../../../platform/page/page-model.ts';

/**
 * Marks a select as visible if only its label is. Many pages draw a box of their own over a transparent select, which is the
 * element that gets submitted.
 */
export async function withStyledSelects(page: Page, reading: PageReading): Promise<PageReading> {
  const isCandidate = ({ kind, visible, disabled }: Control) =>
    (kind === 'select' || kind === 'multi-select') && !visible && !disabled;
  if (!reading.controls.some(isCandidate)) return reading;
  const controls = reading.controls.map(async (control) => {
    const [way] = control.ladder;
    if (!way || !isCandidate(control)) return control;
    const [isDrawn] = await page
      .locator(rungToSelector(way))
      .evaluateAll(areStyledInPage)
      .catch(() => []);
    return isDrawn ? { ...control, visible: true } : control;
  });
  return { ...reading, controls: await Promise.all(controls) };
}

/** In the page. */
function areStyledInPage(lists: readonly Element[]): boolean[] {
  const isSeen = (element: Element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  return lists.map((list) => {
    const { width, height } = list.getBoundingClientRect();
    const labels = list instanceof HTMLSelectElement ? [...list.labels] : [];
    return width * height > 0 && list.checkVisibility({ visibilityProperty: true }) && labels.some(isSeen);
  });
}
