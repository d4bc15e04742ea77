import type { Page } from 'playwright-core';
import type { PageTarget } from '../in-page/mark-tools.ts';
import type { ControlKind, Ladder } from '../page-model.ts';

/** How the page sets a plain control: typed text, the `value` property, an option, or the checked state. */
export type SetMethod = 'text' | 'value' | 'select' | 'checkbox' | 'radio';

/** The value to set in one plain control, as data that the page can read. */
export interface ControlRequest extends PageTarget {
  how: SetMethod;
  text: string;
  words: string;
  /** Of an option: what it must be called, in plain words; empty where that is not known. */
  called: string;
  checked: boolean;
  /** What the label of one that is not displayed must say; null where that is no proof, or none is needed. */
  hiddenName: string | null;
  /** The only origin whose pages may be given it; null where any may. */
  within: string | null;
  /** It is only read: the caller gave no value for it. */
  isUnasked?: boolean;
}

/** State of a control after its request was applied. */
export interface AppliedRequest {
  /** What it held afterwards, `true` or `false` for what is on or off. */
  readBack: string;
  tag: string;
  type: string | null;
  checked: boolean | null;
  value: string;
}

/** One control on the way to be set. */
export interface SetStep {
  kind: ControlKind;
  ladder: Ladder;
  request: ControlRequest;
}

/** A field as steps, and what they hold as what the field holds. */
export interface SetPlan {
  steps: SetStep[];
  describeValue(stepValues: readonly StepValue[]): string;
}

export type StepValue = Pick<AppliedRequest, 'value' | 'checked'>;

/** How a field that was set together with others is read together with others. */
export interface BatchReading extends SetPlan {
  page: Page;
}
