import type { ControlValue, SettableControl } from '../../../platform/page/act/settable-control.ts';
import { selectorToRung } from '../../../platform/page/locate/rung-selector.ts';
import type { ControlKind, Ladder } from '../../../platform/page/page-model.ts';
import { datePartFields } from '../../files/field-traits.ts';
import type { WizardField, WizardOption, WizardSubField } from '../../files/wizard-schema.ts';
import type { WizardAnswer } from '../../validation/answers.ts';
import { toIsoDate } from '../../validation/read-dates.ts';

type AnyField = WizardField | WizardSubField;

interface Findable {
  selector?: string | undefined;
  locators?: string[] | undefined;
  selector_alternatives?: string[] | undefined;
}

/** All locators of an element, best first, without duplicates. */
export function ladderOf({ selector, locators = [], selector_alternatives = [] }: Findable): Ladder {
  const all = [...(selector === undefined ? [] : [selector]), ...locators, ...selector_alternatives];
  return [...new Set(all)].map(selectorToRung);
}

const kinds: Record<WizardField['field_type'], ControlKind> = {
  text: 'text',
  number: 'number',
  radio: 'radio-group',
  select: 'select',
  typeahead: 'typeahead',
  checkbox: 'checkbox',
  group: 'text',
  textarea: 'textarea',
  search: 'search',
  date: 'date',
};

function kindOf({ field_type, interaction, options = [], multiple }: AnyField): ControlKind {
  if (field_type === 'select' && multiple) return 'multi-select';
  if (field_type === 'checkbox' && options.length > 0) return 'checkbox-group';
  // Old files give a combobox the type text.
  if (interaction === 'fill_enter' && (field_type === 'text' || field_type === 'search')) return 'typeahead';
  return kinds[field_type];
}

/** Converts a field of the file into the type that the page layer sets. */
export function toSettable(field: AnyField): SettableControl {
  const common = { name: field.label ?? field.field_id, ladder: ladderOf(field) };
  const parts = 'repeatable' in field && isField(field) ? datePartFields(field) : undefined;
  if (parts)
    return {
      ...common,
      kind: 'date-parts',
      parts: [...parts].map(([part, sub]) => ({ part, control: toSettable(sub) })),
    };
  const options = field.options?.map((option) => optionOf(field, option));
  return { ...common, kind: kindOf(field), ...(options && { options }) };
}

const isField = (field: AnyField): field is WizardField => typeof field.repeatable === 'boolean';

function optionOf(field: AnyField, option: WizardOption) {
  // In an old file, the selector of the field is the selector of its example option.
  const own = option.value === field.example_value && field.field_type === 'radio' ? field : undefined;
  const ladder = option.selector || option.locators ? ladderOf(option) : own ? ladderOf(own) : [];
  return { label: option.label, value: option.value, ladder };
}

/** Converts an answer into the type that the page layer sets. */
export function toSettableValue(answer: WizardAnswer): ControlValue {
  switch (answer.kind) {
    case 'rows':
    case 'group':
      throw new Error('rows and groups are set part by part');
    case 'text':
      return answer.text;
    case 'choice':
      return answer.value;
    case 'choices':
      return answer.values;
    case 'switch':
      return answer.on;
    case 'date':
      return toIsoDate(answer.date);
  }
}
