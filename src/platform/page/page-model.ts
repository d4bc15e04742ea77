/**
 * What a page shows to somebody who wants to use it: its controls by name, kind and constraints, what it says about
 * errors, and how each control is found again. Plain data, so that it can be stored, compared and sent.
 */

export type ControlKind =
  | 'text'
  | 'number'
  | 'date'
  | 'date-parts'
  | 'time'
  | 'datetime'
  | 'month'
  | 'week'
  | 'email'
  | 'tel'
  | 'url'
  | 'password'
  | 'search'
  | 'textarea'
  | 'rich-text'
  | 'select'
  | 'multi-select'
  | 'listbox'
  | 'typeahead'
  | 'radio-group'
  | 'radio'
  | 'checkbox'
  | 'checkbox-group'
  | 'switch'
  | 'file'
  | 'range'
  | 'colour'
  | 'button'
  | 'submit'
  | 'reset'
  | 'link'
  | 'tab'
  | 'menu-item';

/** How an element is found: one way of several. `frame` leads to its frame: selectors of iframes, outermost first. */
export interface Rung {
  by: 'test-id' | 'role' | 'label' | 'placeholder' | 'id' | 'name' | 'text' | 'css' | 'selector';
  /** The test id, accessible name, label, placeholder, id, name, text, CSS, or any selector of Playwright's. */
  value: string;
  role?: string;
  /** The attribute that holds the test id. */
  attribute?: string;
  /** What the element is besides, where the value alone would be ambiguous: `input`, `select` … */
  tag?: string;
  frame?: string[];
}

/** Best first. Each rung led to this element alone when the page was read. */
export type Ladder = Rung[];

export interface ControlOption {
  label: string;
  value: string;
  selected: boolean;
  disabled: boolean;
  /** Of a radio button or checkbox of a group, or an option that is an element of its own. */
  ladder: Ladder;
  /** Can be seen, or has a label that can. */
  visible: boolean;
}

export interface Constraints {
  min?: string;
  max?: string;
  step?: string;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  inputMode?: string;
  autocomplete?: string;
  accept?: string;
}

export interface ControlForm {
  id: string | null;
  name: string | null;
  action: string;
  method: string;
  /** The how-manieth form of its frame, from 0. */
  index: number;
}

export interface Control {
  kind: ControlKind;
  /** The role in the accessibility tree: `textbox`, `button` … */
  role: string;
  /** The accessible name, or the nearest thing to it that a person reads. */
  name: string;
  /** The question that a group of controls belongs to: a legend, or the name of a group. */
  group: string;
  /** Hints that are tied to it by `aria-describedby`. */
  description: string;
  /** What stands beside it in the same box without being tied to it. */
  beside: string;
  placeholder: string;
  /** The heading before it. */
  heading: string;
  /** What the row of a table begins with that it is in. */
  row: string;
  required: boolean;
  constraints: Constraints;
  /** Of selects, groups, list boxes. Typeaheads have those that the page holds already. */
  options: ControlOption[];
  /** How many options there are, where only some are listed. */
  optionCount: number;
  /** Can be seen, or, for a hidden radio button, checkbox or file, has a label that can. */
  visible: boolean;
  /** The element itself cannot be seen: it is reached by its label. */
  byLabel: boolean;
  disabled: boolean;
  readOnly: boolean;
  invalid: boolean;
  /** What the page says is wrong with it. */
  error: string;
  /** What it holds; for a group the chosen values, joined by a comma. Never that of a password. */
  value: string;
  /** Of checkboxes and switches; null for everything else. */
  checked: boolean | null;
  tag: string;
  type: string | null;
  id: string | null;
  nameAttribute: string | null;
  className: string | null;
  testId: string | null;
  href: string | null;
  form: ControlForm | null;
  /** Selectors of the iframes that it lies in, outermost first; empty in the page itself. */
  frame: string[];
  inShadow: boolean;
  /** From 0, in the order of the page. */
  order: number;
  ladder: Ladder;
  /** Month, day and year of a date in three parts. */
  parts: { part: 'year' | 'month' | 'day'; control: Control }[];
}

export interface PageError {
  text: string;
  /** The name of the control that it belongs to; empty where that is not known. */
  control: string;
  /** Where that control stands in the list, if it does. */
  order: number | null;
}

export interface Heading {
  level: number;
  text: string;
}

export interface PageReading {
  url: string;
  title: string;
  language: string;
  headings: Heading[];
  landmarks: { role: string; name: string }[];
  /** Dialogs that the page itself draws, and that are open. */
  dialogs: { name: string; modal: boolean }[];
  controls: Control[];
  errors: PageError[];
  /** What was left out because there was too much of it, in words. */
  left: string[];
}

const notFields: readonly ControlKind[] = ['button', 'submit', 'reset', 'link', 'tab', 'menu-item'];

/** Something that takes a value, rather than a click. */
export function isField({ kind }: Pick<Control, 'kind'>): boolean {
  return !notFields.includes(kind);
}

/** What a page is called by its first heading, the highest if there is one. */
export function firstHeading({ headings }: Pick<PageReading, 'headings'>): string | undefined {
  return (headings.find(({ level }) => level === 1) ?? headings[0])?.text;
}
