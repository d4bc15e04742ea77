import { isJsonObject, type JsonObject } from '../../platform/json.ts';
import { phrasesOf } from '../../platform/text/phrase-table.ts';
import { personalLabels, roleLabel } from '../vocabulary/personal-data.ts';
import type { Wizard, WizardField, WizardSubField } from './wizard-schema.ts';

/** Replaces a private value in every output. */
export const PRIVATE_VALUE = '[private]';

const personalPattern = new RegExp(phrasesOf(...Object.values(personalLabels)), 'i');
const rolePattern = new RegExp(phrasesOf(roleLabel), 'i');

/** Whether one of the names sounds like personal data. In doubt it does, since redaction costs little. */
export function isPersonalName(...names: readonly string[]): boolean {
  return names
    .map((name) =>
      name
        .replaceAll('_', ' ')
        .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
        .trim(),
    )
    .some((name) => personalPattern.test(name) || rolePattern.test(name));
}

/** Whether the value must be redacted: the file says so, or the name sounds personal. */
export function isPrivateField({ private: said, field_id, label = '' }: WizardField | WizardSubField): boolean {
  return said ?? isPersonalName(field_id, label);
}

/** Marks fields as private that the schema marks with `x-private`, `x-pii` or `writeOnly`. */
export function markPrivateFields(wizard: Wizard, schema: JsonObject | undefined): Wizard {
  if (!schema) return wizard;
  return {
    ...wizard,
    pages: wizard.pages.map((page) => ({
      ...page,
      fields: page.fields.map((field) => {
        const property = propertyOf(schema, field.field_id);
        const items = property && isJsonObject(property['items']) ? property['items'] : property;
        const sub_fields = field.sub_fields?.map((sub) => markIfPrivate(sub, items && propertyOf(items, sub.field_id)));
        return { ...markIfPrivate(field, property), ...(sub_fields && { sub_fields }) };
      }),
    })),
  };
}

function markIfPrivate<Field extends { private?: boolean | undefined }>(
  field: Field,
  property: JsonObject | undefined,
): Field {
  const isSaid = property && ['x-private', 'x-pii', 'writeOnly'].some((key) => property[key] === true);
  return isSaid ? { ...field, private: true } : field;
}

function propertyOf(schema: JsonObject, id: string): JsonObject | undefined {
  const properties = schema['properties'];
  const property = isJsonObject(properties) && Object.hasOwn(properties, id) ? properties[id] : undefined;
  return isJsonObject(property) ? property : undefined;
}
