import { isJsonObject, type JsonObject } from '../../platform/json.ts';
import type { Wizard, WizardField, WizardSubField } from './wizard.ts';

/** What stands in the place of a private value wherever one would be told. */
export const PRIVATE = '[private]';

/** What somebody is called, where they can be reached, what they own, and what is nobody's business. */
const personal =
  /\bnames?\b|\bbirth|\bdob\b|\bssn\b|\bsocial.?security|\be-?mail|phone|mobile\b|\bfax\b|\baddress|\bstreet\b|\bcity\b|\bzip\b|post(?:al)?.?code|passport|licen[cs]e|\b(?:account|card|routing|case|policy|member|medicare)\b.*\bn(?:umber|o)\b|\bcvv\b|\biban\b|tax(?:payer)?.?id\b|\bitin\b|password|\bpin\b|incomes?\b|salary|\bwages?\b|earnings?\b|\bassets?\b|\bbalance\b|savings\b|child.?support|alimony|\brent\b|mortgage|\bdebts?\b|net.?worth|\bagi\b|adjusted.?gross|gender|\bsex\b|ethnic|\brace\b|religio|disabilit|diagnos|pregnan|citizenship|immigration|signature/i;

/** Whether what is called so is personal, as far as words can tell. */
export function isPersonal(...names: readonly string[]): boolean {
  return names.some((name) => personal.test(name.replaceAll('_', ' ')));
}

/** Whether nobody else may see its value: the file says so, or its name leaves no doubt. */
export function isPrivate({ private: said, field_id, label = '' }: WizardField | WizardSubField): boolean {
  return said ?? isPersonal(field_id, label);
}

/** A schema may say what is private too: `x-private`, `x-pii` or `writeOnly`, of a field and of its parts. */
export function privateBySchema(wizard: Wizard, schema: JsonObject | undefined): Wizard {
  if (!schema) return wizard;
  return {
    ...wizard,
    pages: wizard.pages.map((page) => ({
      ...page,
      fields: page.fields.map((field) => {
        const property = propertyOf(schema, field.field_id);
        const items = property && isJsonObject(property['items']) ? property['items'] : property;
        const sub_fields = field.sub_fields?.map((sub) => marked(sub, items && propertyOf(items, sub.field_id)));
        return { ...marked(field, property), ...(sub_fields && { sub_fields }) };
      }),
    })),
  };
}

function marked<Field extends { private?: boolean | undefined }>(
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
