import { findNearestName } from '../../platform/text/nearest-name.ts';
import type { WizardField, WizardSubField } from '../files/wizard-schema.ts';
import type { ValidationWarning, WizardAnswer } from './answers.ts';
import { describeExpectedType } from './expected-type.ts';
import { readAnswer } from './read-answer.ts';
import { redactNote } from './redact-values.ts';

export type ReportInvalid = (error: string, expected: string) => void;
export type ReportWarning = (field: string, message: string, severity?: ValidationWarning['severity']) => void;

/** Reads a group of fields, once or in rows. Problems go to `bad` and `note`; undefined if nothing could be read. */
export function readGroupAnswer(
  field: WizardField,
  value: unknown,
  bad: ReportInvalid,
  note: ReportWarning,
): WizardAnswer | undefined {
  if (!field.repeatable) {
    const parts = isRecord(value) ? readRow(field, value, '', bad, note) : undefined;
    if (!parts) bad('takes an object with its parts', 'object');
    return parts && { kind: 'group', parts };
  }
  const list = Array.isArray(value) ? value : isRecord(value) ? [value] : undefined;
  if (!list) return void bad('takes a list of objects', 'array');
  if (list.length < field.min_instances) return void bad(`needs at least ${field.min_instances}`, 'array');
  if (field.max_instances !== undefined && list.length > field.max_instances)
    return void bad(`takes at most ${field.max_instances}, got ${list.length}`, 'array');
  const rows = list.map((row, i) => {
    if (!isRecord(row)) bad(`[${i}] is not an object`, 'array of objects');
    return isRecord(row) ? readRow(field, row, `[${i}].`, bad, note) : new Map<string, WizardAnswer>();
  });
  return { kind: 'rows', rows };
}

function readRow(
  field: WizardField,
  row: Readonly<Record<string, unknown>>,
  path: string,
  bad: ReportInvalid,
  note: ReportWarning,
): Map<string, WizardAnswer> {
  const subs: readonly WizardSubField[] = field.sub_fields ?? [];
  const answers = new Map<string, WizardAnswer>();
  for (const sub of subs) {
    const value = Object.hasOwn(row, sub.field_id) ? row[sub.field_id] : undefined;
    if (value === undefined || value === null || value === '') {
      if (sub.required !== false) bad(`${path}${sub.field_id} is missing`, describeExpectedType(sub));
      continue;
    }
    const read = readAnswer(sub, value);
    if (!read.answer) bad(`${path}${sub.field_id} ${read.error}`, read.expected);
    else answers.set(sub.field_id, read.answer);
    if (read.answer && read.note)
      note(field.field_id, `${path}${sub.field_id} ${redactNote(sub, read.note)}`, read.severity);
  }
  const names = subs.map(({ field_id }) => field_id);
  for (const key of Object.keys(row)) {
    if (names.includes(key)) continue;
    const near = findNearestName(key, names);
    const message = `${path}${key} is not asked for${near ? `; did you mean ${near}?` : ''}`;
    note(field.field_id, message, near ? 'high' : 'medium');
  }
  return answers;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
