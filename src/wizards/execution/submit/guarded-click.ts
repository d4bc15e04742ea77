import type { Frame, Locator } from 'playwright-core';
import { type ClickGuard, endClickGuards } from '../../../platform/page/act/click-guard.ts';
import { runError } from '../run/run-error.ts';
import type { WizardRun } from '../run/wizard-run.ts';
import type { ExpectedEntry } from './compare-entries.ts';
import { blockChangedRequests, blockedRequestError, throwIfBlocked } from './request-blocker.ts';

const ENTER = ' >> internal:control=enter-frame >> ';
const MAX_REFUSALS = 2;

/** The frames that contain fields of the page. */
export function guardedFrames(run: WizardRun): Frame[] {
  const isFramed = run.guardedValues?.fields.some(({ selector }) => selector.includes(ENTER)) ?? false;
  return isFramed ? run.page().frames().slice(0, 10) : [run.page().mainFrame()];
}

/**
 * Clicks while every field has its given value. The guard in the page blocks the click if a value has changed. All
 * values are then verified again, which ends with a failure before anything is sent, or with another click.
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
  // A guard sees only the clicks of its own frame.
  if (guardedValues.fields.some(({ selector }) => frameOf(selector) !== frameOf(button.selector)))
    await guardedValues.check();
  for (let refusals = 0; refusals < MAX_REFUSALS; refusals++) {
    // The click may open another tab.
    const frames = guardedFrames(run);
    run.sentValues.expect(guardedValues.entries, run.page().url());
    // The protocol keeps the order of messages, so the blocker is active before the click.
    const holding = blockChangedEntries(run, frames, guardedValues.entries);
    holding.catch(() => {});
    // The names that the page uses again must be known before anything is sent.
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

/** Blocks requests of scripts that carry other values than those entered on this page or on earlier ones. */
async function blockChangedEntries(
  run: WizardRun,
  frames: readonly Frame[],
  sendings: readonly ExpectedEntry[] = [],
): Promise<void> {
  const { taken, refused } = await blockChangedRequests(frames, sendings, run.sentValues.earlierPages());
  if (refused) throw blockedRequestError(refused, `The page before page ${run.pageNumber}`);
  run.sentValues.forget(taken);
}

/** Fails if the button belongs to another form than the fields; used for a button that is not clicked. */
export async function throwIfOtherForm(run: WizardRun, { locator }: { locator: Locator }, what: string): Promise<void> {
  if (await locator.evaluate(isOtherInPage, undefined, { timeout: 2_000 })) throw otherFormError(run, what);
}

/** Runs in the page. */
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
