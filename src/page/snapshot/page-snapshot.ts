import type { Ladder } from '../../platform/page/page-model.ts';

/**
 * What a page shows, as data that can be stored, compared and sent. Every string comes from the page: it is untrusted, free of
 * control characters, and cut to a limit.
 *
 * The lists are in the order of the page. An id (`c3`) belongs to one snapshot: the next one may give it to another part.
 * `compareSnapshots` finds the same part in two snapshots.
 */
export interface PageSnapshot {
  url: string;
  title: string;
  /** The `lang` of the document; empty without one. */
  language: string;
  regions: PageRegion[];
  groups: ControlGroup[];
  controls: PageControl[];
  /** Visible controls that could not be classified. */
  unknown: UnknownControl[];
  messages: PageMessage[];
  data: PageData[];
  /** What was left out because of a limit, or could not be read, in words. */
  omitted: string[];
}

/** What every part has. */
interface PagePart {
  id: string;
  /** The innermost region or group that contains it; null at the top. */
  parent: string | null;
  role: string;
  name: string;
}

/** A landmark, form, dialog, tab panel or open disclosure. */
export interface PageRegion extends PagePart {
  /** The dialog that makes the rest of the page inert. */
  isModal: boolean;
}

/** Controls that belong together without being one control: a fieldset, a toolbar, a row of a table of questions. */
export interface ControlGroup extends PagePart {
  description: string;
  error: string;
}

/** By ARIA Authoring Practices pattern; by behaviour where a page does not follow them. */
export type WidgetPattern =
  | 'text'
  | 'rich-text'
  | 'spinbutton'
  | 'slider'
  | 'checkbox'
  | 'checkbox-group'
  | 'radio-group'
  | 'switch'
  | 'listbox'
  | 'combobox'
  | 'date'
  | 'time'
  | 'datetime'
  | 'month'
  | 'week'
  | 'color'
  | 'file'
  | 'rating'
  | 'matrix'
  | 'button'
  | 'toggle-button'
  | 'disclosure'
  | 'link'
  | 'tab'
  | 'menu-button'
  | 'menu-item'
  | 'tree-item';

/** Where an element is, for the calls of this layer. It ends with the document. */
export type ElementHandle = string & { readonly brand: 'element' };

export interface PageControl extends PagePart {
  pattern: WidgetPattern;
  /** The text of `aria-describedby`, or the `title` that is not the name. */
  description: string;
  /** The placeholder, empty without one. */
  placeholder: string;
  /**
   * What a person can see in it: text, the chosen option, the chosen options, on or off. Null where nothing is readable, and for
   * passwords. A matrix has the chosen column of each row.
   */
  value: ShownValue;
  state: WidgetState;
  constraints: WidgetConstraints;
  /** Of groups, lists and native selects. An empty list does not say that there are none: they may appear when it opens. */
  options: WidgetOption[];
  /** More than `options.length` if some were omitted. */
  optionCount: number;
  /** What the page says is wrong with it; empty without an error. */
  error: string;
  /** Ways to find it again in another document, best first. */
  locators: Ladder;
  element: ElementHandle;
}

export type ShownValue = string | boolean | 'mixed' | string[] | Record<string, string> | null;

export interface WidgetState {
  isDisabled: boolean;
  isReadOnly: boolean;
  isRequired: boolean;
  isInvalid: boolean;
  /** Undefined where it opens nothing. */
  isExpanded?: boolean;
  /** Another element lies over it, so a person cannot click it. */
  isObscured: boolean;
}

export interface WidgetConstraints {
  /** Of inputs: `email`, `date`, `password` … */
  type?: string;
  min?: string;
  max?: string;
  step?: string;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  autocomplete?: string;
  accept?: string;
  isMultiple?: boolean;
}

export interface WidgetOption {
  name: string;
  /** The submitted value, if the page has one. */
  value: string;
  isSelected: boolean;
  isDisabled: boolean;
}

export interface UnknownControl extends PagePart {
  /** Why it was not classified, in words. */
  reason: string;
  element: ElementHandle;
}

/** An alert, status, error text or open toast. */
export interface PageMessage extends PagePart {
  text: string;
  /** The control that it describes, if that is known. */
  control: string | null;
}

/** A heading, a table row, or a pair of a term and its value. Tables are cut after `maxRows` rows. */
export interface PageData extends PagePart {
  kind: 'heading' | 'row' | 'item' | 'term' | 'text';
  /** Of a heading its level; otherwise 0. */
  level: number;
  /** The texts of its cells, or its only text. */
  texts: string[];
}
