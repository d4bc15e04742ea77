import { describingElements, errorMessageElements } from './accessibility.ts';
import { isSeen } from './geometry.ts';
import { shownText, tidyText } from './text.ts';
import { ancestors, attribute, matches, queryAll, styleOf, tagOf, walk } from './tree.ts';
import { isInvalid } from './widget-state.ts';

const FIELDS =
  'input:not([type=hidden]), select, textarea, [role~="combobox" i], [role~="listbox" i], [contenteditable]';

/**
 * What the page says is wrong with a control: its `aria-errormessage`, an alert or coloured text in the box of the field, or, for an
 * invalid one, what describes it.
 */
export function errorOf(members: readonly Element[]): string {
  const [first] = members;
  if (!first) return '';
  const texts = (elements: readonly Element[]) => [...new Set(elements.filter(isSeen).map((each) => shownText(each)))];
  const isMarked = members.some(isInvalid);
  const named = isMarked ? texts(members.flatMap(errorMessageElements)) : [];
  if (named.some(Boolean)) return tidyText(named.join(' '));
  const box = fieldBox(members);
  const warnings = box ? texts(walk(box, 300).filter((each) => isWarning(each, members))) : [];
  if (warnings.some(Boolean)) return tidyText(warnings.join(' '));
  const describing = members.flatMap(describingElements);
  const coloured = texts(describing.filter((each) => isMarked || isErrorColour(styleOf(each).color)));
  return tidyText(coloured.join(' '));
}

/** The largest ancestor that contains no other field. */
export function fieldBox(members: readonly Element[]): Element | undefined {
  const [first] = members;
  if (!first) return undefined;
  let box: Element | undefined;
  for (const outer of ancestors(first, 8)) {
    if (['body', 'form', 'table', 'tr', 'fieldset'].includes(tagOf(outer))) break;
    const others = [...queryAll(outer, FIELDS)].filter((other) => !members.includes(other) && !isPart(other, members));
    if (others.length > 0) break;
    box = outer;
  }
  return box;
}

const isPart = (other: Element, members: readonly Element[]) =>
  attribute(other, 'aria-hidden') === 'true' ||
  members.some((member) => member.contains(other) || other.contains(member));

/** Text that a page sets off as a warning. A required mark is too short, and a label names the field in any colour. */
function isWarning(element: Element, members: readonly Element[]): boolean {
  // Most elements have no text of their own, and looking for it costs least.
  const isAlert = matches(element, '[role="alert"], [aria-live="assertive"]');
  if (!isAlert && !hasOwnWords(element)) return false;
  if (matches(element, 'label, legend, label *, legend *, button, a, input, select, textarea, option')) return false;
  if (members.some((member) => element.contains(member))) return false;
  return (isAlert || isErrorColour(styleOf(element).color)) && isSeen(element);
}

function hasOwnWords(element: Element): boolean {
  for (let node = element.firstChild; node; node = node.nextSibling)
    if (node.nodeType === Node.TEXT_NODE && (node as Text).data.trim().length > 2) return true;
  return false;
}

/** A saturated red, which people read as an error. */
export function isErrorColour(colour: string): boolean {
  const [red = 0, green = 0, blue = 0, alpha = 1] = (colour.match(/[\d.]+/g) ?? []).map(Number);
  if (!colour.startsWith('rgb') || alpha < 0.3) return false;
  return red > 120 && green < red * 0.55 && blue < red * 0.6;
}
