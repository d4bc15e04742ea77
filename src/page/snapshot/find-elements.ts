import type { Page } from 'playwright-core';
import { toHandle } from '../world/element-handle.ts';
import { callInPage } from '../world/isolated-world.ts';
import type { ElementHandle } from './page-snapshot.ts';

const TIMEOUT_MS = 5_000;

/**
 * The elements that match a CSS selector, at most 50, in open shadow roots and frames of the same origin too. For callers who know a
 * page: everyone else takes the controls of a snapshot.
 */
export async function findElements(page: Page, selector: string): Promise<ElementHandle[]> {
  const refs = (await callInPage(page, 'findBySelector', { selector }, TIMEOUT_MS)) ?? [];
  return refs.map((ref) => toHandle({ page }, ref));
}
