import { isJsonObject, type JsonObject } from '../../platform/json.ts';
import type { Wizard, WizardField, WizardSubField } from './wizard-schema.ts';

/** What stands in the place of a private value wherever one would be told. */
export const REDACTED = '[private]';

/** What somebody is called, where they are from and can be reached, what they own, and what is nobody's business. */
const personalPattern = new RegExp(
  [
    // Who they are.
    'names?\\b|\\bbirth|\\bborn\\b|\\bdob\\b|signature|gender|\\bsex\\b|sexual|orientation\\b|ethnic|\\brace\\b|\\btribe|religio|\\bfaith\\b|\\bmaiden\\b',
    // Where they live, and where they are from; a state is that of millions.
    '\\be-?mail|phone|mobile\\b|\\bfax\\b|\\baddress|\\bstreet\\b|\\bcity\\b|\\btown\\b|\\bzip\\b|post(?:al)?.?code|(?<!\\bstate of (?:legal |permanent )?)residen(?:t|ce|cy)|\\breside[sd]?\\b|\\blive\\b|citizen|national(?:ity|\\b)|immigra|\\balien\\b|\\bvisa\\b|country of',
    // What they are known by: "A-Number", "Medicaid ID", "Claim No.", "Bank account".
    '\\bssn\\b|social.?security|passport|licen[cs]e|\\bcvv\\b|\\biban\\b|\\bitin\\b|\\bein\\b|tax(?:payer)?.?id\\b|password|\\bpin\\b|\\b(?:number|id|acc(?:oun|)t|nr|no\\.)[\\s*:?()]*$|#[\\s*:]*$|\\b(?:account|card|routing|case|claim|policy|member|medicare|medicaid|file|reference|registration|certificate|permit|plate|alien)\\b.*\\bn(?:umber|o|r)\\b|\\bbank\\b|\\brouting\\b',
    // What they have, and what they get.
    'incomes?\\b|salary|\\bwages?\\b|\\bearn(?:s|ed|ings?)?\\b|earnings?\\b|take.?home|\\bpay ?(?:check|slip|stub|rate)|\\b(?:gross|net|base|hourly|weekly|monthly|annual|yearly) pay\\b|\\bpension|\\bassets?\\b|\\bbalance\\b|savings\\b|child.?support|alimony|\\brent\\b|mortgage|\\bdebts?\\b|\\bowe[ds]?\\b|net.?worth|\\bagi\\b|adjusted.?gross|credit.?score|how much\\b.*\\b(?:make|made|paid|pay|get|receive|own|have|save|saved|worth|spend|spent)\\b',
    // How they are.
    'health|medical|medic(?:ine|ation)|prescription|illness|disease|\\bhiv\\b|\\baids\\b|diagnos|disab(?:ilit|led)|pregnan|symptom|vaccin|allerg|\\bmental\\b|psychiatr|addict|\\bdrugs?\\b|alcohol|tobacco|smok(?:e|ing)|cancer\\b|diabet|\\bweight\\b|\\bblood\\b',
    'convict|felon|criminal|\\barrest|political|\\bunion member',
  ].join('|'),
  'i',
);

/** Where a question is nothing but who somebody is to the others, it asks for their name: "Claimant", "Your spouse". */
const rolePattern =
  /^(?:(?:the|your|first|second|primary|other|legal|full|co)[\s-]+)*(?:claimant|applicant|spouse|wife|husband|partner|beneficiary|dependent|guardian|custodian|patient|payee|holder|policy ?holder|account ?holder|card ?holder|insured|tenant|landlord|petitioner|plaintiff|defendant|sponsor|borrower|co-?signer|guarantor|representative|attorney|physician|doctor|witness|heir|next of kin|emergency contact|contact person|mother|father|parent|child|son|daughter|employee|employer|author|owner)s?(?:[\s#-]*\d+)?[\s*:?]*$/i;

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
