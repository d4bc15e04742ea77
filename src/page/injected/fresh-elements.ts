import { nameOf, roleOf } from './accessibility.ts';
import { elementOf, elementsOf, refOf } from './element-refs.ts';
import { elementAt, isClippedAway, isSeen } from './geometry.ts';
import { shownText, tidyText } from './text.ts';
import { attribute, boxOf, documentOf, isWithin, matches, queryAll, styleOf, tagOf, walk } from './tree.ts';
import { checkedState, isDisabled, isEditable, isTrue } from './widget-state.ts';

let marked = new WeakSet<Element>();

/** Remembers what can be seen now: what can be seen later besides is fresh. */
export function markVisible(): boolean {
  marked = new WeakSet(walk(document.documentElement).filter(isSeen));
  return true;
}

export function freshElements(): Element[] {
  return walk(document.documentElement).filter((element) => !marked.has(element) && isSeen(element));
}

const OPTION_ROLES = new Set([
  'option',
  'menuitem',
  'menuitemradio',
  'menuitemcheckbox',
  'treeitem',
  'gridcell',
  'radio',
  'checkbox',
]);
const MAX_LISTED = 30;

export interface FoundOption {
  ref: string | null;
  isSelected: boolean;
  /** What can be chosen instead. */
  options: string[];
}

/** What a person would read as this value among what appeared since the mark, or within an element. */
export function findShownOption({ value, within }: { value: string; within?: string }): FoundOption {
  const box = within === undefined ? undefined : elementOf(within);
  const all = box ? walk(box).filter(isSeen) : freshElements();
  const options = all.filter((element) => OPTION_ROLES.has(roleOf(element)) || tagOf(element) === 'li');
  const usable = options.filter((element) => !isDisabled(element) && !isClippedAway(element));
  const found = findByWords(usable, value) ?? findByCode(usable, value) ?? findByText(all, value);
  return {
    ref: found ? refOf(found) : null,
    isSelected: found !== undefined && checkedState(found) === true,
    options: options.slice(0, MAX_LISTED).map((element) => shownText(element, 60)),
  };
}

export const comparable = (text: string): string => tidyText(text, 1_000).normalize('NFKC').toLowerCase();

function findByWords(options: readonly Element[], value: string): Element | undefined {
  const wanted = comparable(value);
  return options.find((option) => comparable(shownText(option)) === wanted || comparable(nameOf(option)) === wanted);
}

function findByCode(options: readonly Element[], value: string): Element | undefined {
  const wanted = comparable(value);
  const same = options.filter((option) =>
    ['data-value', 'value', 'data-key'].some((key) => comparable(attribute(option, key) ?? '') === wanted),
  );
  return same.length === 1 ? same[0] : undefined;
}

/** The innermost element that says exactly this. Texts within fields are what was typed. */
function findByText(elements: readonly Element[], value: string): Element | undefined {
  const wanted = comparable(value);
  const same = elements.filter(
    (element) =>
      !matches(element, 'input, textarea, label, mark') &&
      queryAll(element, 'input, textarea').length === 0 &&
      (element.textContent ?? '').length < wanted.length * 3 + 40 &&
      comparable(shownText(element)) === wanted,
  );
  return same.findLast((element) => !isClippedAway(element));
}

const POPUP_ROLES = new Set(['listbox', 'menu', 'dialog', 'alertdialog', 'grid', 'tree']);
const MIN_WIDTH = 40;
const MIN_HEIGHT = 20;

/** Whether something that appeared since the mark still lies over the page, or the control says that it is expanded. */
export function isPopupOpen({ ref }: { ref: string }): boolean {
  const roots = elementsOf(ref);
  const expanded = roots
    .flatMap((root) => walk(root))
    .some((element) => isTrue(element, 'aria-expanded') && isSeen(element));
  return expanded || freshElements().some((element) => isOverlay(element, roots));
}

function isOverlay(element: Element, roots: readonly Element[]): boolean {
  const { x, y, width, height } = boxOf(element);
  if (width < MIN_WIDTH || height < MIN_HEIGHT) return false;
  const { pointerEvents, position } = styleOf(element);
  if (pointerEvents === 'none') return false;
  if (POPUP_ROLES.has(roleOf(element))) return true;
  if (!['absolute', 'fixed'].includes(position) || roots.some((root) => isWithin(root, element))) return false;
  const hit = elementAt(documentOf(element) ?? document, x + width / 2, y + Math.min(height / 2, 10));
  return hit !== null && isWithin(element, hit);
}

/** A field to type into that appeared with a list, such as the search of a long one. */
export function findFreshInput(): string | null {
  const field = freshElements().find((element) => matches(element, 'input, textarea') && isEditable(element));
  return field ? refOf(field) : null;
}
