import type { Frame, Locator } from 'playwright-core';
import { endGuards, type Guard } from '../../platform/page/guard.ts';
import { runError } from './failures.ts';
import { heldBack, holdBack, refuseHeldBack } from './hold-back.ts';
import type { Run } from './run.ts';
import type { Sending } from './sending-tools.ts';

const ENTER = ' >> internal:control=enter-frame >> ';
const MOST_REFUSALS = 2;

/** The frames that fields of the page are in. */
export function guardedFrames(run: Run): Frame[] {
  const isFramed = run.held?.fields.some(({ selector }) => selector.includes(ENTER)) ?? false;
  return isFramed ? run.page().frames().slice(0, 10) : [run.page().mainFrame()];
}

/**
 * Clicks while everything holds what it was given. The page's guard lets no other click through; then all of it is looked at
 * once more, and it ends with a failure before anything is sent, or with the next click.
 */
export async function clickGuarded(
  run: Run,
  button: { selector: string; what: string },
  click: () => Promise<void>,
): Promise<void> {
  const { held } = run;
  run.asSent.expect(held?.sendings, run.page().url());
  if (!held) {
    await holdEarlier(run, run.page().frames().slice(0, 10));
    return click();
  }
  // A guard sees the clicks of its own frame.
  if (held.fields.some(({ selector }) => frameOf(selector) !== frameOf(button.selector))) await held.check();
  for (let refusals = 0; refusals < MOST_REFUSALS; refusals++) {
    // The click may lead to another tab.
    const frames = guardedFrames(run);
    run.asSent.expect(held.sendings, run.page().url());
    // In the order of their messages it comes before the click.
    const holding = holdEarlier(run, frames, held.sendings);
    holding.catch(() => {});
    // What the page asks for anew must be known before anything leaves.
    if (run.asSent.earlier().length > 0) await holding;
    await click();
    const [refusal] = await Promise.all([endGuards(frames), holding.then(() => refuseHeldBack(run, frames))]);
    if (!refusal) {
      run.held = undefined;
      return;
    }
    if (refusal === 'other-form') throw otherForm(run, button.what);
    if (refusal === 'changed-on-sending') {
      await held.refuseChanged();
      break;
    }
    await held.checkAtRest();
  }
  throw runError('selector_not_found', `Page ${run.at} does not keep the values that it is given.`, {
    technical_details: 'VALUE_NOT_KEPT',
  });
}

/** Holds back what scripts would send otherwise, of this page and of those before it. */
async function holdEarlier(run: Run, frames: readonly Frame[], sendings: readonly Sending[] = []): Promise<void> {
  const { taken, refused } = await holdBack(frames, sendings, run.asSent.earlier());
  if (refused) throw heldBack(refused, `What stood before page ${run.at}`);
  run.asSent.forget(taken);
}

/** The same for a button that is only looked at. */
export async function refuseOtherForm(run: Run, { locator }: { locator: Locator }, what: string): Promise<void> {
  if (await locator.evaluate(isOtherInPage, undefined, { timeout: 2_000 })) throw otherForm(run, what);
}

/** In the page. */
function isOtherInPage(button: Element): boolean {
  const guard: Guard | undefined = Reflect.get(window, Symbol.for('assay.guard'));
  return guard?.isOther(button) ?? false;
}

function otherForm(run: Run, what: string): Error {
  return runError(
    'selector_not_found',
    `${what} of page ${run.at}: its selector now leads to the button of another form than the one that was filled in.`,
    { technical_details: 'ELEMENT_CHANGED' },
  );
}

const frameOf = (selector: string) => selector.slice(0, Math.max(0, selector.lastIndexOf(ENTER)));
