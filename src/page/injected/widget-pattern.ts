import type { WidgetPattern } from '../snapshot/page-snapshot.ts';
import { isDropdown } from './accessibility.ts';
import { isDateFormat } from './date-words.ts';
import { attribute, hasAttribute, matches, tagOf } from './tree.ts';

const BY_ROLE: Record<string, WidgetPattern> = {
  checkbox: 'checkbox',
  combobox: 'combobox',
  link: 'link',
  listbox: 'listbox',
  menuitem: 'menu-item',
  menuitemcheckbox: 'menu-item',
  menuitemradio: 'menu-item',
  option: 'menu-item',
  searchbox: 'text',
  slider: 'slider',
  spinbutton: 'spinbutton',
  switch: 'switch',
  tab: 'tab',
  treeitem: 'tree-item',
};

const BY_INPUT_TYPE: Record<string, WidgetPattern> = {
  color: 'color',
  date: 'date',
  'datetime-local': 'datetime',
  file: 'file',
  month: 'month',
  time: 'time',
  week: 'week',
};

/** The pattern of one element that is a control of its own. Undefined: it is none, or it is not known which. */
export function patternOf(element: Element, role: string): WidgetPattern | undefined {
  if (tagOf(element) === 'input') {
    const native = BY_INPUT_TYPE[(element as HTMLInputElement).type];
    if (native) return native;
  }
  if (tagOf(element) === 'select') return isDropdown(element as HTMLSelectElement) ? 'combobox' : 'listbox';
  if (role === 'textbox') return textPattern(element);
  if (role === 'button') return buttonPattern(element);
  return BY_ROLE[role];
}

function textPattern(element: Element): WidgetPattern | undefined {
  // Some libraries give the role to a box of other controls.
  if (!matches(element, 'input, textarea') && !(element as HTMLElement).isContentEditable) return undefined;
  const popup = attribute(element, 'aria-haspopup')?.toLowerCase();
  if (popup === 'listbox') return 'combobox';
  if (popup === 'dialog' || popup === 'grid' || isDateFormat(attribute(element, 'placeholder') ?? '')) return 'date';
  return matches(element, 'input, textarea') ? 'text' : 'rich-text';
}

function buttonPattern(element: Element): WidgetPattern {
  const popup = attribute(element, 'aria-haspopup')?.toLowerCase();
  if (popup === 'listbox') return 'combobox';
  if (popup === 'menu' || popup === 'true') return 'menu-button';
  if (hasAttribute(element, 'aria-pressed')) return 'toggle-button';
  return hasAttribute(element, 'aria-expanded') || tagOf(element) === 'summary' ? 'disclosure' : 'button';
}

/** Roles that a person operates. */
export function isWidgetRole(role: string): boolean {
  return role in BY_ROLE || ['button', 'radio', 'textbox', 'gridcell', 'scrollbar'].includes(role);
}

/** Elements that contain parts of themselves: options, inputs, buttons to open them. */
export function absorbsChildren(pattern: WidgetPattern): boolean {
  return ['combobox', 'listbox', 'slider', 'spinbutton', 'switch', 'checkbox', 'rich-text'].includes(pattern);
}
