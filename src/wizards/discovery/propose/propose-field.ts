import type * as z from 'zod';
import { rungToSelector } from '../../../platform/page/locate/rung-selector.ts';
import type { Control, ControlOption, Ladder } from '../../../platform/page/page-model.ts';
import { isOnStep } from '../../files/field-traits.ts';
import type { fieldSchema, WizardOption, WizardSubField } from '../../files/wizard-schema.ts';
import { bestSelector } from '../read-page/selector.ts';
import { asksPersonalData } from '../read-page/typed-secrets.ts';
import { proposeExample } from './example-values.ts';
import { snakeCase } from './field-id.ts';

export type ProposedField = z.input<typeof fieldSchema>;
type FieldType = ProposedField['field_type'];

const fieldTypes: Partial<Record<Control['kind'], FieldType>> = {
  number: 'number',
  range: 'number',
  date: 'date',
  textarea: 'textarea',
  'rich-text': 'textarea',
  search: 'search',
  select: 'select',
  'multi-select': 'select',
  listbox: 'select',
  typeahead: 'typeahead',
  'radio-group': 'radio',
  checkbox: 'checkbox',
  'checkbox-group': 'checkbox',
  switch: 'checkbox',
  'date-parts': 'group',
};

/** A control as a field of a wizard, ready to save. */
export function proposeField(control: Control, fieldId: string, label: string, example: string): ProposedField {
  const type = fieldTypes[control.kind] ?? 'text';
  const [firstOption] = control.options;
  const ladder =
    control.ladder.length > 0 && !isGroup(control)
      ? control.ladder
      : (firstOption?.ladder ?? control.parts[0]?.control.ladder ?? control.ladder);
  const notes = notesOf(control);
  return {
    label,
    field_id: fieldId,
    selector: bestSelector(ladder) || 'body',
    field_type: type,
    interaction: interactionOf(control, type),
    required: control.required,
    example_value: example ? toUserValue(control, example) : exampleFor(control, label),
    ...(notes && { notes }),
    ...(ladder.length > 0 && { locators: ladder.map(rungToSelector) }),
    ...(control.options.length > 0 && control.kind !== 'typeahead' && { options: optionsOf(control) }),
    ...(control.kind === 'multi-select' && { multiple: true }),
    ...(isClockKind(control.kind) && { format: control.kind }),
    ...(control.parts.length > 0 && { sub_fields: control.parts.map(proposePart) }),
    ...(asksPersonalData(control, label) && { private: true }),
    ...limitsOf(control),
  };
}

type ClockKind = 'time' | 'datetime' | 'month' | 'week';
const isClockKind = (kind: Control['kind']): kind is ClockKind => ['time', 'datetime', 'month', 'week'].includes(kind);

function isGroup({ kind }: Control): boolean {
  return kind === 'radio-group' || kind === 'checkbox-group' || kind === 'date-parts';
}

function interactionOf(control: Control, type: FieldType): ProposedField['interaction'] {
  if (type === 'select') return 'select';
  if (type === 'typeahead') return 'fill_enter';
  if (type === 'radio' || type === 'checkbox') return control.byLabel ? 'javascript_click' : 'click';
  return 'fill';
}

function notesOf({ description, optionCount, options }: Control): string {
  const left = optionCount > options.length ? `${optionCount - options.length} more options are not listed.` : '';
  return [description, left].filter(Boolean).join(' ');
}

/** User data names a choice by a word: its value if that is a word, else its label. */
function optionsOf(control: Control): WizardOption[] {
  const isList = !isGroup(control);
  const offered = control.options.filter(
    ({ value, label, disabled }) => !disabled && (value !== '' || !isList) && label !== '',
  );
  const worded = offered.map((option) => ({ option, value: isList ? option.label : optionWord(option) }));
  const isClear = new Set(worded.map(({ value }) => value)).size === worded.length;
  return worded.map(({ option, value }) => ({
    value: isClear ? value : option.value || option.label,
    label: option.label,
    ...(isList && option.value !== option.label && { site_value: option.value }),
    ...selectorsOf(option.ladder),
  }));
}

/** The value in user data for an answer of the page. */
function toUserValue(control: Control, answer: string): string {
  const option = control.options.find(({ value, label }) => label === answer || value === answer);
  return (option && optionsOf(control).find(({ label }) => label === option.label)?.value) ?? answer;
}

function optionWord({ value, label }: ControlOption): string {
  return /[a-z]{2,}/i.test(value) && value !== 'on' ? value : snakeCase(label) || label || value;
}

function selectorsOf(ladder: Ladder): Pick<WizardOption, 'selector' | 'locators'> {
  return ladder.length > 0 ? { selector: bestSelector(ladder), locators: ladder.map(rungToSelector) } : {};
}

const partExamples = { month: '05', day: '15', year: '2007' } as const;

function proposePart({ part, control }: Control['parts'][number]): WizardSubField {
  return {
    field_id: part,
    label: control.name,
    selector: bestSelector(control.ladder) || 'body',
    locators: control.ladder.map(rungToSelector),
    field_type: control.kind === 'select' ? 'select' : 'text',
    interaction: control.kind === 'select' ? 'select' : 'fill',
    required: control.required,
    example_value: partExamples[part],
  };
}

function limitsOf({ kind, constraints, value }: Control): Partial<ProposedField> {
  const isNumber = kind === 'number' || kind === 'range';
  const limit = (text: string) => (isNumber && Number.isFinite(Number(text)) ? Number(text) : text);
  const { min, max, minLength, maxLength, pattern } = constraints;
  const step = isNumber ? Number(constraints.step) : Number.NaN;
  // Without a minimum, steps count from the initial value of the field, which may no longer be known.
  const isStep = step > 0 && (min !== undefined || isOnStep(Number(value), step));
  return {
    ...(min !== undefined && { min: limit(min) }),
    ...(max !== undefined && { max: limit(max) }),
    ...(isStep && { step }),
    ...(minLength !== undefined && { min_length: minLength }),
    ...(maxLength !== undefined && { max_length: maxLength }),
    ...(pattern !== undefined && { pattern }),
  };
}

function exampleFor(control: Control, label: string): string {
  const { kind, options } = control;
  if (kind === 'checkbox' || kind === 'switch') return String(control.checked === true);
  if (options.length === 0 || kind === 'typeahead') return proposeExample(control, label);
  const proposed = optionsOf(control);
  const chosen = options.find((option) => option.selected && option.value !== '');
  return (proposed.find((option) => option.label === chosen?.label) ?? proposed[0])?.value ?? '';
}
