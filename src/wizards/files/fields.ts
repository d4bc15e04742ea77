import type { FieldFormat, VisibleWhen, Wizard, WizardField, WizardSubField } from './wizard.ts';

/** What follows from a field's own facts, for whoever validates, fills in or describes it. */

type AnyField = WizardField | WizardSubField;
export type DatePart = 'year' | 'month' | 'day';

export function conditionsOf({ visible_when }: Pick<AnyField, 'visible_when'>): VisibleWhen[] {
  if (visible_when === undefined) return [];
  return Array.isArray(visible_when) ? visible_when : [visible_when];
}

const moneyWords =
  /income|asset|amount|balance|salary|earning|wage|payment|price|\bcost|child.?support|savings\b|\bagi\b|worth|rent\b/i;

/** How the words of its value are to be read. */
export function formatOf(field: AnyField): FieldFormat {
  if (field.format) return field.format;
  const called = `${field.field_id.replaceAll('_', ' ')} ${field.label ?? ''}`;
  const { field_type: type, options = [] } = field;
  if (type === 'date') return 'date';
  if (isYesNo(options.map(({ value }) => value)) || isYesNo(options.map(({ label }) => label))) return 'yes_no';
  if (options.length > 0 && type !== 'typeahead') return 'text';
  if (['text', 'typeahead', 'search', 'select'].includes(type) && /\bstate\b/i.test(called) && !/status/i.test(called))
    return 'state';
  if (type === 'number') return moneyWords.test(called) ? 'money' : 'number';
  if (type === 'text' && moneyWords.test(called) && /^[\s$£€]*[\d,. ]+$/.test(String(field.example_value)))
    return 'money';
  return 'text';
}

function isYesNo(texts: readonly string[]): boolean {
  const said = texts.map((text) => text.trim().toLowerCase());
  return said.includes('yes') && said.includes('no');
}

/** Which part of a date a field is, by its name: `birth_month`, `Date of birth - Month`; not `spent_per_month`. */
export function datePartOf({ field_id, label = '' }: Pick<AnyField, 'field_id' | 'label'>): DatePart | undefined {
  if (/(?:^|_)(?:per|each|every|an?)_[a-z]+$/.test(field_id)) return undefined;
  const parts: DatePart[] = ['year', 'month', 'day'];
  return (
    parts.find((part) => new RegExp(`(^|_)${part}$`).test(field_id)) ??
    parts.find((part) => label.trim().toLowerCase() === part)
  );
}

/** The parts of a group that is a date: month, day and year. */
export function dateParts(field: WizardField): Map<DatePart, WizardSubField> | undefined {
  if (field.repeatable || field.sub_fields?.length !== 3) return undefined;
  const parts = new Map<DatePart, WizardSubField>();
  for (const sub of field.sub_fields) {
    const part = datePartOf(sub);
    if (part) parts.set(part, sub);
  }
  return parts.size === 3 ? parts : undefined;
}

/** Dates that the wizard asks for in three fields of their own: `birth_month`, `birth_day`, `birth_year`, under `birth`. */
export function dateTriples(wizard: Wizard): Map<string, Map<DatePart, WizardField>> {
  const found = new Map<string, Map<DatePart, WizardField>>();
  for (const field of wizard.pages.flatMap(({ fields }) => fields)) {
    const [, stem, part] = /^(.+)_(year|month|day)$/.exec(field.field_id) ?? [];
    if (stem === undefined || !(part === 'year' || part === 'month' || part === 'day')) continue;
    found.set(stem, (found.get(stem) ?? new Map<DatePart, WizardField>()).set(part, field));
  }
  return new Map([...found].filter(([, parts]) => parts.size === 3));
}

/** As the specification names it: `date`, `number`, `string` … */
export function typeName(field: WizardField): string {
  if (field.repeatable) return 'array';
  if (dateParts(field)) return 'date';
  if (field.field_type === 'group') return 'object';
  if (field.field_type === 'checkbox') return field.options?.length ? 'array' : 'boolean';
  if (field.multiple && field.options?.length) return 'array';
  const format = formatOf(field);
  return format === 'date' ? 'date' : format === 'money' || format === 'number' ? 'number' : 'string';
}
