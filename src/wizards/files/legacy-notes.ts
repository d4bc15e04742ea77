import { isJsonObject, type JsonObject } from '../../platform/json.ts';
import type { VisibleWhen, Wizard, WizardField, WizardOption } from './wizard-schema.ts';

/**
 * Reads options and conditions from notes. Files of the original system name the choices of a radio group, and what a field
 * depends on, only there. Explicit options and conditions take precedence.
 */
export function applyLegacyNotes(wizard: Wizard, schema: JsonObject | undefined): Wizard {
  return {
    ...wizard,
    pages: wizard.pages.map((page) => {
      const fields: WizardField[] = [];
      for (const field of page.fields) {
        const options = field.options ?? readOptions(field, enumValuesOf(schema, field.field_id));
        const visible_when = field.visible_when ?? readCondition(field, fields);
        fields.push({ ...field, ...(options && { options }), ...(visible_when && { visible_when }) });
      }
      return { ...page, fields };
    }),
  };
}

function enumValuesOf(schema: JsonObject | undefined, id: string): string[] {
  const properties = schema?.['properties'];
  const property = isJsonObject(properties) ? properties[id] : undefined;
  const choices = isJsonObject(property) ? property['enum'] : undefined;
  return Array.isArray(choices) ? choices.filter((choice) => typeof choice === 'string') : [];
}

function readOptions(field: WizardField, choices: readonly string[]): WizardOption[] | undefined {
  if (!['radio', 'select', 'typeahead'].includes(field.field_type)) return undefined;
  const noted = field.field_type === 'radio' ? readNotedOptions(field.notes ?? '', choices) : [];
  const example = String(field.example_value);
  const rest = choices
    .filter((choice) => !noted.some(({ value }) => value === choice))
    .map((value) => ({
      value,
      label: field.field_type === 'radio' ? '' : value,
      ...(field.field_type === 'radio' && value === example && { selector: field.selector }),
    }));
  const options = [...noted, ...rest];
  return options.length > 0 ? options : undefined;
}

/** `married (#a), single (#b)`, `Pay it off (#c = fast_payoff)`, or `#constant for 'today's dollars'`. */
function readNotedOptions(notes: string, choices: readonly string[]): WizardOption[] {
  const found: WizardOption[] = [];
  for (const [, before = '', selector = '', value] of notes.matchAll(
    /(?<![^,.:()])([^,.:()]+)\((#[\w-]+)(?:\s*=\s*([\w-]+))?\)/g,
  )) {
    const words = before.trim().replace(/^or\s+/i, '');
    const meant = value ?? choices.find((choice) => choice.toLowerCase() === words.toLowerCase()) ?? words;
    if (choices.length === 0 || choices.includes(meant))
      found.push({ value: meant, label: value === undefined ? '' : words, selector });
  }
  for (const choice of choices)
    if (!found.some(({ value }) => value === choice) && new RegExp(`#${RegExp.escape(choice)}\\b`).test(notes))
      found.push({ value: choice, label: '', selector: `#${choice}` });
  return found;
}

/** "Appears after selecting 'Yes' …" refers to the nearest earlier choice with such an option. */
function readCondition(field: WizardField, before: readonly WizardField[]): VisibleWhen | undefined {
  const notes = field.notes ?? '';
  if (!/^\s*conditional field/i.test(notes)) return undefined;
  const answer = /after selecting ['"‘“]([^'"’”]+)['"’”]/i.exec(notes)?.[1]?.toLowerCase();
  const nearer = before.toReversed();
  if (answer === undefined) {
    // Consecutive conditional fields share the condition of the first.
    const previous = nearer[0]?.visible_when;
    return Array.isArray(previous) ? previous[0] : previous;
  }
  for (const { field_id, options = [] } of nearer) {
    const option = options.find(({ value, label }) => [value, label].some((text) => text.toLowerCase() === answer));
    if (option) return { field: field_id, equals: option.value };
  }
  return undefined;
}
