import type { ControlKind } from '../page-model.ts';

/** What is known of an element at a glance. */
export interface ElementFacts {
  /** Undefined for what is no control. */
  kind: ControlKind | undefined;
  tag: string;
  type: string | null;
  /** What it holds; nothing for a password. */
  value: string;
  /** Of radio buttons, checkboxes and switches; null for everything else. */
  checked: boolean | null;
  /** It has a size and is not hidden. */
  visible: boolean;
  disabled: boolean;
  /** The texts of what is chosen in a list. */
  chosen: string[];
  /** What the label says of a radio button or checkbox that is not displayed, and so has no name in the tree. */
  hiddenName: string;
  /** Why a field would not be sent as it is, in the browser's words; `valid` where it would be. */
  validity: string[];
}

/** Runs in the page: stands alone, since only its text travels there. */
export function factsInPage(elements: readonly Element[]): ElementFacts[] {
  const inputKinds: Record<string, ControlKind> = {
    number: 'number',
    date: 'date',
    time: 'time',
    'datetime-local': 'datetime',
    month: 'month',
    week: 'week',
    email: 'email',
    tel: 'tel',
    url: 'url',
    password: 'password',
    search: 'search',
    checkbox: 'checkbox',
    radio: 'radio',
    file: 'file',
    range: 'range',
    color: 'colour',
    button: 'button',
    submit: 'submit',
    image: 'submit',
    reset: 'reset',
  };
  const roleKinds: Record<string, ControlKind> = {
    button: 'button',
    link: 'link',
    tab: 'tab',
    textbox: 'rich-text',
    searchbox: 'rich-text',
    combobox: 'listbox',
    listbox: 'listbox',
    switch: 'switch',
    slider: 'range',
    spinbutton: 'rich-text',
    radio: 'radio',
    checkbox: 'checkbox',
    menuitem: 'menu-item',
    menuitemradio: 'menu-item',
    menuitemcheckbox: 'menu-item',
  };
  const tidy = (text: string | null) => (text ?? '').replace(/\s+/g, ' ').trim();

  function isTypeahead(element: HTMLInputElement): boolean {
    if (!/^(text|search|email|tel|url)$/.test(element.type)) return false;
    if (element.getAttribute('role') === 'combobox' || element.hasAttribute('list')) return true;
    if (/^(list|both)$/.test(element.getAttribute('aria-autocomplete') ?? '')) return true;
    if (element.getAttribute('aria-haspopup') === 'listbox') return true;
    return /type-?ahead|auto-?complete|combo-?box/i.test(`${element.id} ${element.className}`);
  }

  function kindOf(element: Element): ControlKind | undefined {
    const role = tidy(element.getAttribute('role')).split(' ')[0] ?? '';
    if (element instanceof HTMLInputElement) {
      if (role === 'switch') return 'switch';
      if (element.type === 'hidden') return undefined;
      return isTypeahead(element) ? 'typeahead' : (inputKinds[element.type] ?? 'text');
    }
    if (element instanceof HTMLSelectElement) return element.multiple ? 'multi-select' : 'select';
    if (element instanceof HTMLTextAreaElement) return 'textarea';
    if (roleKinds[role]) return roleKinds[role];
    if (element instanceof HTMLButtonElement)
      return element.type === 'button' || !element.form ? 'button' : element.type;
    if (element instanceof HTMLAnchorElement && element.hasAttribute('href')) return 'link';
    if (element instanceof HTMLElement && element.isContentEditable)
      return element.parentElement?.isContentEditable ? undefined : 'rich-text';
    return element.localName === 'summary' || element.hasAttribute('onclick') ? 'button' : undefined;
  }

  function valueOfElement(element: Element): string {
    if (element instanceof HTMLInputElement) {
      if (element.type === 'password') return '';
      if (element.type === 'file') return [...(element.files ?? [])].map((file) => file.name).join(', ');
      return element.value;
    }
    if (element instanceof HTMLSelectElement) return [...element.selectedOptions].map(({ value }) => value).join(', ');
    if (element instanceof HTMLTextAreaElement || element instanceof HTMLButtonElement) return element.value;
    const now = element.getAttribute('aria-valuetext') ?? element.getAttribute('aria-valuenow');
    if (now !== null) return now;
    if (element instanceof HTMLElement && element.isContentEditable) return element.innerText.trim();
    return element.getAttribute('role') === 'combobox' ? tidy(element.textContent) : '';
  }

  function checkedOf(element: Element): boolean | null {
    if (element instanceof HTMLInputElement && /^(checkbox|radio)$/.test(element.type)) return element.checked;
    const said = element.getAttribute('aria-checked');
    return said === null ? null : said === 'true';
  }

  function chosenIn(element: Element): string[] {
    if (element instanceof HTMLSelectElement)
      return [...element.selectedOptions].map((option) => tidy(option.label || option.textContent));
    return [...element.querySelectorAll('[role=option][aria-selected=true]')].map((option) => tidy(option.textContent));
  }

  function hiddenName(element: Element): string {
    if (!(element instanceof HTMLInputElement) || !/^(checkbox|radio)$/.test(element.type)) return '';
    if (element.checkVisibility({ checkVisibilityCSS: true })) return '';
    const label = element.labels?.[0]?.cloneNode(true);
    if (!(label instanceof Element)) return '';
    const whole = tidy(label.textContent);
    // What is said twice, once for the eye and once for the ear, is one name.
    for (const unheard of label.querySelectorAll('[aria-hidden=true]')) unheard.remove();
    return tidy(label.textContent) || whole;
  }

  function validityOf(element: Element): string[] {
    if (!('validity' in element) || !(element.validity instanceof ValidityState)) return [];
    const flags: string[] = [];
    for (const flag in element.validity) if (Reflect.get(element.validity, flag) === true) flags.push(flag);
    return flags;
  }

  return elements.map((element) => ({
    kind: kindOf(element),
    tag: element.localName,
    type: element.getAttribute('type'),
    value: valueOfElement(element),
    checked: checkedOf(element),
    visible:
      element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) &&
      element.getBoundingClientRect().width > 1 &&
      element.getBoundingClientRect().height > 1,
    disabled: element.matches(':disabled') || element.getAttribute('aria-disabled') === 'true',
    chosen: chosenIn(element),
    hiddenName: hiddenName(element),
    validity: validityOf(element),
  }));
}

export type FactsInPage = typeof factsInPage;
