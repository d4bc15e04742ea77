import type { JsonObject } from '../../platform/json.ts';
import { datePartFields, fieldFormat, typedExample, visibilityConditions, writtenDatePart } from './field-traits.ts';
import {
  isValidPattern,
  type VisibleWhen,
  type Wizard,
  type WizardField,
  type WizardSubField,
} from './wizard-schema.ts';

/** Builds the JSON Schema (2020-12) of the user data of a wizard from its fields. */
export function buildUserDataSchema(wizard: Wizard): JsonObject {
  const fields = wizard.pages.flatMap(({ fields }) => fields);
  const rules = fields.filter((field) => field.required && visibilityConditions(field).length > 0);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `User data for ${wizard.name}`,
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.field_id, propertyOf(field)])),
    required: fields.filter((field) => isAlwaysRequired(field)).map(({ field_id }) => field_id),
    ...(rules.length > 0 && {
      allOf: rules.map(requiredWhen),
    }),
  };
}

function isAlwaysRequired(field: WizardField): boolean {
  return (field.required || (field.repeatable && field.min_instances > 0)) && visibilityConditions(field).length === 0;
}

/** An if/then rule. Built from entries, because an object literal with `then` looks like a promise. */
function requiredWhen(field: WizardField): JsonObject {
  const rule: [string, JsonObject][] = [
    ['if', conditionsSchema(visibilityConditions(field))],
    ['then', { required: [field.field_id] }],
  ];
  return Object.fromEntries(rule);
}

function conditionsSchema(conditions: readonly VisibleWhen[]): JsonObject {
  return {
    properties: Object.fromEntries(conditions.map((condition) => [condition.field, valueRule(condition)])),
    required: [...new Set(conditions.map(({ field }) => field))],
  };
}

function valueRule({ equals, one_of, not }: VisibleWhen): JsonObject {
  if (one_of !== undefined) return { enum: one_of };
  if (equals !== undefined) return { const: equals };
  return not !== undefined ? { not: { const: not } } : {};
}

function propertyOf(field: WizardField): JsonObject {
  const described = { title: field.label, ...(field.notes && { description: field.notes }) };
  if (field.repeatable)
    return {
      ...described,
      type: 'array',
      ...(field.min_instances > 0 && { minItems: field.min_instances }),
      ...(field.max_instances !== undefined && { maxItems: field.max_instances }),
      items: rowOf(field.sub_fields ?? []),
    };
  if (field.field_type === 'group' && !datePartFields(field)) return { ...described, ...rowOf(field.sub_fields ?? []) };
  const value = datePartFields(field) ? { type: 'string', format: 'date' } : valueSchema(field);
  return { ...described, ...value, examples: [typedExample(field)] };
}

function rowOf(subFields: readonly WizardSubField[]): JsonObject {
  return {
    type: 'object',
    properties: Object.fromEntries(
      subFields.map((field) => [field.field_id, { ...valueSchema(field), ...(field.label && { title: field.label }) }]),
    ),
    required: subFields.filter(({ required }) => required !== false).map(({ field_id }) => field_id),
  };
}

function valueSchema(field: WizardField | WizardSubField): JsonObject {
  const options = field.options?.map(({ value }) => value) ?? [];
  if (field.field_type === 'checkbox') {
    return options.length > 0
      ? { type: 'array', items: { type: 'string', enum: options }, uniqueItems: true }
      : { type: 'boolean' };
  }
  if (field.multiple && options.length > 0)
    return { type: 'array', items: { type: 'string', enum: options }, uniqueItems: true };
  const format = fieldFormat(field);
  const part = writtenDatePart(field);
  if (options.length > 0 && field.field_type !== 'typeahead') return { type: 'string', enum: options };
  if (format === 'date') return { type: 'string', format: 'date' };
  if (part) return { type: 'string', pattern: patternOf(field) ?? partPatterns[part] };
  if (format === 'money' || format === 'number')
    return {
      type: 'number',
      ...(typeof field.min === 'number' && { minimum: field.min }),
      ...(typeof field.max === 'number' && { maximum: field.max }),
    };
  const pattern = patternOf(field);
  return {
    type: 'string',
    ...(field.min_length !== undefined && { minLength: field.min_length }),
    ...(field.max_length !== undefined && { maxLength: field.max_length }),
    ...(pattern !== undefined && { pattern }),
  };
}

const partPatterns = { year: '^[0-9]{4}$', month: '^(?:0?[1-9]|1[0-2])$', day: '^(?:0?[1-9]|[12][0-9]|3[01])$' };

function patternOf({ pattern }: Pick<WizardField, 'pattern'>): string | undefined {
  return pattern !== undefined && isValidPattern(pattern) ? `^(?:${pattern})$` : undefined;
}
