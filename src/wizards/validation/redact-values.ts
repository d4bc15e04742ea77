import { fieldFormat } from '../files/field-traits.ts';
import { isPrivateField, REDACTED } from '../files/private-fields.ts';
import type { WizardField, WizardSubField } from '../files/wizard-schema.ts';
import { readNumber } from './read-values.ts';

/**
 * A value as it may be told to whoever gave it: in an error, a warning or an answer, all of which end up in logs. What is
 * private stays away, in the parts of a group too. What cannot be an amount, such as "abc", gives no amount away; a name does.
 */
export function redactValue(field: WizardField | WizardSubField | undefined, value: unknown): unknown {
  if (!field || value === undefined || value === null || value === '') return value;
  if (isPrivateField(field)) return isPlainlyNotAnAmount(field, value) ? value : REDACTED;
  const parts = 'sub_fields' in field && Array.isArray(field.sub_fields) ? field.sub_fields : [];
  return parts.length > 0 && parts.some(isPrivateField) ? redactParts(parts, value) : value;
}

function redactParts(parts: readonly WizardSubField[], value: unknown): unknown {
  if (Array.isArray(value)) return value.map((row) => redactParts(parts, row));
  if (typeof value !== 'object' || value === null) return REDACTED;
  // A key that nobody knows may be a misspelt one of somebody's own.
  const told = (key: string, one: unknown) => {
    const part = parts.find(({ field_id }) => field_id === key);
    return part ? redactValue(part, one) : REDACTED;
  };
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, told(key, one)]));
}

function isPlainlyNotAnAmount(field: WizardField | WizardSubField, value: unknown): boolean {
  if (typeof value !== 'string' || !['money', 'number'].includes(fieldFormat(field))) return false;
  return /^[a-z?!-]{1,20}$/.test(value) && readNumber(value) === undefined;
}

/** How a value was read; where it is private, as what. */
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
