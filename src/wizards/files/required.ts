import { isJsonObject, type JsonObject } from '../../platform/json.ts';
import { conditionsOf } from './fields.ts';
import type { StoredWizard } from './folder.ts';
import type { WizardField } from './wizard.ts';

/** Whether a field has to be answered where it is asked for: what is described as needed is what is called missing. */
export function isRequired(
  { schema, ownSchema }: Pick<StoredWizard, 'schema' | 'ownSchema'>,
  field: WizardField,
): boolean {
  const required = schema['required'];
  if (Array.isArray(required) && required.includes(field.field_id)) return true;
  if (!field.required) return false;
  // Old files call a field required that a page may not show; their schema, which does not, is the contract then.
  return !(ownSchema && propertyIn(schema, field.field_id) && conditionsOf(field).length === 0);
}

/** What a schema says of a property, where it says anything. */
export function propertyIn(schema: JsonObject, field: string): JsonObject | undefined {
  const properties = schema['properties'];
  const property = isJsonObject(properties) && Object.hasOwn(properties, field) ? properties[field] : undefined;
  return isJsonObject(property) ? property : undefined;
}
