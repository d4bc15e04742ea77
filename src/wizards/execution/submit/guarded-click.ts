import type { Frame, Locator } from 'playwright-core';
import { type ClickGuard, endClickGuards } from '../../../platform/page/act/click-guard.ts';
import { runError } from '../run/run-error.ts';
import type { WizardRun } from '../run/wizard-run.ts';
import type { ExpectedEntry } from './compare-entries.ts';
import { blockChangedRequests, blockedRequestError, throwIfBlocked } from './request-blocker.ts';

const ENTER = ' >> internal:control=enter-frame >> ';
const MAX_REFUSALS = 2;

/** The frames that fields of the page are in. */
export function guardedFrames(run: WizardRun): Frame[] {
  const isFramed = run.guardedValues?.fields.some(({ selector }) => selector.includes(ENTER)) ?? false;
  return isFramed ? run.page().frames().slice(0, 10) : [run.page().mainFrame()];
}

/**
 * Clicks while everything holds what it was given. The page's guard lets no other click through; then all of it is looked at
 * once more, and it ends with a failure before anything is sent, or with the next click.
 */
export async function clickGuarded(
  run: WizardRun,
  button: { selector: string; what: string },
  click: () => Promise<void>,
): Promise<void> {
  const { guardedValues } = run;
  run.sentValues.expect(guardedValues?.entries, run.page().url());
  if (!guardedValues) {
    await blockChangedEntries(run, run.page().frames().slice(0, 10));
    return click();
  }
  // A guard sees the clicks of its own frame.
  if (guardedValues.fields.some(({ selector }) => frameOf(selector) !== frameOf(button.selector)))
    await guardedValues.check();
  for (let refusals = 0; refusals < MAX_REFUSALS; refusals++) {
    // The click may lead to another tab.
    const frames = guardedFrames(run);
    run.sentValues.expect(guardedValues.entries, run.page().url());
    // In the order of their messages it comes before the click.
    const holding = blockChangedEntries(run, frames, guardedValues.entries);
    holding.catch(() => {});
    // What the page asks for anew must be known before anything leaves.
    if (run.sentValues.earlierPages().length > 0) await holding;
    await click();
    const [refusal] = await Promise.all([endClickGuards(frames), holding.then(() => throwIfBlocked(run, frames))]);
    if (!refusal) {
      run.guardedValues = undefined;
      return;
    }
    if (refusal === 'other-form') throw otherFormError(run, button.what);
    if (refusal === 'changed-on-sending') {
      await guardedValues.throwIfChanged();
      break;
    }
    await guardedValues.checkAtRest();
  }
  throw runError('selector_not_found', `Page ${run.pageNumber} does not keep its values.`, {
    technical_details: 'VALUE_NOT_KEPT',
  });
}

/** Holds back what scripts would send otherwise, of this page and of those before it. */
async function blockChangedEntries(
  run: WizardRun,
  frames: readonly Frame[],
  sendings: readonly ExpectedEntry[] = [],
): Promise<void> {
  const { taken, refused } = await blockChangedRequests(frames, sendings, run.sentValues.earlierPages());
  if (refused) throw blockedRequestError(refused, `The page before page ${run.pageNumber}`);
  run.sentValues.forget(taken);
}

/** The same for a button that is only looked at. */
export async function throwIfOtherForm(run: WizardRun, { locator }: { locator: Locator }, what: string): Promise<void> {
  if (await locator.evaluate(isOtherInPage, undefined, { timeout: 2_000 })) throw otherFormError(run, what);
}

/** In the page. */
function isOtherInPage(button: Element): boolean {
  const guard: ClickGuard | undefined = Reflect.get(window, Symbol.for('assay.guard'));
  return guard?.isOther(button) ?? false;
}

function otherFormError(run: WizardRun, what: string): Error {
  return runError(
    'selector_not_found',
    `${what} of page ${run.pageNumber}: its selector now matches the button of another form than the filled one.`,
    { technical_details: 'ELEMENT_CHANGED' },
  );
}

const frameOf = (selector: string) => selector.slice(0, Math.max(0, selector.lastIndexOf(ENTER)));
