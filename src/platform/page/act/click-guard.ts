import type { Frame } from 'playwright-core';
import type { HiddenCompanions } from '../in-page/hidden-companions.ts';
import { compareSubmittedValue } from '../in-page/submitted-value.ts';
import type { PendingNavigation } from './fast-click.ts';

/** Why a click was not let through, or what it would have sent. */
type ClickRefusal = 'changed' | 'other-form' | 'changed-on-sending';

/** Lives in the page, from a look at its fields to the click that follows. */
export interface ClickGuard {
  /** `again` finds it where the page has drawn it anew. */
  add(element: Element, again?: () => Element | undefined, isUnasked?: boolean): void;
  /** Whether a button would send a form that has none of them. */
  isOther(button: EventTarget): boolean;
  stop(): void;
  refusal: ClickRefusal | null;
}

/**
 * In the page: from now on the next click is let through only while every field that is added holds what it holds now, and
 * not on the button of a form that has none of them. What a page does between a look and a click would else be sent unseen.
 * The look is a part of the click itself, so it takes no time, and nothing comes between. What the page itself changes while
 * the form is being sent is not sent either.
 */
function guardInPage(how: typeof compareSubmittedValue): ClickGuard {
  const key = Symbol.for('assay.guard');
  const before: ClickGuard | undefined = Reflect.get(window, key);
  before?.stop();
  const fields: {
    element: Element;
    again: () => Element | undefined;
    guardedState: string;
    text: string | null;
    isUnasked: boolean;
  }[] = [];
  const over = new AbortController();
  const stopped = new AbortController();

  function stateOf(element: Element): string {
    const isDisabled = element.matches(':disabled');
    if (element instanceof HTMLInputElement && /^(checkbox|radio)$/.test(element.type))
      return JSON.stringify([element.checked, isDisabled]);
    if (element instanceof HTMLSelectElement)
      return JSON.stringify([[...element.selectedOptions].map(({ value, label }) => [value, label]), isDisabled]);
    const companions: HiddenCompanions | undefined = Reflect.get(window, Symbol.for('assay.companions'));
    const beside = [...(companions?.get(element)?.keys() ?? [])].map(({ value }) => value);
    if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)
      return JSON.stringify([element.value, isDisabled, beside]);
    const said = ['aria-checked', 'aria-valuenow', 'aria-valuetext'].map((name) => element.getAttribute(name));
    return JSON.stringify([said, element.textContent, isDisabled]);
  }

  /** What was typed; null for what is chosen. */
  function textOf(element: Element): string | null {
    const isChoice = element instanceof HTMLInputElement && /^(checkbox|radio)$/.test(element.type);
    const isText = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
    return isText && !isChoice ? element.value : null;
  }

  function isOther(button: EventTarget): boolean {
    const owners = fields.flatMap(({ element }) => ('form' in element && element.form) || []);
    const isButton = button instanceof HTMLButtonElement || button instanceof HTMLInputElement;
    if (!isButton || !/^(submit|image)$/.test(button.type) || !button.form) return false;
    return owners.length > 0 && !owners.includes(button.form);
  }

  function refusalOf(event: Event): ClickRefusal | null {
    const isChanged = fields.some(({ element, again, guardedState, isUnasked }) => {
      const now = element.isConnected ? element : again();
      if (isUnasked && (!now || now.matches(':disabled'))) return false;
      return !now || stateOf(now) !== guardedState;
    });
    if (isChanged) return 'changed';
    return event.composedPath().some(isOther) ? 'other-form' : null;
  }

  function onEvent(event: Event): void {
    // What the page itself clicks is its own affair.
    if (!event.isTrusted) return;
    // One that misses what was aimed at is stopped there, and another follows.
    const leaving: PendingNavigation | undefined = Reflect.get(window, Symbol.for('assay.leaving'));
    if (leaving?.aimed && !event.composedPath().includes(leaving.aimed)) return;
    if (event.type === 'pointerdown' || event.type === 'click') guard.refusal ??= refusalOf(event);
    if (guard.refusal) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
    if (event.type === 'click') over.abort();
  }

  /** Of a choice everything counts, of a text what it says. */
  function isOtherNow({ element, again, guardedState, text, isUnasked }: (typeof fields)[number]): boolean {
    const now = element.isConnected ? element : again();
    if (!now || stateOf(now) === guardedState) return false;
    // What nobody has said anything about need not be sent.
    if (isUnasked && now.matches(':disabled')) return false;
    if (text === null) return true;
    const isText = now instanceof HTMLInputElement || now instanceof HTMLTextAreaElement;
    if (!isText || now.type === 'password') return false;
    const isProposal = now.matches('[role=combobox],[list],[aria-autocomplete]');
    // What only the wizard knows, the order of a date or a unit, is compared when it has left.
    return ['other', 'unlike'].includes(how(text, now.value, { scales: [2, 3], order: 'any', isProposal }));
  }

  /** After all that the page itself does then. What it sends by a script of its own is not stopped. */
  function onSubmit(event: Event): void {
    const own = fields.filter(({ element }) => 'form' in element && element.form === event.target);
    if (event.defaultPrevented || guard.refusal || !own.some(isOtherNow)) return;
    guard.refusal = 'changed-on-sending';
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  window.addEventListener('submit', onSubmit, { signal: stopped.signal });
  for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'])
    window.addEventListener(type, onEvent, { capture: true, signal: over.signal });
  const guard: ClickGuard = {
    add: (element, again = () => undefined, isUnasked = false) =>
      void fields.push({ element, again, guardedState: stateOf(element), text: textOf(element), isUnasked }),
    isOther,
    stop: () => {
      over.abort();
      stopped.abort();
    },
    refusal: null,
  };
  Reflect.set(window, key, guard);
  return guard;
}

export type ClickGuardInPage = () => ClickGuard;

/** The text of the function that begins a guard in a page. */
export const clickGuardScript = `() => (${guardInPage})(${compareSubmittedValue})`;

/** Ends the guards of frames; the answer is why the last click was not let through, if it was not. */
export async function endClickGuards(frames: readonly Frame[]): Promise<ClickRefusal | undefined> {
  // A page that has gone on has taken its guard with it.
  const refusals = await Promise.all(frames.map((frame) => frame.evaluate(endInPage).catch(() => null)));
  return refusals.find((refusal) => refusal !== null);
}

/** In the page. */
function endInPage(): ClickRefusal | null {
  const key = Symbol.for('assay.guard');
  const guard: ClickGuard | undefined = Reflect.get(window, key);
  guard?.stop();
  Reflect.deleteProperty(window, key);
  return guard?.refusal ?? null;
}
