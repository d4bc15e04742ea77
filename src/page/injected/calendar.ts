import { nameOf, roleOf } from './accessibility.ts';
import { monthIn, yearAndMonth } from './date-words.ts';
import { refOf } from './element-refs.ts';
import { freshElements } from './fresh-elements.ts';
import { isSeen } from './geometry.ts';
import { shownText, tidyText } from './text.ts';
import { ancestors, attribute, boxOf, childrenOf, isWithin, parentOf, styleOf, tagOf, walk } from './tree.ts';
import { isDisabled } from './widget-state.ts';
import { fieldText } from './widget-value.ts';

export interface Calendar {
  year: number;
  month: number;
  /** Refs of the days of the month, by number. Days that cannot be chosen are missing. */
  days: Record<string, string>;
  /** What may move it, with the horizontal position. */
  buttons: { ref: string; name: string; x: number }[];
  /** Some calendars wait for a click on a button after the day was chosen. */
  confirms: string[];
}

const MIN_DAYS = 28;
const LAST_DAY = 31;

/** A calendar among what appeared since the mark: days below a heading with a year and a month. */
export function readCalendar(): Calendar | null {
  const fresh = freshElements();
  const days = fresh.filter(
    (element) => isDay(element) && ![...childrenOf(element)].some((child) => isSeen(child) && isDay(child)),
  );
  const [first] = days;
  if (days.length < MIN_DAYS || !first) return null;
  for (const box of ancestors(first, 20)) {
    const inside = days.filter((day) => isWithin(box, day));
    const shown = inside.length >= MIN_DAYS && yearAndMonth(box, headerText(box, inside));
    if (shown) return toCalendar(box, inside, shown);
    if (tagOf(box) === 'body') return null;
  }
  return null;
}

function isDay(element: Element): boolean {
  const text = shownText(element, 10);
  const day = Number(text);
  return /^\d{1,2}$/.test(text) && day >= 1 && day <= LAST_DAY;
}

function toCalendar(box: Element, days: readonly Element[], [year, month]: [number, number]): Calendar {
  const own: Record<string, string> = {};
  const begin = days.findIndex((day) => shownText(day, 10).replace(/^0/, '') === '1');
  // Days of the months before and after have lower positions, or come after the last one.
  for (let index = begin, day = 1; index < days.length && index >= 0; index++, day++) {
    const element = days[index];
    if (!element || Number(shownText(element, 10)) !== day) break;
    if (!isDisabled(element)) own[day] = refOf(element);
  }
  const buttons = walk(box).filter((element) => isSeen(element) && isButton(element, days));
  return {
    year,
    month,
    days: own,
    buttons: buttons
      .filter((element) => !isTitle(element, year, month))
      .map((element) => ({ ref: refOf(element), name: buttonName(element), x: boxOf(element).x })),
    confirms: buttons.filter((element) => shownText(element, 30) !== '').map((element) => refOf(element)),
  };
}

/** The texts of a calendar besides its days, with what its fields and lists show. */
function headerText(box: Element, days: readonly Element[]): string {
  const texts: string[] = [];
  for (const element of walk(box)) {
    if (days.includes(element) || !isSeen(element)) continue;
    if (tagOf(element) === 'select') texts.push((element as HTMLSelectElement).selectedOptions[0]?.text ?? '');
    else if (tagOf(element) === 'input') texts.push(fieldText(element as HTMLInputElement) ?? '');
    else if (tagOf(element) !== 'option') texts.push(...ownTexts(element));
  }
  return texts
    .map((text) => tidyText(text))
    .filter((text) => text && !/^\d{1,2}$/.test(text))
    .join(' ');
}

function ownTexts(element: Element): string[] {
  return [...element.childNodes].flatMap((node) => (node.nodeType === Node.TEXT_NODE ? (node as Text).data : []));
}

function isButton(element: Element, days: readonly Element[]): boolean {
  if (days.some((day) => isWithin(element, day) || isWithin(day, element))) return false;
  if (roleOf(element) === 'button' || tagOf(element) === 'a') return true;
  const parent = parentOf(element);
  return styleOf(element).cursor === 'pointer' && parent !== null && styleOf(parent).cursor !== 'pointer';
}

/** A button that says what is shown leads to a list of months or years. */
function isTitle(element: Element, year: number, month: number): boolean {
  const text = shownText(element, 60);
  const named = yearAndMonth(element, text);
  return (
    text === String(year) ||
    (named?.[0] === year && named[1] === month) ||
    (monthIn(element, text) === month && text.length < 20)
  );
}

/** Buttons are drawn anew when the month changes, so they are known by what they are called, in the page or by its author. */
function buttonName(element: Element): string {
  const data = Object.values((element as HTMLElement).dataset).join(' ');
  return nameOf(element) || tidyText(data) || tidyText(attribute(element, 'class')) || tagOf(element);
}
