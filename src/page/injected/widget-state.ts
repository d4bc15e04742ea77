import type { WidgetConstraints, WidgetState } from '../snapshot/page-snapshot.ts';
import { coverOf } from './geometry.ts';
import { attribute, closest, hasAttribute, matches, tagOf } from './tree.ts';

/** Native state or ARIA, of the element or of what contains it. */
export function isDisabled(element: Element): boolean {
  if (matches(element, ':disabled') || closest(element, '[inert]')) return true;
  return closest(element, '[aria-disabled="true" i]') !== null;
}

export function isReadOnly(element: Element): boolean {
  return matches(element, 'input[readonly], textarea[readonly]') || isTrue(element, 'aria-readonly');
}

/** Takes text from the keyboard. */
export function isEditable(element: Element): boolean {
  if (isReadOnly(element) || matches(element, ':disabled')) return false;
  if (tagOf(element) === 'input') return !NOT_TYPED.has((element as HTMLInputElement).type);
  return tagOf(element) === 'textarea' || (element as HTMLElement).isContentEditable === true;
}

const NOT_TYPED = new Set([
  'button',
  'checkbox',
  'color',
  'file',
  'hidden',
  'image',
  'radio',
  'range',
  'reset',
  'submit',
]);

export const isTrue = (element: Element, name: string): boolean => attribute(element, name)?.toLowerCase() === 'true';

/** Checked, selected, pressed or on. Undefined for elements without such a state. */
export function checkedState(element: Element): boolean | 'mixed' | undefined {
  if (tagOf(element) === 'input') {
    const { type, checked, indeterminate } = element as HTMLInputElement;
    if (type === 'checkbox' && indeterminate) return 'mixed';
    if (type === 'checkbox' || type === 'radio') return checked;
  }
  if (tagOf(element) === 'option') return (element as HTMLOptionElement).selected;
  for (const name of ['aria-checked', 'aria-pressed', 'aria-selected']) {
    const value = attribute(element, name)?.toLowerCase();
    if (value === 'mixed') return 'mixed';
    if (value !== undefined) return value === 'true';
  }
  return undefined;
}

export function widgetState(element: Element): WidgetState {
  const expanded = attribute(element, 'aria-expanded');
  const isOpen = tagOf(element) === 'summary' && closest(element, 'details')?.matches('[open]');
  return {
    isDisabled: isDisabled(element),
    isReadOnly: isReadOnly(element),
    isRequired: matches(element, ':required') || isTrue(element, 'aria-required'),
    isInvalid: isInvalid(element),
    ...(expanded !== null && { isExpanded: expanded === 'true' }),
    ...(isOpen !== undefined && { isExpanded: isOpen }),
    isObscured: coverOf(element) !== null,
  };
}

/** The page says so, or the browser does after the user touched it. */
export function isInvalid(element: Element): boolean {
  const own = attribute(element, 'aria-invalid')?.toLowerCase();
  return (own !== undefined && own !== '' && own !== 'false') || matches(element, ':user-invalid');
}

export function widgetConstraints(element: Element): WidgetConstraints {
  const constraints: WidgetConstraints = {};
  const text = (name: string, ...keys: string[]) => keys.map((key) => attribute(element, key)).find(Boolean) ?? name;
  const min = text('', 'aria-valuemin', 'min');
  const max = text('', 'aria-valuemax', 'max');
  const step = text('', 'step');
  const pattern = text('', 'pattern');
  const autocomplete = text('', 'autocomplete');
  const accept = text('', 'accept');
  if (tagOf(element) === 'input') constraints.type = (element as HTMLInputElement).type;
  if (min) constraints.min = min;
  if (max) constraints.max = max;
  if (step) constraints.step = step;
  if (pattern) constraints.pattern = pattern.slice(0, 200);
  if (autocomplete && autocomplete !== 'off') constraints.autocomplete = autocomplete.slice(0, 100);
  if (accept) constraints.accept = accept.slice(0, 200);
  for (const [key, name] of [
    ['minLength', 'minlength'],
    ['maxLength', 'maxlength'],
  ] as const) {
    const length = Number.parseInt(attribute(element, name) ?? '', 10);
    if (length >= 0) constraints[key] = length;
  }
  if (hasAttribute(element, 'multiple') || isTrue(element, 'aria-multiselectable')) constraints.isMultiple = true;
  return constraints;
}
