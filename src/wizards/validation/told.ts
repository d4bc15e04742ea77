import { formatOf } from '../files/fields.ts';
import { isPrivate, PRIVATE } from '../files/private.ts';
import type { WizardField, WizardSubField } from '../files/wizard.ts';
import { readNumber } from './words.ts';

/**
 * A value as it may be told to whoever gave it: in an error, a warning or an answer, all of which end up in logs. What is
 * private stays away, in the parts of a group too. What cannot be an amount, such as "abc", gives no amount away; a name does.
 */
export function toldValue(field: WizardField | WizardSubField | undefined, value: unknown): unknown {
  if (!field || value === undefined || value === null || value === '') return value;
  if (isPrivate(field)) return isNoAmount(field, value) ? value : PRIVATE;
  const parts = 'sub_fields' in field && Array.isArray(field.sub_fields) ? field.sub_fields : [];
  return parts.length > 0 && parts.some(isPrivate) ? toldParts(parts, value) : value;
}

function toldParts(parts: readonly WizardSubField[], value: unknown): unknown {
  if (Array.isArray(value)) return value.map((row) => toldParts(parts, row));
  if (typeof value !== 'object' || value === null) return PRIVATE;
  // A key that nobody knows may be a misspelt one of somebody's own.
  const told = (key: string, one: unknown) => {
    const part = parts.find(({ field_id }) => field_id === key);
    return part ? toldValue(part, one) : PRIVATE;
  };
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, told(key, one)]));
}

function isNoAmount(field: WizardField | WizardSubField, value: unknown): boolean {
  if (typeof value !== 'string' || !['money', 'number'].includes(formatOf(field))) return false;
  return /^[a-z?!-]{1,20}$/.test(value) && readNumber(value) === undefined;
}

/** How a value was read; where it is private, as what. */
export function toldNote(field: WizardField | WizardSubField, note: string): string {
  return isPrivate(field) && note.startsWith('read as') ? `read as ${kindRead(field)}` : note;
}

function kindRead(field: WizardField | WizardSubField): string {
  const format = formatOf(field);
  if (format === 'money' || format === 'number') return 'a number';
  if (format === 'date') return 'a date';
  if ((field.options ?? []).length > 0) return 'one of the choices';
  return field.field_type === 'checkbox' ? 'yes or no' : 'the same in the notation of the form';
}
