import { roleOf } from './accessibility.ts';
import { yearAndMonth } from './date-words.ts';
import { elementsOf } from './element-refs.ts';
import { isSeen } from './geometry.ts';
import { shownText, tidyText } from './text.ts';
import { attribute, matches, tagOf, walk } from './tree.ts';
import { widgetBox } from './widget-parts.ts';
import { checkedState, isTrue } from './widget-state.ts';
import { choiceName, rangeValue } from './widget-value.ts';

/** What a control shows, for the comparison with a value. */
export interface WidgetReading {
  isPresent: boolean;
  isSecret: boolean;
  /** Texts in its fields, and the chosen options of native lists. */
  inputs: string[];
  /** Its text, without labels and without options that are not chosen. */
  text: string;
  /** The same of the box around it. */
  around: string;
  choices: { role: string; name: string; code: string; isChecked: boolean }[];
  /** Of sliders and spin buttons. */
  ranges: { role: string; now: string; text: string }[];
  /** All calendar dates that the texts can mean, as `2027-03-23`. */
  dates: string[];
  /** All times of day that they can mean, as `09:30`. */
  times: string[];
}

const CHOICES = new Set([
  'radio',
  'checkbox',
  'switch',
  'option',
  'button',
  'tab',
  'menuitemradio',
  'menuitemcheckbox',
]);
const MAX_ITEMS = 400;

export function readWidget({ ref, expected }: { ref: string; expected?: string }): WidgetReading {
  const roots = elementsOf(ref);
  const elements = roots.flatMap((root) => (walk(root).length === 0 ? [root] : walk(root)));
  const text = roots.map((root) => valueText(root, [])).join(' ');
  const box = roots.length === 1 ? widgetBox(roots) : undefined;
  const inputs = elements.flatMap((element) => inputText(element, expected));
  const around = box ? valueText(box, roots) : '';
  return {
    isPresent: roots.length > 0,
    isSecret: elements.some((element) => matches(element, 'input[type=password]')),
    inputs,
    text,
    around,
    choices: elements
      .filter((element) => CHOICES.has(roleOf(element)))
      .slice(0, MAX_ITEMS)
      .map(toChoice),
    ranges: elements.filter((element) => ['slider', 'spinbutton'].includes(roleOf(element))).map(toRange),
    dates: datesIn(roots[0], [...inputs, inputs.join(' | '), sections(elements), text, around]),
    times: timesIn([...inputs, inputs.join(':'), sections(elements), text, around]),
  };
}

function inputText(element: Element, expected: string | undefined): string[] {
  const tag = tagOf(element);
  if (tag === 'select') {
    const chosen = [...(element as HTMLSelectElement).selectedOptions].map((option) => tidyText(option.label));
    return isSeen(element) ? chosen : [];
  }
  if (tag === 'textarea') return [(element as HTMLTextAreaElement).value];
  if (tag !== 'input' || matches(element, '[type=radio], [type=checkbox], [type=hidden]')) return [];
  const { type, value, files } = element as HTMLInputElement;
  // A secret does not leave the page: it is compared there.
  if (type === 'password') return [value === expected ? value : ''];
  return type === 'file' ? [...(files ?? [])].map(({ name }) => name) : [value];
}

/** The text of a control as its value: labels name it, and options that are not chosen are no part of it. */
function valueText(root: Element, except: readonly Element[]): string {
  return shownText(root, 2_000, (inner) => {
    if (except.includes(inner) || matches(inner, 'label, legend, option')) return true;
    return roleOf(inner) === 'option' && !isTrue(inner, 'aria-selected');
  });
}

function toChoice(element: Element): WidgetReading['choices'][number] {
  const code = 'value' in element ? String(element.value) : (attribute(element, 'data-value') ?? '');
  return {
    role: roleOf(element),
    name: choiceName(element),
    code: tidyText(code, 200),
    isChecked: checkedState(element) === true,
  };
}

function toRange(element: Element): WidgetReading['ranges'][number] {
  return {
    role: roleOf(element),
    now: attribute(element, 'aria-valuenow') ?? rangeValue(element) ?? '',
    text: rangeValue(element) ?? '',
  };
}

/** Dates in parts that are no fields: each part is a text. */
function sections(elements: readonly Element[]): string {
  const parts = elements.filter((element) => roleOf(element) === 'spinbutton' && tagOf(element) !== 'input');
  return parts.map((element) => shownText(element, 20)).join('/');
}

function datesIn(element: Element | undefined, texts: readonly string[]): string[] {
  const found = new Set<string>();
  const add = (year: number, month: number, day: number) => {
    const date = new Date(Date.UTC(year, month - 1, day));
    if (date.getUTCMonth() === month - 1 && date.getUTCDate() === day) found.add(date.toISOString().slice(0, 10));
  };
  for (const text of texts.map((each) => tidyText(each, 1_000))) {
    for (const [, year, month, day] of text.matchAll(/(?<!\d)(\d{4})\D(\d{1,2})\D(\d{1,2})(?!\d)/g))
      add(Number(year), Number(month), Number(day));
    for (const [, one, other, year] of text.matchAll(/(?<!\d)(\d{1,2})\D{1,3}(\d{1,2})\D{1,3}(\d{4})(?!\d)/g)) {
      add(Number(year), Number(one), Number(other));
      add(Number(year), Number(other), Number(one));
    }
    const named = element && yearAndMonth(element, text);
    const day = /(?<!\d)(\d{1,2})(?!\d)/.exec(text.replace(/(?<!\d)(?:19|20|21)\d\d(?!\d)/, ''))?.[1];
    if (named && day) add(named[0], named[1], Number(day));
  }
  return [...found];
}

const HALF_DAY = 12;
const TIME = /(?<![\d:])(\d{1,2})\s*[:./]\s*(\d{2})(?:\s*[:./]\s*\d{2})?(?!\d)[\s/:]*(\p{L}[\p{L}.]*)?/gu;

function timesIn(texts: readonly string[]): string[] {
  const found = new Set<string>();
  for (const text of texts)
    for (const [, hour, minute = '', word] of tidyText(text, 1_000).matchAll(TIME)) {
      const period = word?.replaceAll('.', '').toLowerCase();
      const isHalf = period === 'am' || period === 'pm';
      const hours = isHalf ? (Number(hour) % HALF_DAY) + (period === 'pm' ? HALF_DAY : 0) : Number(hour);
      if (hours < 2 * HALF_DAY && Number(minute) < 60) found.add(`${String(hours).padStart(2, '0')}:${minute}`);
    }
  return [...found];
}
