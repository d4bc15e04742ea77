import { Failure } from '../errors.ts';
import { type ElementFacts, factsInPage } from './in-page/facts.ts';
import { type Found, factsOf } from './ladder.ts';
import { isLeaving, nextChange } from './settle.ts';

/** What an element holds: at once when that is as expected, else as soon as it is, else what it holds at the end. */
export async function held(
  { locator, facts, target }: Found,
  isExpected: (facts: ElementFacts) => boolean,
  limitMs: number,
): Promise<ElementFacts> {
  const deadline = performance.now() + limitMs;
  let last = facts;
  for (;;) {
    const [plain] = target ? await factsOf(locator.page(), target) : [];
    const [now = plain] = plain
      ? []
      : await locator.evaluateAll(factsInPage).catch((error) => {
          if (isLeaving(error)) return [];
          throw error;
        });
    last = now ?? last;
    const left = deadline - performance.now();
    if ((now && isExpected(now)) || left <= 0) return last;
    await nextChange(locator.page(), Math.min(left, 100));
  }
}

/** What an element holds now. It must be there: what is gone holds nothing any more. */
export async function heldNow(found: Found): Promise<ElementFacts> {
  const { locator, target } = found;
  const [plain] = target ? await factsOf(locator.page(), target) : [];
  const now = plain ?? (await locator.evaluateAll(factsInPage))[0];
  if (now) return now;
  throw new Failure('not_found', 'ELEMENT_GONE', 'An element that was set is not there any more.');
}
