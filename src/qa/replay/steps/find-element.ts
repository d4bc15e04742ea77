import type { Page } from 'playwright-core';
import { Failure } from '../../../platform/errors.ts';
import { type FoundElement, findByLadder } from '../../../platform/page/locate/element-finder.ts';
import type { ElementTarget } from '../../scripts/model/script-steps.ts';
import { isStableRung } from '../../scripts/record/stable-locator.ts';

/** Time for the best locator before the other ones count. */
const PATIENCE_MS = 1500;

/**
 * Finds the element by the rules of its ladder. If those find nothing, because wording changed, the only element with the
 * same id or name is used, or the only submit button of a form with the same id or name. Both are reported as healed.
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
