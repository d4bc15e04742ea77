import { datePartFields, splitDateFields } from '../files/field-traits.ts';
import type { Wizard, WizardField } from '../files/wizard-schema.ts';
import type { InvalidField, WizardAnswer } from './answers.ts';
import { isCalendarDate, readDate } from './read-dates.ts';
import { isRecord, type ReportWarning } from './read-groups.ts';
import { redactValue } from './redact-values.ts';

/** Splits a whole date into three separate fields of the form. Returns false if the key names no such date. */
export function splitWholeDate(
  wizard: Wizard,
  key: string,
  value: unknown,
  given: Map<string, unknown>,
  note: ReportWarning,
): boolean {
  const called = key.toLowerCase().replaceAll(/[^a-z]/g, '');
  for (const [stem, parts] of splitDateFields(wizard)) {
    const bare = stem.replaceAll('_', '');
    const names = [bare, `${bare}date`, `dateof${bare}`, `student${bare}date`, ...(bare === 'birth' ? ['dob'] : [])];
    if (!names.includes(called)) continue;
    const read = readDate(value);
    for (const [part, { field_id }] of parts) {
      if (given.has(field_id)) continue;
      // A value that is no date goes to the fields unchanged and is rejected there.
      given.set(field_id, read.problem === undefined ? String(read.value[part]) : value);
      note(field_id, `taken from ${key}`);
    }
    if (read.problem === undefined && read.doubtful)
      note(key, 'is read as month/day/year; write YYYY-MM-DD to be sure', 'medium');
    return true;
  }
  return false;
}

/** Collects the parts of a date into the one field of the form. Returns false if the key names no part. */
export function gatherDateParts(
  fields: readonly WizardField[],
  key: string,
  value: unknown,
  given: Map<string, unknown>,
): boolean {
  for (const field of fields) {
    const parts = datePartFields(field);
    const part = parts && [...parts].find(([, sub]) => sub.field_id === key)?.[0];
    if (!part) continue;
    const whole = given.get(field.field_id);
    if (whole !== undefined && !isRecord(whole)) return false;
    given.set(field.field_id, { ...(isRecord(whole) ? whole : {}), [part]: value });
    return true;
  }
  return false;
}

/** Rejects a date such as 31 February in three separate fields. */
export function checkSplitDates(
  wizard: Wizard,
  answers: Map<string, WizardAnswer>,
  invalid: InvalidField[],
  given: ReadonlyMap<string, unknown>,
): void {
  for (const parts of splitDateFields(wizard).values()) {
    const number = (part: 'year' | 'month' | 'day') => {
      const answer = answers.get(parts.get(part)?.field_id ?? '');
      return answer?.kind === 'text'
        ? Number(answer.text)
        : answer?.kind === 'choice'
          ? Number(answer.value)
          : Number.NaN;
    };
    const date = { year: number('year'), month: number('month'), day: number('day') };
    const dayField = parts.get('day');
    const day = dayField?.field_id ?? '';
    if (Object.values(date).some(Number.isNaN) || isCalendarDate(date)) continue;
    answers.delete(day);
    const error = 'makes a date that does not exist in the calendar';
    const provided_value = redactValue(dayField, given.get(day));
    invalid.push({ field_id: day, provided_value, expected_type: 'day of that month', error });
  }
}
