import type { FoundElement } from '../locate/element-finder.ts';
import type { Control, ControlKind, ControlOption, Ladder } from '../page-model.ts';

/** What is needed of a control to set it; a `Control` of a reading is one. */
export interface SettableControl {
  kind: ControlKind;
  /** For messages. */
  name: string;
  ladder: Ladder;
  options?: readonly Pick<ControlOption, 'label' | 'value' | 'ladder'>[];
  parts?: readonly { part: 'year' | 'month' | 'day'; control: Pick<Control, 'kind' | 'name' | 'ladder'> }[];
  /** It is given a secret, which only pages of this origin may have. */
  within?: string;
}

/** Text; a number; on or off; several choices; an ISO date; files by path. */
export type ControlValue = string | number | boolean | readonly string[];

/** An element that another rung than the first led to. */
export interface HealedElement {
  /** Of a date: which part of it. */
  part?: 'year' | 'month' | 'day';
  /** Of a group: the value of the option. */
  option?: string;
  /** Of an option of a list: it is its value that leads to another one by now, and its name that leads there. */
  key?: 'value';
  /** The first rung, and the one that led there. */
  from: string;
  to: string;
  rung: number;
}

/** A control that was set, with the value that was read back. */
export interface SetResult {
  /** What the control held afterwards, as the page has it. Nothing for a password. */
  readBack: string;
  /** The element that was used: of a group the chosen one, of a date its first part. `readValue` of it reads all of them. */
  found: FoundElement;
  /** Every element that was used and that the first way to it did not lead to; none where it is not said. */
  heals?: readonly HealedElement[];
}
