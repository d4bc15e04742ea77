import type { JsonObject } from '../../platform/json.ts';
import { buildUserDataSchema } from '../files/user-data-schema.ts';
import type { StoredWizard } from '../files/wizard-folder.ts';
import { wizardSchema } from '../files/wizard-schema.ts';
import { validateUserData } from './validate-user-data.ts';

export const testField = (id: string, more: object = {}) => ({
  label: `The ${id.replaceAll('_', ' ')}`,
  field_id: id,
  selector: `#${id}`,
  field_type: 'text',
  interaction: 'fill',
  required: false,
  example_value: 'x',
  ...more,
});
export const testRadioField = (id: string, values: string[], more: object = {}) =>
  testField(id, { field_type: 'radio', options: values.map((value) => ({ value, label: value })), ...more });

export function testWizard(fields: object[], schema?: JsonObject): StoredWizard {
  const parsed = wizardSchema.parse({
    wizard_id: 'form',
    name: 'Form',
    url: 'https://example.org',
    discovered_at: '2026-01-01T00:00:00Z',
    discovery_version: '1.0.0',
    total_pages: 1,
    pages: [
      { page_number: 1, page_title: 'One', fields, continue_button: { text: 'Continue', selector: '#continue' } },
    ],
  });
  return { wizard: parsed, schema: schema ?? buildUserDataSchema(parsed), ownSchema: schema !== undefined, path: '' };
}

/** The answer to the only field, what was noted of it, and what is wrong with it. */
export function readSingleAnswer(one: object, value: unknown) {
  const stored = testWizard([{ ...testField('it'), ...one }]);
  const id = stored.wizard.pages[0]?.fields[0]?.field_id ?? '';
  const { answers, warnings, invalid_fields } = validateUserData(stored, { [id]: value });
  return { answer: answers.get(id), note: warnings[0]?.message, error: invalid_fields[0]?.error };
}
