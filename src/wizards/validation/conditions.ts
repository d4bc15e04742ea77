import { conditionsOf } from '../files/fields.ts';
import type { VisibleWhen, WizardField } from '../files/wizard.ts';
import { type Answers, plainAnswer } from './answers.ts';
import { folded, readYesNo } from './words.ts';

/** Whether a field is asked for, given the answers to those that it depends on. */
export function isAsked(field: Pick<WizardField, 'visible_when'>, answers: Answers): boolean {
  return conditionsOf(field).every((condition) => holds(condition, answers));
}

/** Whether that is for the page to say: the answers to those that it depends on were not tried when it was discovered. */
export function mayBeAsked(field: Pick<WizardField, 'visible_when'>, answers: Answers): boolean {
  return conditionsOf(field).every((condition) => holds(condition, answers) || isUntried(condition, answers));
}

function isUntried({ field, hidden_with }: VisibleWhen, answers: Answers): boolean {
  const answer = answers.get(field);
  const value = answer && plainAnswer(answer);
  if (hidden_with === undefined || value === undefined || typeof value === 'object') return false;
  return !hidden_with.some((one) => isSame(value, one));
}

function holds({ field, equals, one_of, not }: VisibleWhen, answers: Answers): boolean {
  const answer = answers.get(field);
  const value = answer && plainAnswer(answer);
  // A checkbox that nobody mentions counts as off.
  const given = value === undefined ? [false] : Array.isArray(value) ? value : [value];
  const matches = (wanted: string | number | boolean) => given.some((one) => isSame(one, wanted));
  if (equals !== undefined && !matches(equals)) return false;
  if (one_of !== undefined && !one_of.some(matches)) return false;
  return !(not !== undefined && (value === undefined || matches(not)));
}

function isSame(a: string | number | boolean, b: string | number | boolean): boolean {
  if (typeof a === 'boolean' || typeof b === 'boolean') return readYesNo(a)?.value === readYesNo(b)?.value;
  return folded(String(a)) === folded(String(b));
}
