import { computeAccessibleDescription, computeAccessibleName } from 'dom-accessibility-api';
import { shownText, tidyText } from './text.ts';
import { ancestors, attribute, byId, hasAttribute, matches, referenced, styleOf, tagOf, windowOf } from './tree.ts';

/** Roles of WAI-ARIA 1.3 that an author may use. Unknown words in a role attribute are skipped. */
const ROLES = new Set(
  `alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox comment
  complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid gridcell group
  heading image img insertion link list listbox listitem log main mark marquee math menu menubar menuitem menuitemcheckbox
  menuitemradio meter navigation none note option paragraph presentation progressbar radio radiogroup region row rowgroup rowheader
  scrollbar search searchbox sectionfooter sectionheader separator slider spinbutton status strong subscript suggestion superscript
  switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem`.split(/\s+/),
);

const INPUT_ROLES: Record<string, string> = {
  button: 'button',
  checkbox: 'checkbox',
  email: 'textbox',
  image: 'button',
  number: 'spinbutton',
  radio: 'radio',
  range: 'slider',
  reset: 'button',
  search: 'searchbox',
  submit: 'button',
  tel: 'textbox',
  text: 'textbox',
  url: 'textbox',
  password: 'textbox',
};

/** HTML-AAM 1.0. Elements that are not listed have no role that matters here. */
const TAG_ROLES: Record<string, string> = {
  address: 'group',
  article: 'article',
  aside: 'complementary',
  button: 'button',
  datalist: 'listbox',
  dd: 'definition',
  details: 'group',
  dialog: 'dialog',
  dt: 'term',
  fieldset: 'group',
  figure: 'figure',
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  h4: 'heading',
  h5: 'heading',
  h6: 'heading',
  hr: 'separator',
  li: 'listitem',
  main: 'main',
  menu: 'list',
  meter: 'meter',
  nav: 'navigation',
  ol: 'list',
  optgroup: 'group',
  option: 'option',
  output: 'status',
  progress: 'progressbar',
  search: 'search',
  summary: 'button',
  table: 'table',
  tbody: 'rowgroup',
  textarea: 'textbox',
  tfoot: 'rowgroup',
  thead: 'rowgroup',
  tr: 'row',
  ul: 'list',
};

/** The role of an element by WAI-ARIA and HTML-AAM; empty for those without one, such as `div`. */
export function roleOf(element: Element): string {
  const own = attribute(element, 'role');
  if (own) {
    for (const token of own.toLowerCase().trim().split(/\s+/)) {
      if (!ROLES.has(token)) continue;
      // A role that takes the meaning away does not count on what can be focused.
      if ((token === 'none' || token === 'presentation') && isFocusable(element)) continue;
      return token;
    }
  }
  return implicitRole(element);
}

function implicitRole(element: Element): string {
  const tag = tagOf(element);
  switch (tag) {
    case 'input':
      return inputRole(element as HTMLInputElement);
    case 'select':
      return isDropdown(element as HTMLSelectElement) ? 'combobox' : 'listbox';
    case 'a':
    case 'area':
      return hasAttribute(element, 'href') ? 'link' : '';
    case 'img':
      return attribute(element, 'alt') === '' ? '' : 'img';
    case 'header':
    case 'footer':
      return isOfPage(element) ? (tag === 'header' ? 'banner' : 'contentinfo') : '';
    case 'form':
      return 'form';
    case 'section':
      return hasAttribute(element, 'aria-label') || hasAttribute(element, 'aria-labelledby') ? 'region' : '';
    case 'td':
      return closestGrid(element) ? 'gridcell' : 'cell';
    case 'th':
      return attribute(element, 'scope')?.startsWith('row') ? 'rowheader' : 'columnheader';
    default:
      return TAG_ROLES[tag] ?? (isEditableHost(element) ? 'textbox' : '');
  }
}

function inputRole(input: HTMLInputElement): string {
  const role = INPUT_ROLES[input.type] ?? '';
  const hasList = (role === 'textbox' || role === 'searchbox') && input.list !== null && input.type !== 'password';
  return hasList ? 'combobox' : role;
}

export const isDropdown = (select: HTMLSelectElement): boolean => !select.multiple && select.size <= 1;

const closestGrid = (cell: Element) => Element.prototype.closest.call(cell, '[role="grid"], [role="treegrid"]');

function isOfPage(element: Element): boolean {
  for (const outer of ancestors(element))
    if (['article', 'aside', 'main', 'nav', 'section'].includes(tagOf(outer))) return false;
  return true;
}

const EDITABLE = '[contenteditable=""], [contenteditable="true" i], [contenteditable="plaintext-only" i]';
/** The element whose content can be edited, not one within it. */
export const isEditableHost = (element: Element): boolean => matches(element, EDITABLE);

function isFocusable(element: Element): boolean {
  if (matches(element, 'input:not([type=hidden]), select, textarea, button, a[href], summary, [tabindex]'))
    return !matches(element, ':disabled');
  return isEditableHost(element);
}

/** The name of these can be their content. */
const NAMED_BY_CONTENT =
  /^(?:button|cell|checkbox|columnheader|gridcell|heading|link|menuitem(?:checkbox|radio)?|option|radio|row|rowheader|switch|tab|treeitem)$/;

/** The accessible name by accname 1.2. */
export function nameOf(element: Element): string {
  const name = attempt(() => computeAccessibleName(element, { getComputedStyle: style }));
  if (name !== '') return name;
  const own =
    attribute(element, 'title') || attribute(element, 'placeholder') || attribute(element, 'aria-placeholder');
  if (own) return tidyText(own);
  return NAMED_BY_CONTENT.test(roleOf(element)) ? shownText(element) : '';
}

export function descriptionOf(element: Element): string {
  return attempt(() => computeAccessibleDescription(element, { getComputedStyle: style }));
}

/** The library reads properties that the fields of a form can hide. */
function attempt(compute: () => string): string {
  try {
    return tidyText(compute());
  } catch (error) {
    if (error instanceof TypeError) return '';
    throw error;
  }
}

/** Styles for the library, which does not know the second part of `content: "★" / "Star"`: the text for those who cannot see it. */
function style(element: Element, pseudo?: string | null): CSSStyleDeclaration {
  if (!pseudo) return styleOf(element);
  const real = windowOf(element).getComputedStyle(element, pseudo);
  const [, text] = /^(?:".*?"|url\(.*?\))\s*\/\s*(".*")$/s.exec(real.content) ?? [];
  if (!text) return real;
  const read = (name: string) => (name === 'content' ? text : real.getPropertyValue(name));
  return new Proxy(real, {
    get: (target, key) => (key === 'getPropertyValue' ? read : Reflect.get(target, key, target)),
  });
}

export const labelsOf = (element: Element): readonly Element[] => {
  const named = referenced(element, 'aria-labelledby');
  const own = 'labels' in element ? (element as HTMLInputElement).labels : null;
  return [...named, ...(own ?? [])];
};

/** The texts that `aria-describedby` names, each on its own. */
export function describingElements(element: Element): Element[] {
  return referenced(element, 'aria-describedby');
}

export function errorMessageElements(element: Element): Element[] {
  return referenced(element, 'aria-errormessage');
}

/** The list or dialog that a control opens, if it names one that is in the page. */
export function controlledElements(element: Element): Element[] {
  return [...referenced(element, 'aria-controls'), ...referenced(element, 'aria-owns')];
}

export const activeDescendant = (element: Element): Element | null => {
  const id = attribute(element, 'aria-activedescendant');
  return id ? byId(element, id) : null;
};
