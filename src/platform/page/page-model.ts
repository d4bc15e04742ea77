/**
 * What a page offers to a user: its controls by name, kind and constraints, its error messages, and how each control is
 * found again. Plain data that can be stored, compared and sent.
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

/** One way to find an element. `frame` leads to its frame: selectors of iframes, outermost first. */
export interface Rung {
  by: 'test-id' | 'role' | 'label' | 'placeholder' | 'id' | 'name' | 'text' | 'css' | 'selector';
  /** The test id, accessible name, label, placeholder, id, name, text, CSS, or any selector of Playwright. */
  value: string;
  role?: string;
  /** The attribute that contains the test id. */
  attribute?: string;
  /** The tag of the element if the value alone is ambiguous: `input`, `select` … */
  tag?: string;
  frame?: string[];
}

/** Best first. Each rung found only this element when the page was read. */
export type Ladder = Rung[];

export interface ControlOption {
  label: string;
  value: string;
  selected: boolean;
  disabled: boolean;
  /** Locator of a radio button or checkbox of a group, or of an option that is an element. */
  ladder: Ladder;
  /** The option or its label is visible. */
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
  /** Index of the form in its frame, from 0. */
  index: number;
}

export interface Control {
  kind: ControlKind;
  /** The role in the accessibility tree: `textbox`, `button` … */
  role: string;
  /** The accessible name, or the nearest text that a user reads as the name. */
  name: string;
  /** The question of a group of controls: a legend, or the name of a group. */
  group: string;
  /** Hints linked by `aria-describedby`. */
  description: string;
  /** Text next to the control in the same box, without a link to it. */
  beside: string;
  placeholder: string;
  /** The heading before the control. */
  heading: string;
  /** The first cell of the table row that contains the control. */
  row: string;
  required: boolean;
  constraints: Constraints;
  /** Options of selects, groups and list boxes. Typeaheads have those that are already in the page. */
  options: ControlOption[];
  /** Total number of options if only some are listed. */
  optionCount: number;
  /** The control is visible, or, for a hidden radio button, checkbox or file input, its label is. */
  visible: boolean;
  /** The element itself is invisible; it is used through its label. */
  byLabel: boolean;
  disabled: boolean;
  readOnly: boolean;
  invalid: boolean;
  /** The error message of the page for this control. */
  error: string;
  /** The current value; for a group the chosen values, separated by commas. Never the value of a password. */
  value: string;
  /** State of a checkbox or switch; null for other kinds. */
  checked: boolean | null;
  tag: string;
  type: string | null;
  id: string | null;
  nameAttribute: string | null;
  className: string | null;
  testId: string | null;
  href: string | null;
  form: ControlForm | null;
  /** Selectors of the iframes around the control, outermost first; empty in the page itself. */
  frame: string[];
  inShadow: boolean;
  /** Position in the order of the page, from 0. */
  order: number;
  ladder: Ladder;
  /** Month, day and year fields of a date in three parts. */
  parts: { part: 'year' | 'month' | 'day'; control: Control }[];
}

export interface PageError {
  text: string;
  /** The name of the control that the message belongs to; empty if unknown. */
  control: string;
  /** Index of that control in the list, if it is there. */
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
  /** Open dialogs that the page draws. */
  dialogs: { name: string; modal: boolean }[];
  controls: Control[];
  errors: PageError[];
  /** What was left out because of its size, in words. */
  left: string[];
}

const notFields: readonly ControlKind[] = ['button', 'submit', 'reset', 'link', 'tab', 'menu-item'];

/** A control that takes a value instead of a click. */
export function isField({ kind }: Pick<Control, 'kind'>): boolean {
  return !notFields.includes(kind);
}

/** The title of a page by its first heading of the highest level. */
export function firstHeading({ headings }: Pick<PageReading, 'headings'>): string | undefined {
  return (headings.find(({ level }) => level === 1) ?? headings[0])?.text;
}
