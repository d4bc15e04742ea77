import type { Page } from 'playwright-core';
import { Failure } from '../../../platform/errors.ts';
import { type FoundElement, findByLadder } from '../../../platform/page/locate/element-finder.ts';
import type { ElementTarget } from '../../scripts/model/script-steps.ts';
import { isStableRung } from '../../scripts/record/stable-locator.ts';

/** So long the best way to an element is waited for before others count. */
const PATIENCE_MS = 1500;

/**
 * The element, by the ladder's own rules. Where wording changed, those rules find nothing, and an element that still has
 * its own id or name, or sends a form that is known by such, is taken for it, as long as it is the only one. Either is
 * reported as healed.
 */
export async function findElement(page: Page, { ladder }: ElementTarget, elementMs: number): Promise<FoundElement> {
  const patience = Math.min(elementMs, PATIENCE_MS);
  try {
    return await findByLadder(page, ladder, {}, { timeoutMs: patience });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    for (const [index, rung] of ladder.entries()) {
      const found =
        isStableRung(rung) && (await findByLadder(page, [rung], {}, { timeoutMs: 1 }).catch(() => undefined));
      if (found) return { ...found, rung: index, healed: true };
    }
    if (patience === elementMs) throw error;
    return findByLadder(page, ladder, {}, { timeoutMs: elementMs - patience });
  }
}
