import type { Dialog, Page } from 'playwright-core';
import { Failure, quote } from '../../platform/errors.ts';
import { escapeText } from '../../platform/text/untrusted-text.ts';
import { actAndSettle, type SettleOptions, type SettleResult } from '../settle/settle.ts';
import { fromHandle } from '../world/element-handle.ts';
import { withElement } from '../world/isolated-world.ts';
import { ActionProblem, clickPoint } from './pointer.ts';
import type { ValueTarget } from './set-value.ts';

/** What an action led to. */
export interface ActionResult {
  settled: SettleResult;
  /** Dialogs of the browser, which were answered. The message is untrusted. */
  dialogs: { type: string; message: string; isAccepted: boolean }[];
}

export interface ActionOptions extends SettleOptions {
  /** How dialogs are answered that ask a question; default is Cancel. */
  acceptsDialogs?: boolean;
}

const DRAG_STEPS = 12;

/** Clicks where a person would to operate an element. @throws Failure `ELEMENT_NOT_USABLE` with what is in the way */
export function click(page: Page, target: ValueTarget, options: ActionOptions = {}): Promise<ActionResult> {
  return perform(page, options, async () => {
    const { x, y } = await pointOf(page, target);
    await page.mouse.click(x, y);
  });
}

/** Moves the pointer over an element. */
export function hover(page: Page, target: ValueTarget, options: ActionOptions = {}): Promise<ActionResult> {
  return perform(page, options, async () => {
    const { x, y } = await pointOf(page, target);
    await page.mouse.move(x, y);
  });
}

/** Presses keys, such as `Enter` or `Control+A`, where the focus is. */
export function press(page: Page, keys: string, options: ActionOptions = {}): Promise<ActionResult> {
  return perform(page, options, () => page.keyboard.press(keys));
}

/** Drags an element onto another. */
export function drag(
  page: Page,
  from: ValueTarget,
  to: ValueTarget,
  options: ActionOptions = {},
): Promise<ActionResult> {
  return perform(page, options, async () => {
    const start = await pointOf(page, from);
    await page.mouse.move(start.x, start.y);
    await page.mouse.down();
    const end = await pointOf(page, to);
    await page.mouse.move(end.x, end.y, { steps: DRAG_STEPS });
    await page.mouse.up();
  });
}

/** Puts files of this machine into a file field. */
export function upload(
  page: Page,
  { element, name = '' }: ValueTarget,
  files: readonly string[],
  options: ActionOptions = {},
): Promise<ActionResult> {
  return perform(page, options, async () => {
    const { world, ref } = fromHandle(page, element);
    const isSet = await withElement(world, ref, async (cdp, objectId) => {
      await cdp.send('DOM.setFileInputFiles', { objectId, files: [...files] });
      return true;
    });
    if (!isSet) throw notUsable(name, 'it is no longer in the page');
  });
}

/** Scrolls the page to its end, or an element into view, as far as new content appears. */
export function scroll(page: Page, to: ValueTarget | 'end', options: ActionOptions = {}): Promise<ActionResult> {
  return perform(page, options, async () => {
    if (to === 'end') await page.keyboard.press('End');
    else await pointOf(page, to);
  });
}

async function pointOf(page: Page, { element, name = '' }: ValueTarget) {
  const { world, ref } = fromHandle(page, element);
  try {
    return await clickPoint(world, ref);
  } catch (error) {
    throw error instanceof ActionProblem ? notUsable(name, error.message) : error;
  }
}

function notUsable(name: string, reason: string): Failure {
  return new Failure(
    'bad_input',
    'ELEMENT_NOT_USABLE',
    `The element ${quote(name)} cannot be used: ${reason}. Read the page again, and choose an element that can be used.`,
  );
}

async function perform(
  page: Page,
  { acceptsDialogs = false, ...options }: ActionOptions,
  act: () => Promise<unknown>,
): Promise<ActionResult> {
  const dialogs: ActionResult['dialogs'] = [];
  const onDialog = (dialog: Dialog) => {
    const isAccepted = acceptsDialogs || dialog.type() === 'alert' || dialog.type() === 'beforeunload';
    dialogs.push({ type: dialog.type(), message: escapeText(dialog.message()).slice(0, 500), isAccepted });
    // Another listener may have answered it.
    void (isAccepted ? dialog.accept() : dialog.dismiss()).catch(() => {});
  };
  page.on('dialog', onDialog);
  try {
    return { settled: await actAndSettle(page, act, options), dialogs };
  } finally {
    page.off('dialog', onDialog);
  }
}
