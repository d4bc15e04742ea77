import type { ShownValue, WidgetOption, WidgetPattern } from '../snapshot/page-snapshot.ts';
import { controlledElements, nameOf, roleOf } from './accessibility.ts';
import { isSeen } from './geometry.ts';
import { shownText, tidyText } from './text.ts';
import { attribute, hasAttribute, queryAll, tagOf } from './tree.ts';
import { checkedState, isDisabled } from './widget-state.ts';

/** What a person can see in a control that is one element. */
export function shownValue(element: Element, pattern: WidgetPattern): ShownValue {
  const tag = tagOf(element);
  if (tag === 'select') return selectValue(element as HTMLSelectElement);
  if (['checkbox', 'switch', 'toggle-button', 'tab', 'menu-item', 'tree-item'].includes(pattern))
    return checkedState(element) ?? (pattern === 'checkbox' || pattern === 'switch' ? null : '');
  if (pattern === 'slider' || pattern === 'spinbutton') return rangeValue(element);
  if (tag === 'input' || tag === 'textarea') return fieldText(element as HTMLInputElement);
  if (pattern === 'listbox') return selectedOptions(element);
  if (pattern === 'combobox') return comboboxText(element);
  if (pattern === 'rich-text') return tidyText((element as HTMLElement).innerText);
  return '';
}

function selectValue(select: HTMLSelectElement): ShownValue {
  const chosen = [...select.selectedOptions].map((option) => tidyText(option.label));
  return select.multiple ? chosen : (chosen[0] ?? '');
}

/** The text of a field; of a list of files their names. */
export function fieldText(field: HTMLInputElement | HTMLTextAreaElement): string | null {
  if (field.type === 'password') return null;
  if (field.type === 'file')
    return [...((field as HTMLInputElement).files ?? [])].map(({ name }) => tidyText(name)).join(', ');
  return tidyText(field.value);
}

export function rangeValue(element: Element): string | null {
  if (tagOf(element) === 'input') return fieldText(element as HTMLInputElement);
  const inner = queryAll(element, 'input')[0];
  const now = attribute(element, 'aria-valuenow');
  if (now !== null) return tidyText(attribute(element, 'aria-valuetext') ?? now);
  if (inner) return fieldText(inner as HTMLInputElement);
  // The text of a value without a value says that there is none, such as `Empty`.
  return hasAttribute(element, 'aria-valuetext') ? '' : null;
}

function selectedOptions(listbox: Element): string[] {
  return optionElements(listbox).flatMap((option) => (checkedState(option) === true ? optionName(option) : []));
}

/** An editable combobox has an input; a select-only one shows the chosen option as its content. */
function comboboxText(element: Element): string {
  const input = queryAll(element, 'input, textarea')[0];
  const text = input ? fieldText(input as HTMLInputElement) : '';
  return text || shownText(element, 200, (inner) => roleOf(inner) === 'listbox');
}

const optionName = (option: Element): string => nameOf(option) || shownText(option, 200);

/** The elements of the options that a list, or the list of a combobox, has in the page now. */
function optionElements(element: Element): Element[] {
  if (tagOf(element) === 'select') return [...(element as HTMLSelectElement).options];
  const lists = [element, ...controlledElements(element)];
  const found = lists.flatMap((list) => [...queryAll(list, '[role~="option" i], [role~="treeitem" i]')]);
  return [...new Set(found)];
}

/** Options up to a limit, and how many there are. */
export function widgetOptions(element: Element, limit: number): { options: WidgetOption[]; optionCount: number } {
  const list = tagOf(element) === 'input' ? (element as HTMLInputElement).list : null;
  const elements = list ? [...list.options] : optionElements(element);
  const options = elements.slice(0, limit).map(toOption);
  return { options, optionCount: elements.length };
}

export function toOption(option: Element): WidgetOption {
  const isNative = tagOf(option) === 'option';
  const name = isNative
    ? tidyText((option as HTMLOptionElement).label || (option as HTMLOptionElement).value, 200)
    : optionName(option);
  const value = 'value' in option ? String(option.value) : (attribute(option, 'data-value') ?? '');
  return {
    name,
    value: tidyText(value, 200),
    isSelected: checkedState(option) === true,
    isDisabled: isDisabled(option),
  };
}

/** The label of a radio button or checkbox where the accessible name is empty. */
export function choiceName(choice: Element): string {
  const name = nameOf(choice);
  if (name) return name;
  const labels = 'labels' in choice ? [...((choice as HTMLInputElement).labels ?? [])] : [];
  return (
    tidyText(labels.find(isSeen)?.textContent, 200) ||
    shownText(choice, 200) ||
    tidyText(attribute(choice, 'value'), 200)
  );
}
