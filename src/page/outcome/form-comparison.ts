import type { PageControl, PageSnapshot, ShownValue } from '../snapshot/page-snapshot.ts';

/** How the fields of a form look after an action, beside how they looked before it. */
export interface FormComparison {
  /** The fields are shown, at least half of them. */
  isShown: boolean;
  /** A filled field still has its value. */
  isKept: boolean;
  /** Fields were filled, are shown, and none has its value. */
  isReset: boolean;
  /** What a person had entered or chosen, as text. */
  entered: string[];
  /** Fields that were not there before. */
  added: PageControl[];
  /** The fields of before, each with what has become of it. */
  pairs: readonly FieldPair[];
}

interface FieldPair {
  before: PageControl;
  after: PageControl | undefined;
}

const OTHER_PATTERNS = [
  'button',
  'toggle-button',
  'disclosure',
  'link',
  'tab',
  'menu-button',
  'menu-item',
  'tree-item',
];
const isField = ({ pattern, state }: PageControl) => !OTHER_PATTERNS.includes(pattern) && !state.isReadOnly;

export function compareForms(before: PageSnapshot, after: PageSnapshot): FormComparison {
  const left = after.controls.filter(isField);
  const pairs = before.controls.filter(isField).map((control) => ({ before: control, after: takeSame(control, left) }));
  const filled = pairs.filter((pair) => isFilled(pair.before.value));
  const shown = pairs.filter((pair) => pair.after !== undefined);
  const kept = filled.filter((pair) => pair.after && hasSameValue(pair.before.value, pair.after.value));
  const texts = filled.filter((pair) => typeof pair.before.value === 'string');
  return {
    isShown: pairs.length > 0 && shown.length * 2 >= pairs.length,
    isKept: kept.some(({ before: { value } }) => typeof value === 'string') || (texts.length === 0 && kept.length > 0),
    isReset: filled.some((pair) => pair.after) && kept.length === 0,
    entered: filled.flatMap((pair) => textsOf(pair.before.value)).filter((text) => text.length > 1),
    added: left,
    pairs,
  };
}

/** Finds the field again and takes it from the list, so that two fields with one name stay two. */
function takeSame(control: PageControl, list: PageControl[]): PageControl | undefined {
  const rungs = new Set(control.locators.map((rung) => JSON.stringify(rung)));
  const isSame = (other: PageControl) => other.locators.some((rung) => rungs.has(JSON.stringify(rung)));
  const isCalledSo = (other: PageControl) => other.name !== '' && other.name === control.name;
  let index = list.findIndex((other) => isCalledSo(other) && other.pattern === control.pattern);
  if (index < 0) index = list.findIndex((other) => other.pattern === control.pattern && isSame(other));
  return index < 0 ? undefined : list.splice(index, 1)[0];
}

function isFilled(value: ShownValue): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  return typeof value === 'boolean' ? value : textsOf(value).length > 0;
}

const hasSameValue = (one: ShownValue, other: ShownValue) => JSON.stringify(one) === JSON.stringify(other);

function textsOf(value: ShownValue): string[] {
  if (typeof value === 'string') return [value.trim()];
  if (Array.isArray(value)) return value;
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}
