import { isJsonObject, type JsonObject } from '../../platform/json.ts';
import { personalLabels, roleLabel } from '../vocabulary/personal-data.ts';
import { phrasesOf } from '../vocabulary/phrase-table.ts';
import type { Wizard, WizardField, WizardSubField } from './wizard-schema.ts';

/** What stands in the place of a private value wherever one would be told. */
export const REDACTED = '[private]';

const personalPattern = new RegExp(phrasesOf(...Object.values(personalLabels)), 'i');
const rolePattern = new RegExp(phrasesOf(roleLabel), 'i');

/** Whether what is called so is personal, as far as words can tell; in doubt it is, since that costs little. */
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

/** Whether nobody else may see its value: the file says so, or its name leaves no doubt. */
export function isPrivateField({ private: said, field_id, label = '' }: WizardField | WizardSubField): boolean {
  return said ?? isPersonalName(field_id, label);
}

/** A schema may say what is private too: `x-private`, `x-pii` or `writeOnly`, of a field and of its parts. */
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
