import { fieldFormat } from '../files/field-traits.ts';
import type { FieldFormat, WizardField, WizardSubField } from '../files/wizard-schema.ts';
import type { AnswerReading } from './answers.ts';

export const invalid = (error: string, expected: string): AnswerReading => ({ error, expected });

const formatNames: Partial<Record<FieldFormat, string>> = {
  date: 'date (YYYY-MM-DD)',
  time: 'time (HH:MM)',
  datetime: 'date and time (YYYY-MM-DDTHH:MM)',
  month: 'month (YYYY-MM)',
  week: 'week (YYYY-Www)',
  money: 'number',
  number: 'number',
  state: 'string (name of a state)',
};

/** What a field accepts, in words for the caller who has to correct it. */
export function describeExpectedType(field: WizardField | WizardSubField): string {
  const { options = [] } = field;
  if (field.field_type === 'checkbox' && options.length === 0) return 'boolean';
  if (options.length > 0) {
    const shown = options.slice(0, 12).map(({ value }) => value);
    const all = `${shown.join(', ')}${options.length > shown.length ? ` … (${options.length})` : ''}`;
    return field.field_type === 'checkbox' || field.multiple ? `array of: ${all}` : `one of: ${all}`;
  }
  return formatNames[fieldFormat(field)] ?? 'string';
}
