import { Failure } from '../../errors.ts';
import { type ElementFacts, factsInPage } from '../in-page/element-facts.ts';
import { type FoundElement, readTargetFacts } from '../locate/element-finder.ts';
import { isContextLostError, waitForChange } from '../settle/settle.ts';

/** What an element holds: at once when that is as expected, else as soon as it is, else what it holds at the end. */
export async function waitForElementFacts(
  { locator, facts, target }: FoundElement,
  isExpected: (facts: ElementFacts) => boolean,
  limitMs: number,
): Promise<ElementFacts> {
  const deadline = performance.now() + limitMs;
  let last = facts;
  for (;;) {
    const [plain] = target ? await readTargetFacts(locator.page(), target) : [];
    const [now = plain] = plain
      ? []
      : await locator.evaluateAll(factsInPage).catch((error) => {
          if (isContextLostError(error)) return [];
          throw error;
        });
    last = now ?? last;
    const left = deadline - performance.now();
    if ((now && isExpected(now)) || left <= 0) return last;
    await waitForChange(locator.page(), Math.min(left, 100));
  }
}

/** What an element holds now. It must be there: what is gone holds nothing any more. */
export async function readElementFacts(found: FoundElement): Promise<ElementFacts> {
  const { locator, target } = found;
  const [plain] = target ? await readTargetFacts(locator.page(), target) : [];
  const now = plain ?? (await locator.evaluateAll(factsInPage))[0];
  if (now) return now;
  throw new Failure('not_found', 'ELEMENT_GONE', 'An element that was set is not there any more.');
}
