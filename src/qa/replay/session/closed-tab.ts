import type { Page } from 'playwright-core';
import { isEndedBrowserError } from '../classify-failure.ts';
import type { ReplaySession } from './replay-session.ts';

const CLOSES_WITHIN_MS = 1000;

/**
 * Whether an error only says that a tab was closed, which a button in it may do. The replay continues in the tab that
 * opened it; without one, the browser has ended.
 */
export async function hasClosedItsTab(
  session: Pick<ReplaySession, 'page'>,
  page: Page,
  error: unknown,
): Promise<boolean> {
  if (!isEndedBrowserError(String(error))) return false;
  if (!page.isClosed()) await page.waitForEvent('close', { timeout: CLOSES_WITHIN_MS }).catch(() => {});
  const now = session.page();
  return now !== page && !now.isClosed();
}
