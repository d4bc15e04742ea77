import type { Page } from 'playwright-core';
import { isOfEndedBrowser } from './classify.ts';
import type { Stage } from './stage.ts';

const CLOSES_WITHIN_MS = 1000;

/**
 * Whether an error only says that a tab has closed, as a button in it may well do. The tab that it was opened from is looked at
 * then; where there is none, the browser has ended.
 */
export async function hasClosedItsTab(stage: Pick<Stage, 'page'>, page: Page, error: unknown): Promise<boolean> {
  if (!isOfEndedBrowser(String(error))) return false;
  if (!page.isClosed()) await page.waitForEvent('close', { timeout: CLOSES_WITHIN_MS }).catch(() => {});
  const now = stage.page();
  return now !== page && !now.isClosed();
}
