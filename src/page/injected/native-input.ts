import { elementOf, elementsOf } from './element-refs.ts';
import { comparable } from './fresh-elements.ts';
import { tidyText } from './text.ts';
import { focusedElement, isWithin, matches } from './tree.ts';

/** Whether the focus is within a control. */
export function hasFocus({ ref }: { ref: string }): boolean {
  const focused = focusedElement();
  return focused !== null && focused !== document.body && elementsOf(ref).some((root) => isWithin(root, focused));
}

export function dropFocus(): boolean {
  (focusedElement() as HTMLElement | null)?.blur();
  return true;
}

/** Selects options of a native list by their names or values. Answers the ones that it does not have, and those it has. */
export function selectNative({ ref, values }: { ref: string; values: readonly string[] }): {
  missing: string[];
  options: string[];
} {
  const select = elementOf(ref) as HTMLSelectElement;
  const options = [...select.options].filter((option) => !option.disabled);
  const found = values.map((value) => findNative(options, value));
  const missing = values.filter((_, index) => !found[index]);
  const listed = options.slice(0, 30).map((option) => tidyText(option.label, 60));
  if (missing.length > 0) return { missing, options: listed };
  select.focus();
  if (select.multiple) for (const option of select.options) option.selected = found.includes(option);
  else if (found[0]) select.selectedIndex = found[0].index;
  announce(select);
  return { missing: [], options: listed };
}

function findNative(options: readonly HTMLOptionElement[], value: string): HTMLOptionElement | undefined {
  const wanted = comparable(value);
  return (
    options.find((option) => comparable(option.label) === wanted) ??
    options.find((option) => comparable(option.value) === wanted)
  );
}

/** Sets fields whose parts the browser draws, such as dates and colours. False when the browser refused the value. */
export function setNative({ ref, value }: { ref: string; value: string }): boolean {
  const field = elementOf(ref) as HTMLInputElement;
  field.focus();
  field.value = value;
  announce(field);
  return (
    field.value === value || (field.value !== '' && matches(field, '[type=color], [type=time], [type=datetime-local]'))
  );
}

/** As the browser does after a person changed a field: the events cross shadow roots. */
function announce(field: Element): void {
  field.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
}

/** Selects what a text field or editor contains, so that typing replaces it. */
export function selectContent({ ref }: { ref: string }): boolean {
  const element = elementOf(ref);
  if (!element) return false;
  if (matches(element, 'input, textarea')) (element as HTMLInputElement).select();
  else element.ownerDocument.getSelection()?.selectAllChildren(element);
  return true;
}
