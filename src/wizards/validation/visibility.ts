import { visibilityConditions } from '../files/field-traits.ts';
import type { VisibleWhen, WizardField } from '../files/wizard-schema.ts';
import { comparableValue, type WizardAnswers } from './answers.ts';
import { foldText, readYesNo } from './read-values.ts';

/** Whether a field is asked, given the answers to the fields that it depends on. */
export function isFieldAsked(field: Pick<WizardField, 'visible_when'>, answers: WizardAnswers): boolean {
  return visibilityConditions(field).every((condition) => isConditionMet(condition, answers));
}

/** Whether a field is asked or may be: the page decides on answers that were not tried at the discovery. */
export function canFieldBeAsked(field: Pick<WizardField, 'visible_when'>, answers: WizardAnswers): boolean {
  return visibilityConditions(field).every(
    (condition) => isConditionMet(condition, answers) || isUntriedAnswer(condition, answers),
  );
}

function isUntriedAnswer({ field, hidden_with }: VisibleWhen, answers: WizardAnswers): boolean {
  const answer = answers.get(field);
  const value = answer && comparableValue(answer);
  if (hidden_with === undefined || value === undefined || typeof value === 'object') return false;
  return !hidden_with.some((one) => isSame(value, one));
}

function isConditionMet({ field, equals, one_of, not }: VisibleWhen, answers: WizardAnswers): boolean {
  const answer = answers.get(field);
  const value = answer && comparableValue(answer);
  // A checkbox without an answer counts as off.
  const given = value === undefined ? [false] : Array.isArray(value) ? value : [value];
  const matches = (wanted: string | number | boolean) => given.some((one) => isSame(one, wanted));
  if (equals !== undefined && !matches(equals)) return false;
  if (one_of !== undefined && !one_of.some(matches)) return false;
  return !(not !== undefined && (value === undefined || matches(not)));
}

function isSame(a: string | number | boolean, b: string | number | boolean): boolean {
  if (typeof a === 'boolean' || typeof b === 'boolean') return readYesNo(a)?.value === readYesNo(b)?.value;
  return foldText(String(a)) === foldText(String(b));
}
