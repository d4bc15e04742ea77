import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Expects no violation of axe with every part unfolded, and nothing wider than the window. */
export async function expectAccessible(page: Page, note: string): Promise<void> {
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const found = await (await Reflect.get(globalThis, 'axe')).run(document);
    return JSON.stringify(
      found.violations.map((one: { id: string; nodes: { html: string }[] }) => [
        one.id,
        one.nodes.map((node) => node.html),
      ]),
    );
  });
  expect(JSON.parse(violations), note).toEqual([]);
  const width = page.viewportSize()?.width ?? 0;
  expect(await page.evaluate(() => document.documentElement.scrollWidth), note).toBeLessThanOrEqual(width);
}
