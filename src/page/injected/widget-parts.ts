import { activeDescendant, isEditableHost, nameOf, roleOf } from './accessibility.ts';
import { datePartOf, type MomentPart } from './date-words.ts';
import { elementsOf, refOf } from './element-refs.ts';
import { isSeen } from './geometry.ts';
import { shownText, tidyText } from './text.ts';
import { ancestors, attribute, hasAttribute, isWithin, matches, queryAll, styleOf, tagOf, walk } from './tree.ts';
import { isWidgetRole } from './widget-pattern.ts';
import { checkedState, isDisabled, isReadOnly, isTrue } from './widget-state.ts';
import { fieldText, rangeValue } from './widget-value.ts';

/** One element that a person can operate in a control. */
export interface WidgetPart {
  ref: string;
  tag: string;
  /** Of inputs. */
  type: string;
  role: string;
  name: string;
  text: string;
  value: string;
  /** The `value` attribute: what a choice submits. */
  code: string;
  checked: boolean | 'mixed';
  /** Of sliders and spin buttons. */
  now: string | null;
  min: string;
  max: string;
  placeholder: string;
  popup: string;
  isExpanded: boolean;
  isEditable: boolean;
  isReadOnly: boolean;
  isDisabled: boolean;
  /** Which part of a date or time it holds. */
  datePart: MomentPart | null;
  hasList: boolean;
  suggests: boolean;
  isShown: boolean;
  isTransparent: boolean;
  isTabStop: boolean;
  /** Belongs to the control itself, not only to the box around it. */
  isOwn: boolean;
}

const OPERABLE = 'input:not([type=hidden]), select, textarea, [contenteditable], [tabindex]:not([tabindex^="-"])';
const MAX_PARTS = 600;

/** The parts of a control, and of the box around it that has no other field in it. */
export function readWidgetParts({ ref }: { ref: string }): WidgetPart[] {
  const roots = elementsOf(ref);
  const own = roots.flatMap((root) => partElements(root));
  const box = roots.length === 1 ? widgetBox(roots) : undefined;
  const around = box ? partElements(box).filter((element) => !own.includes(element)) : [];
  return [
    ...own.slice(0, MAX_PARTS).map((element) => describePart(element, true)),
    ...around.slice(0, MAX_PARTS).map((element) => describePart(element, false)),
  ];
}

function partElements(root: Element): Element[] {
  const elements = walk(root);
  const hidden = queryAll(root, 'input[type=radio], input[type=checkbox], input[type=file]');
  const all = elements.length === 0 ? [root] : [...elements, ...[...hidden].filter((each) => !elements.includes(each))];
  return all.filter((element) => {
    if (isTrue(element, 'aria-hidden') && tagOf(element) !== 'input') return false;
    return isWidgetRole(roleOf(element)) || matches(element, OPERABLE);
  });
}

function describePart(element: Element, isOwn: boolean): WidgetPart {
  const text = (name: string) => attribute(element, name) ?? '';
  const tag = tagOf(element);
  const isField = tag === 'input' || tag === 'textarea';
  return {
    ref: refOf(element),
    tag,
    type: tag === 'input' ? (element as HTMLInputElement).type : '',
    role: roleOf(element),
    name: nameOf(element),
    text: tag === 'select' ? '' : shownText(element, 200),
    value: isField ? rawValue(element as HTMLInputElement) : '',
    code: tidyText(text('value') || text('data-value'), 200),
    checked: checkedState(element) ?? false,
    now: rangeValue(element),
    min: text('aria-valuemin') || text('min'),
    max: text('aria-valuemax') || text('max'),
    placeholder: text('placeholder'),
    popup: text('aria-haspopup').toLowerCase(),
    isExpanded: isTrue(element, 'aria-expanded'),
    isEditable: isEditableHost(element),
    isReadOnly: isReadOnly(element),
    isDisabled: isDisabled(element),
    datePart: datePartOf(element, nameOf(element)) ?? null,
    hasList: hasAttribute(element, 'list'),
    suggests:
      hasAttribute(element, 'aria-autocomplete') ||
      text('autocomplete') === 'off' ||
      activeDescendant(element) !== null,
    isShown: isSeen(element) || labelShown(element),
    isTransparent: isField && styleOf(element).opacity === '0',
    isTabStop: hasAttribute(element, 'tabindex') && (element as HTMLElement).tabIndex >= 0,
    isOwn,
  };
}

const rawValue = (field: HTMLInputElement): string => (field.type === 'password' ? '' : (fieldText(field) ?? ''));

function labelShown(element: Element): boolean {
  const labels = 'labels' in element ? (element as HTMLInputElement).labels : null;
  return labels !== null && labels !== undefined && [...labels].some(isSeen);
}

const FIELDS =
  'input:not([type=hidden]), select, textarea, [contenteditable]:not([contenteditable="false"]), [role~="combobox" i], [role~="listbox" i], [role~="slider" i], [role~="radio" i], [role~="switch" i], [role~="checkbox" i], [role~="spinbutton" i]';
const MAX_BOX_STEPS = 7;
const OUTERMOST = new Set(['body', 'form', 'fieldset', 'table', 'tr', 'ul', 'ol', 'main', 'section']);

/** The largest element around a control that has no other field: its label, its buttons and what it shows. */
export function widgetBox(roots: readonly Element[]): Element | undefined {
  const [root] = roots;
  if (!root) return undefined;
  let box: Element | undefined;
  for (const outer of ancestors(root, MAX_BOX_STEPS)) {
    if (OUTERMOST.has(tagOf(outer)) || !roots.every((each) => isWithin(outer, each))) break;
    const isForeign = (other: Element) =>
      isSeen(other) && !roots.some((each) => isWithin(each, other) || isWithin(other, each));
    if (fieldsIn(outer).some(isForeign)) break;
    box = outer;
  }
  return box;
}

function fieldsIn(box: Element): Element[] {
  const inShadow = walk(box, 2_000).filter((element) => matches(element, FIELDS));
  return inShadow.filter((element) => !isPopupPart(element, box));
}

/** An open list is not a field of its own. */
const isPopupPart = (element: Element, box: Element) => {
  for (const outer of ancestors(element, 10)) {
    if (outer === box) return false;
    if (['listbox', 'dialog', 'menu', 'grid'].includes(roleOf(outer))) return true;
  }
  return roleOf(element) === 'listbox' && styleOf(element).position !== 'static';
};
