import type { Constraints, Control, ControlForm, ControlKind, ControlOption } from '../page-model.ts';
import type { ControlContextTools } from './control-context.ts';
import type { FactsInPage } from './element-facts.ts';
import type { NameTools } from './name-tools.ts';
import type { RungTools } from './rung-tools.ts';

/** What of a control is known inside its frame; where the frame is, and the order over all frames, come later. */
export type FrameControl = Omit<Control, 'frame' | 'order' | 'parts'> & {
  /** The element whose group it is in, by number, so that parts of a date are known as such. */
  groupIndex: number;
};

/** Runs in the page (see names.ts): single elements as controls. */
export function controlTools(
  names: NameTools,
  rungs: RungTools,
  { groupElement, headingBefore, rowOf, besideOf }: ControlContextTools,
  facts: FactsInPage,
) {
  const { tidy, cut } = names;

  function constraintsOf(element: Element): Constraints {
    const of: Constraints = {};
    const text = (attribute: string) => element.getAttribute(attribute) || undefined;
    const set = (key: 'min' | 'max' | 'step' | 'pattern' | 'inputMode' | 'autocomplete' | 'accept', value?: string) => {
      if (value) of[key] = cut(value);
    };
    set('min', text('min') ?? text('aria-valuemin'));
    set('max', text('max') ?? text('aria-valuemax'));
    set('step', text('step'));
    set('pattern', text('pattern'));
    set('inputMode', text('inputmode'));
    set('autocomplete', text('autocomplete'));
    set('accept', text('accept'));
    if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
      if (element.maxLength >= 0) of.maxLength = element.maxLength;
      if (element.minLength > 0) of.minLength = element.minLength;
    }
    return of;
  }

  function isRequired(element: Element, name: string): boolean {
    if ('required' in element && element.required === true) return true;
    if (element.getAttribute('aria-required') === 'true') return true;
    return /\*$|\(required\)$|^\*/i.test(name);
  }

  function isDisabled(element: Element): boolean {
    return element.matches(':disabled') || element.getAttribute('aria-disabled') === 'true';
  }

  function formOf(element: Element): ControlForm | null {
    const form = 'form' in element && element.form instanceof HTMLFormElement ? element.form : element.closest('form');
    if (!form) return null;
    // By its attributes: the properties of a form are its inputs first.
    const text = (attribute: string) => form.getAttribute(attribute) || null;
    const action = text('action') ?? '';
    return {
      id: text('id'),
      name: text('name'),
      action: URL.parse(action, document.baseURI)?.href ?? action,
      method: (text('method') ?? 'get').toLowerCase(),
      index: [...document.querySelectorAll('form')].indexOf(form),
    };
  }

  /** Whether a person can get at it: it is seen itself, or the label that stands for it is. */
  function reach(element: Element): { visible: boolean; byLabel: boolean } {
    if (names.isSeen(element)) return { visible: true, byLabel: false };
    const replaceable = element instanceof HTMLInputElement && /^(radio|checkbox|file)$/.test(element.type);
    const byLabel = replaceable && labelsFor(element).some((label) => names.isSeen(label));
    return { visible: byLabel, byLabel };
  }

  function labelsFor(element: Element): Element[] {
    return [...names.labelsOf(element), ...names.byIds(element, 'aria-labelledby')];
  }

  function errorOf(element: Element): string {
    const invalid = element.getAttribute('aria-invalid');
    const said = names.byIds(element, 'aria-errormessage').filter((each) => names.isSeen(each));
    if (said.length > 0 && invalid !== 'false') return said.map((each) => names.textOf(each)).join(' ');
    return element.matches(':user-invalid') && 'validationMessage' in element ? String(element.validationMessage) : '';
  }

  function nativeOptions(element: HTMLSelectElement, most: number): ControlOption[] {
    return [...element.options].slice(0, most).map((option) => ({
      label: tidy(option.label || option.textContent),
      value: option.value,
      selected: option.selected,
      disabled:
        option.disabled || (option.parentElement instanceof HTMLOptGroupElement && option.parentElement.disabled),
      ladder: [],
      visible: true,
    }));
  }

  /** Of a list box, of what a combobox controls, or of a data list. */
  function listed(element: Element, most: number): { options: ControlOption[]; count: number } {
    if (element instanceof HTMLSelectElement)
      return { options: nativeOptions(element, most), count: element.options.length };
    if (element instanceof HTMLInputElement && element.list) {
      const all = [...element.list.options];
      const options = all.slice(0, most).map((option) => ({
        label: tidy(option.label || option.textContent) || option.value,
        value: option.value,
        selected: option.value === element.value,
        disabled: option.disabled,
        ladder: [],
        visible: true,
      }));
      return { options, count: all.length };
    }
    const lists = [element, ...names.byIds(element, 'aria-controls'), ...names.byIds(element, 'aria-owns')];
    const all = lists.flatMap((list) => [...list.querySelectorAll('[role=option]')]);
    return { options: all.slice(0, most).map(ariaOption), count: all.length };
  }

  function ariaOption(option: Element): ControlOption {
    const label = names.nameOf(option);
    return {
      label,
      value: option.getAttribute('data-value') ?? option.getAttribute('value') ?? label,
      selected: option.getAttribute('aria-selected') === 'true',
      disabled: isDisabled(option),
      ladder: rungs.ladderOf(option),
      visible: names.isSeen(option),
    };
  }

  function describe(element: Element, kind: ControlKind, most: number): FrameControl {
    const found = names.nameOf(element);
    const isClick = /^(button|submit|reset|link|tab|menu-item)$/.test(kind);
    const name = found || (isClick ? '' : names.wordsBefore(element));
    const group = groupElement(element);
    const { options, count } = isClick ? { options: [], count: 0 } : listed(element, most);
    const text = (attribute: string) => element.getAttribute(attribute) || null;
    const [elementFacts] = facts([element]);
    const error = errorOf(element);
    return {
      kind,
      role: names.roleOf(element),
      name,
      group: group ? names.nameOf(group) : '',
      description: cut(
        tidy(
          names
            .byIds(element, 'aria-describedby')
            .map((each) => names.textOf(each))
            .join(' '),
        ),
      ),
      beside: isClick ? '' : besideOf(element),
      placeholder: tidy(text('placeholder')),
      heading: isClick ? '' : headingBefore(element),
      row: isClick ? '' : rowOf(element),
      required: isRequired(element, name),
      constraints: constraintsOf(element),
      options,
      optionCount: count,
      ...reach(element),
      disabled: isDisabled(element),
      readOnly: element.hasAttribute('readonly') || element.getAttribute('aria-readonly') === 'true',
      invalid: element.getAttribute('aria-invalid') === 'true' || element.matches(':user-invalid'),
      error: cut(error),
      value: cut(elementFacts?.value ?? '', 1000),
      checked: elementFacts?.checked ?? null,
      tag: element.localName,
      type: text('type') ?? (element instanceof HTMLButtonElement ? element.type : null),
      id: text('id'),
      nameAttribute: text('name'),
      className: text('class'),
      testId: rungs.testIdOf(element),
      href: element instanceof HTMLAnchorElement ? element.href : null,
      form: formOf(element),
      inShadow: element.getRootNode() instanceof ShadowRoot,
      ladder: rungs.ladderOf(element),
      groupIndex: -1,
    };
  }

  return { kindOf: (element: Element) => facts([element])[0]?.kind, describe, groupElement };
}

export type ControlTools = ReturnType<typeof controlTools>;
