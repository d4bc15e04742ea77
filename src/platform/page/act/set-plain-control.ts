import type { Frame, Locator, Page } from 'playwright-core';
import { type FoundElement, firstLocator } from '../locate/element-finder.ts';
import {
  evaluateWithTools,
  findFrame,
  type InPageTools,
  identityRung,
  toPageTarget,
} from '../locate/element-target.ts';
import type { ControlKind, ControlOption, Ladder } from '../page-model.ts';
import { isContextLostError } from '../settle/settle.ts';
import type { AppliedRequest, ControlRequest, SetMethod } from './control-request.ts';
import { isValueKept, normalizeWords } from './value-comparison.ts';

const setMethods: Partial<Record<ControlKind, SetMethod>> = {
  text: 'text',
  email: 'text',
  tel: 'text',
  url: 'text',
  search: 'text',
  number: 'text',
  textarea: 'text',
  date: 'value',
  time: 'value',
  month: 'value',
  select: 'select',
  checkbox: 'checkbox',
  radio: 'radio',
};

/** What is asked of a plain control; undefined where it is none, or not asked for something plain. */
export function toControlRequest(
  { kind, ladder, options, within }: PlainControl,
  value: string | boolean,
): ControlRequest | undefined {
  const how = setMethods[kind];
  const [rung] = ladder;
  const who = identityRung(ladder);
  const target = rung && toPageTarget(rung, who);
  if (!how || !target) return undefined;
  const text = String(value);
  const isSwitch = how === 'checkbox' || how === 'radio';
  // A radio button behind a card is not displayed, and so has no name: its label has.
  const hiddenName = target.proof && isSwitch && who && who.by !== 'selector' ? who.value : null;
  const called = how === 'select' ? normalizeWords(optionLabel(options, text)) : '';
  return {
    ...target,
    how,
    text,
    words: normalizeWords(text),
    called,
    checked: value === true,
    hiddenName,
    within: within ?? null,
  };
}

/** What is known of a plain control. */
export interface PlainControl {
  kind: ControlKind;
  ladder: Ladder;
  options?: readonly Pick<ControlOption, 'label' | 'value'>[] | undefined;
  /** It holds a secret, which only pages of this origin may be given. */
  within?: string | undefined;
}

/** What the option of a value was called when it was last seen; empty where that is not known. */
export function optionLabel(options: PlainControl['options'], value: string): string {
  return options?.find((option) => option.value === value)?.label ?? '';
}

/**
 * Finds, sets and reads a plain control of HTML in one go, by its first rung: the usual case, and three times as fast as step
 * by step. Undefined where anything is not as usual; nothing was done then that setting it step by step would not mend.
 */
export async function setPlainControl(
  page: Page,
  control: PlainControl,
  value: string | boolean,
): Promise<{ readBack: string; found: FoundElement } | undefined> {
  const { kind, ladder } = control;
  const request = toControlRequest(control, value);
  const way = firstLocator(page, ladder);
  const frame = request && (await findFrame(page, request.frame));
  if (!frame || !way) return undefined;
  const [done] = await applyRequests(frame, [request]);
  return done && { readBack: done.readBack, found: toFoundElement(way, kind, done) };
}

/** Fulfils wishes in their order, up to the first that cannot be fulfilled like this. */
export async function applyRequests(frame: Frame, requests: readonly ControlRequest[]): Promise<AppliedRequest[]> {
  const done = await evaluateWithTools(frame, setInPage, requests).catch((error: unknown) => {
    if (isContextLostError(error)) return [];
    throw error;
  });
  const firstLost = done.findIndex((one, i) => {
    const request = requests[i];
    return request?.how === 'text' && !isValueKept(request.text, one.value);
  });
  const kept = firstLost < 0 ? done : done.slice(0, firstLost);
  return kept.map((one) => ({ ...one, readBack: one.checked === null ? one.value : String(one.checked) }));
}

export function toFoundElement(
  locator: Locator,
  kind: ControlKind,
  { tag, type, value, checked }: AppliedRequest,
): FoundElement {
  const facts = {
    kind,
    tag,
    type,
    value,
    checked,
    visible: true,
    disabled: false,
    chosen: [],
    hiddenName: '',
    validity: [],
  };
  return { locator, rung: 0, healed: false, facts };
}

/** In the page. Stands alone, since only its text travels there. What is not in the answer was not done. */
async function setInPage({ at, meant, fits }: InPageTools, requests: readonly ControlRequest[]) {
  const isSeen = (each: Element) => {
    if (!each.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) return false;
    const box = each.getBoundingClientRect();
    return box.width > 1 && box.height > 1 && box.right + scrollX > 0 && box.bottom + scrollY > 0;
  };
  const holds = (element: Element, checked: boolean | null) => {
    const isField =
      element instanceof HTMLInputElement ||
      element instanceof HTMLSelectElement ||
      element instanceof HTMLTextAreaElement;
    const value = isField ? element.value : '';
    return { value, tag: element.localName, type: element.getAttribute('type'), checked };
  };
  const tell = (element: Element) => {
    element.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    element.dispatchEvent(new Event('change', { bubbles: true }));
  };
  const tidy = (text: string | null) => (text ?? '').replace(/\s+/g, ' ').trim();
  const plain = (each: string) =>
    each
      .normalize('NFKC')
      .replace(/[\u2018\u2019\u201a\u2032`´]/g, "'")
      .replace(/[\u201c\u201d\u201e\u2033]/g, '"')
      .replace(/[\u2010-\u2015\u2212]/g, '-')
      .replace(/[\s\u200b\u00ad]+/g, ' ')
      .trim()
      .toLowerCase();

  function fill(element: Element, { text, within }: ControlRequest): boolean {
    const types = ['text', 'email', 'tel', 'url', 'search', 'number', ...(within === null ? [] : ['password'])];
    const isText =
      element instanceof HTMLTextAreaElement || (element instanceof HTMLInputElement && types.includes(element.type));
    if (!isText || !isSeen(element) || element.matches('[role=combobox],[list],[aria-autocomplete],[aria-haspopup]'))
      return false;
    // A browser holds the least length against what a user wrote, not against what a script did: only real keys will do.
    if (text !== '' && text.length < element.minLength) return false;
    element.focus();
    if (element.value !== text) {
      element.select();
      // As if it was typed: the page's own handlers get the events of a keyboard.
      document.execCommand(text === '' ? 'delete' : 'insertText', false, text);
    }
    return true;
  }

  function assign(element: Element, { text }: ControlRequest): boolean {
    if (!(element instanceof HTMLInputElement) || !/^(date|time|month)$/.test(element.type) || !isSeen(element))
      return false;
    element.focus();
    element.value = text;
    if (element.value !== text) return false;
    tell(element);
    return true;
  }

  function choose(element: Element, { text, words, called }: ControlRequest): boolean {
    if (!(element instanceof HTMLSelectElement) || element.multiple || !isSeen(element)) return false;
    const all = [...element.options];
    const nameOf = (option: HTMLOptionElement) => (option.label || option.textContent || '').trim();
    const named = all.filter((option) => nameOf(option) === text);
    const like = named.length > 0 ? named : all.filter((option) => plain(nameOf(option)) === words);
    const meant = all.find((option) => option.value === text) ?? (like.length === 1 ? like[0] : undefined);
    if (!meant || meant.disabled || (called !== '' && plain(nameOf(meant)) !== called)) return false;
    if (!meant.selected) {
      element.focus();
      meant.selected = true;
      tell(element);
    }
    return meant.selected;
  }

  function check(element: Element, { how, checked }: ControlRequest): boolean {
    if (!(element instanceof HTMLInputElement) || element.type !== how) return false;
    if (element.checked === checked) return true;
    const target = isSeen(element) ? element : [...(element.labels ?? [])].find(isSeen);
    // A click on a link within a label would lead away.
    if (!target || (target !== element && target.querySelector('a,button'))) return false;
    target.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    const box = target.getBoundingClientRect();
    const root = target.getRootNode();
    const top = (root instanceof ShadowRoot ? root : document).elementFromPoint(
      box.x + box.width / 2,
      box.y + box.height / 2,
    );
    // Something lies over it: a real click finds out what.
    const label = top?.closest('label');
    if (!top || !(target.contains(top) || (label && label.control === element))) return false;
    element.focus();
    target.click();
    return element.checked === checked;
  }

  /** What is said twice, once for the eye and once for the ear, is one name. */
  function labelOf(element: Element): string {
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.cloneNode(true) : undefined;
    if (!(label instanceof Element)) return '';
    const whole = tidy(label.textContent);
    for (const unheard of label.querySelectorAll('[aria-hidden=true]')) unheard.remove();
    return tidy(label.textContent) || whole;
  }

  /** What is not displayed is not in the accessibility tree, so only its label says who it is. */
  function hidden({ way, hiddenName }: ControlRequest): Element | undefined {
    const [element, ...others] = at(way);
    if (hiddenName === null || !element || others.length > 0) return undefined;
    const isHidden = !element.checkVisibility({ checkVisibilityCSS: true });
    return isHidden && labelOf(element) === hiddenName ? element : undefined;
  }

  /** The one element that a wish means, if it is beyond doubt, no other wish means it too, and it takes input. */
  function theOne(request: ControlRequest): Element | undefined {
    const [shown, ...others] = meant(request);
    const element = shown ?? hidden(request);
    if (!element || others.length > 0 || requests.filter(({ way }) => fits(element, way)).length > 1) return undefined;
    const isClosed = ':disabled,:read-only:not(select,[type=checkbox],[type=radio]),[aria-disabled=true]';
    return element.matches(isClosed) ? undefined : element;
  }

  const setters = { text: fill, value: assign, select: choose, checkbox: check, radio: check };
  const checkedOf = (element: Element, { how }: ControlRequest) =>
    (how === 'checkbox' || how === 'radio') && element instanceof HTMLInputElement ? element.checked : null;
  // A page that draws itself anew after every input does so before the next task.
  const nextTask = () =>
    new Promise<void>((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve();
      port2.postMessage(null);
    });
  const done: Omit<AppliedRequest, 'readBack'>[] = [];
  for (const request of requests) {
    if (request.within !== null && request.within !== location.origin) return done;
    const element = theOne(request);
    if (!element || !setters[request.how](element, request)) return done;
    if (requests.length > 1) await nextTask();
    if (!element.isConnected) return done;
    const current = holds(element, checkedOf(element, request));
    if (current.checked !== null && current.checked !== request.checked) return done;
    done.push(current);
  }
  return done;
}
