import type { CalendarDate } from './read-dates.ts';

/** The value to set in one field, in the terms of the form. */
export type WizardAnswer =
  | { kind: 'text'; text: string }
  | { kind: 'choice'; value: string }
  | { kind: 'choices'; values: readonly string[] }
  | { kind: 'switch'; on: boolean }
  | { kind: 'date'; date: CalendarDate }
  | { kind: 'group'; parts: WizardAnswerRow }
  | { kind: 'rows'; rows: readonly WizardAnswerRow[] };

/** Answers by sub-field id. */
export type WizardAnswerRow = ReadonlyMap<string, WizardAnswer>;

/** Answers by field id. */
export type WizardAnswers = ReadonlyMap<string, WizardAnswer>;

export interface MissingField {
  label: string;
  field_id: string;
  example: string;
  required: true;
}

export interface InvalidField {
  field_id: string;
  provided_value: unknown;
  expected_type: string;
  error: string;
}

export interface ValidationWarning {
  field_id: string;
  message: string;
  severity: 'low' | 'medium' | 'high';
}

/** A value read for a field, or why it cannot be. */
export type AnswerReading =
  | { answer: WizardAnswer; note?: string | undefined; severity?: ValidationWarning['severity'] }
  | { answer?: undefined; error: string; expected: string };

/** The value that conditions are compared with; undefined for dates, groups and rows. */
export function comparableValue(answer: WizardAnswer): string | boolean | readonly string[] | undefined {
  switch (answer.kind) {
    case 'text':
      return answer.text;
    case 'choice':
      return answer.value;
    case 'choices':
      return answer.values;
    case 'switch':
      return answer.on;
    default:
      return undefined;
  }
}

/** Every single value in an answer as it would be typed, for redaction. */
export function answerValues(answer: WizardAnswer): string[] {
  switch (answer.kind) {
    case 'text':
      return [answer.text];
    case 'choice':
      return [answer.value];
    case 'choices':
      return [...answer.values];
    case 'switch':
      return [];
    case 'date': {
      const { year, month, day } = answer.date;
      return [String(year), String(month), String(day)];
    }
    case 'group':
      return [...answer.parts.values()].flatMap(answerValues);
    case 'rows':
      return answer.rows.flatMap((row) => [...row.values()].flatMap(answerValues));
  }
}
