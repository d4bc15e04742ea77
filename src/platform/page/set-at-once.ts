import type { Page } from 'playwright-core';
import type { Found } from './ladder.ts';
import { firstWay } from './ladder.ts';
import type { ControlKind, Ladder } from './model.ts';
import { isKept, plainWords } from './same-value.ts';
import { isLeaving } from './settle.ts';

type How = 'text' | 'value' | 'select' | 'checkbox' | 'radio';

const hows: Partial<Record<ControlKind, How>> = {
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

interface Wish {
  how: How;
  text: string;
  words: string;
  checked: boolean;
}

/**
 * Finds, sets and reads a plain control of HTML in one go, by its first rung: the usual case, and three times as fast as step
 * by step. Undefined where anything is not as usual; nothing was done then that setting it step by step would not mend.
 */
export async function setAtOnce(
  page: Page,
  { kind, ladder }: { kind: ControlKind; ladder: Ladder },
  value: string | boolean,
): Promise<{ readBack: string; found: Found } | undefined> {
  const how = hows[kind];
  const way = firstWay(page, ladder);
  if (!how || !way) return undefined;
  const text = String(value);
  const wish: Wish = { how, text, words: plainWords(text), checked: value === true };
  const done = await way.evaluateAll(setInPage, wish).catch((error: unknown) => {
    if (isLeaving(error)) return null;
    throw error;
  });
  if (!done) return undefined;
  const { readBack, tag, type, checked } = done;
  if (how === 'text' && !isKept(text, readBack)) return undefined;
  const facts = {
    kind,
    tag,
    type,
    value: readBack,
    checked,
    visible: true,
    disabled: false,
    chosen: [],
    hiddenName: '',
  };
  const found: Found = { locator: way, rung: 0, healed: false, facts };
  return { readBack: checked === null ? readBack : String(checked), found };
}

/** In the page. Stands alone, since only its text travels there. Null: not done. */
function setInPage(elements: readonly Element[], { how, text, words, checked }: Wish) {
  const [element] = elements;
  if (!element || elements.length > 1) return null;
  const isSeen = (each: Element) => {
    if (!each.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) return false;
    const box = each.getBoundingClientRect();
    return box.width > 1 && box.height > 1 && box.right + scrollX > 0 && box.bottom + scrollY > 0;
  };
  const answer = (readBack: string, on: boolean | null) =>
    element.isConnected ? { readBack, tag: element.localName, type: element.getAttribute('type'), checked: on } : null;
  const tell = () => {
    element.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    element.dispatchEvent(new Event('change', { bubbles: true }));
  };
  if (element.matches(':disabled,:read-only:not(select,[type=checkbox],[type=radio]),[aria-disabled=true]'))
    return null;

  function fill() {
    const isText =
      element instanceof HTMLTextAreaElement ||
      (element instanceof HTMLInputElement && /^(text|email|tel|url|search|number)$/.test(element.type));
    if (!isText || !isSeen(element) || element.matches('[role=combobox],[list],[aria-autocomplete],[aria-haspopup]'))
      return null;
    element.focus();
    if (element.value !== text) {
      element.select();
      // As if it was typed: the page's own handlers get the events of a keyboard.
      document.execCommand(text === '' ? 'delete' : 'insertText', false, text);
    }
    return answer(element.value, null);
  }

  function assign() {
    if (!(element instanceof HTMLInputElement) || !/^(date|time|month)$/.test(element.type) || !isSeen(element))
      return null;
    element.focus();
    element.value = text;
    if (element.value !== text) return null;
    tell();
    return answer(element.value, null);
  }

  function choose() {
    if (!(element instanceof HTMLSelectElement) || element.multiple || !isSeen(element)) return null;
    const plain = (each: string) =>
      each
        .normalize('NFKC')
        .replace(/[\u2018\u2019\u201a\u2032`´]/g, "'")
        .replace(/[\u201c\u201d\u201e\u2033]/g, '"')
        .replace(/[\u2010-\u2015\u2212]/g, '-')
        .replace(/[\s\u200b\u00ad]+/g, ' ')
        .trim()
        .toLowerCase();
    const all = [...element.options];
    const labelOf = (option: HTMLOptionElement) => (option.label || option.textContent || '').trim();
    const exact = all.find((option) => option.value === text) ?? all.find((option) => labelOf(option) === text);
    const like = all.filter((option) => plain(labelOf(option)) === words);
    const meant = exact ?? (like.length === 1 ? like[0] : undefined);
    if (!meant || meant.disabled) return null;
    if (!meant.selected) {
      element.focus();
      meant.selected = true;
      tell();
    }
    return meant.selected ? answer(element.value, null) : null;
  }

  function check(type: string) {
    if (!(element instanceof HTMLInputElement) || element.type !== type) return null;
    if (element.checked === checked) return answer(element.value, checked);
    const target = isSeen(element) ? element : [...(element.labels ?? [])].find(isSeen);
    // A click on a link within a label would lead away.
    if (!target || (target !== element && target.querySelector('a,button'))) return null;
    target.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    const box = target.getBoundingClientRect();
    const root = target.getRootNode();
    const top = (root instanceof ShadowRoot ? root : document).elementFromPoint(
      box.x + box.width / 2,
      box.y + box.height / 2,
    );
    // Something lies over it: a real click finds out what.
    const label = top?.closest('label');
    if (!top || !(target.contains(top) || (label && label.control === element))) return null;
    element.focus();
    target.click();
    return element.checked === checked ? answer(element.value, checked) : null;
  }

  if (how === 'text') return fill();
  if (how === 'value') return assign();
  return how === 'select' ? choose() : check(how);
}
