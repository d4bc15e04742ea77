import { fieldFormat } from '../files/field-traits.ts';
import { isPrivateField, PRIVATE_VALUE } from '../files/private-fields.ts';
import type { WizardField, WizardSubField } from '../files/wizard-schema.ts';
import { readNumber } from './read-values.ts';

/**
 * A value for an error or a warning, which may be logged. Private values are redacted, in the parts of a group too. A text that
 * cannot be an amount, such as "abc", stays in a field for amounts, so that the caller sees the mistake.
 */
export function redactValue(field: WizardField | WizardSubField | undefined, value: unknown): unknown {
  if (!field || value === undefined || value === null || value === '') return value;
  if (isPrivateField(field)) return isPlainlyNotAnAmount(field, value) ? value : PRIVATE_VALUE;
  const parts = 'sub_fields' in field && Array.isArray(field.sub_fields) ? field.sub_fields : [];
  return parts.length > 0 && parts.some(isPrivateField) ? redactParts(parts, value) : value;
}

function redactParts(parts: readonly WizardSubField[], value: unknown): unknown {
  if (Array.isArray(value)) return value.map((row) => redactParts(parts, row));
  if (typeof value !== 'object' || value === null) return PRIVATE_VALUE;
  // An unknown key may be a misspelt private one.
  const redact = (key: string, one: unknown) => {
    const part = parts.find(({ field_id }) => field_id === key);
    return part ? redactValue(part, one) : PRIVATE_VALUE;
  };
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, redact(key, one)]));
}

function isPlainlyNotAnAmount(field: WizardField | WizardSubField, value: unknown): boolean {
  if (typeof value !== 'string' || !['money', 'number'].includes(fieldFormat(field))) return false;
  return /^[a-z?!-]{1,20}$/.test(value) && readNumber(value) === undefined;
}

/** A note on how a value was read; for a private field, only as what kind of value. */
export function redactNote(field: WizardField | WizardSubField, note: string): string {
  return isPrivateField(field) && note.startsWith('read as') ? `read as ${describeKind(field)}` : note;
}

function describeKind(field: WizardField | WizardSubField): string {
  const format = fieldFormat(field);
  if (format === 'money' || format === 'number') return 'a number';
  if (format === 'date') return 'a date';
  if ((field.options ?? []).length > 0) return 'one of the choices';
  return field.field_type === 'checkbox' ? 'yes or no' : 'the same in the notation of the form';
}
