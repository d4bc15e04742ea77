import { isJsonObject, type JsonObject } from '../../platform/json.ts';
import { visibilityConditions } from './field-traits.ts';
import type { StoredWizard } from './wizard-folder.ts';
import type { WizardField } from './wizard-schema.ts';

/** Whether a field has to be answered where it is asked for: what is described as needed is what is called missing. */
export function isRequiredField(
  { schema, ownSchema }: Pick<StoredWizard, 'schema' | 'ownSchema'>,
  field: WizardField,
): boolean {
  const required = schema['required'];
  if (Array.isArray(required) && required.includes(field.field_id)) return true;
  if (!field.required) return false;
  // Old files call a field required that a page may not show; their schema, which does not, is the contract then.
  return !(ownSchema && schemaProperty(schema, field.field_id) && visibilityConditions(field).length === 0);
}

/** What a schema says of a property, where it says anything. */
export function schemaProperty(schema: JsonObject, field: string): JsonObject | undefined {
  const properties = schema['properties'];
  const property = isJsonObject(properties) && Object.hasOwn(properties, field) ? properties[field] : undefined;
  return isJsonObject(property) ? property : undefined;
}
