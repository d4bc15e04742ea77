import { isJsonObject, type JsonObject } from '../../platform/json.ts';
import { visibilityConditions } from './field-traits.ts';
import type { StoredWizard } from './wizard-folder.ts';
import type { WizardField } from './wizard-schema.ts';

/** Whether a field must be answered if it is asked. Descriptions and validation both use this. */
export function isRequiredField(
  { schema, ownSchema }: Pick<StoredWizard, 'schema' | 'ownSchema'>,
  field: WizardField,
): boolean {
  const required = schema['required'];
  if (Array.isArray(required) && required.includes(field.field_id)) return true;
  if (!field.required) return false;
  // Old files mark a field as required that a page may not show. Their schema is the contract then.
  return !(ownSchema && schemaProperty(schema, field.field_id) && visibilityConditions(field).length === 0);
}

/** The schema of a property; undefined if the schema does not have it. */
export function schemaProperty(schema: JsonObject, field: string): JsonObject | undefined {
  const properties = schema['properties'];
  const property = isJsonObject(properties) && Object.hasOwn(properties, field) ? properties[field] : undefined;
  return isJsonObject(property) ? property : undefined;
}
