import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildUserDataSchema } from '../../src/wizards/files/user-data-schema.ts';
import { wizardSchema } from '../../src/wizards/files/wizard-schema.ts';
import { type WizardHome, wizardHome } from '../sites/forms/wizard-home.ts';
import { type Connection, connectStdio, type Result, root } from '../support/assay.ts';

const shipped = ['aid-estimator', 'loan-simulator', 'benefit-calculator'];

let home: WizardHome;
let client: Connection;
beforeAll(async () => {
  home = await wizardHome();
  const env = { ASSAY_HOME: home.path, ASSAY_WIZARDS_BASE_URL: 'http://127.0.0.1:9' };
  client = await connectStdio('modern', { args: ['--toolsets', 'wizards'], env });
});
afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

const ask = async (name: string, args: Record<string, unknown>): Promise<Result> =>
  (await client.callTool({ name, arguments: args })).structuredContent;

const read = async (file: string) => JSON.parse(await readFile(join(root, 'examples/wizards', file), 'utf8'));

interface Need {
  type: string;
  example: unknown;
  required_when?: string;
  asked_when?: string;
}
const needsOf = (needs: Record<string, Need>) => Object.entries(needs);
const examplesOf = (needs: Record<string, Need>) =>
  Object.fromEntries(needsOf(needs).map(([id, { example }]) => [id, example]));

describe.each(shipped)('the example %s', (name) => {
  test('has examples that are valid user data', async () => {
    const info = await ask('federalrunner_get_wizard_info', { wizard_id: name });
    const needed = examplesOf(info.required_user_data);
    for (const user_data of [needed, { ...needed, ...examplesOf(info.optional_user_data) }])
      expect(await ask('federalrunner_validate_user_data', { wizard_id: name, user_data })).toMatchObject({
        valid: true,
        missing_fields: [],
        invalid_fields: [],
        warnings: [],
      });
  });

  test('has examples of the described types', async () => {
    const { required_user_data, optional_user_data } = await ask('federalrunner_get_wizard_info', { wizard_id: name });
    const needs = [...needsOf(required_user_data), ...needsOf(optional_user_data)];
    const found = needs.map(([id, { example }]) => [id, Array.isArray(example) ? 'array' : typeof example]);
    expect(found).toEqual(needs.map(([id, { type }]) => [id, type === 'date' ? 'string' : type]));
  });

  test('describes the conditions of required and optional fields', async () => {
    const info = await ask('federalrunner_get_wizard_info', { wizard_id: name });
    for (const [id, need] of needsOf(info.optional_user_data))
      expect([id, need.required_when]).toEqual([id, undefined]);
    for (const [id, need] of needsOf(info.required_user_data)) expect([id, need.asked_when]).toEqual([id, undefined]);
    const needed = examplesOf(info.required_user_data);
    // Every required field is reported as missing, by its id.
    for (const [id] of needsOf(info.required_user_data)) {
      const { [id]: _, ...rest } = needed;
      const { missing_fields } = await ask('federalrunner_validate_user_data', { wizard_id: name, user_data: rest });
      expect(missing_fields.map(({ field_id }: { field_id: string }) => field_id)).toContain(id);
    }
  });

  test('has the schema that is derived from its fields', async () => {
    const wizard = wizardSchema.parse(await read(`${name}.json`));
    expect(await read(`${name}.schema.json`)).toEqual(buildUserDataSchema(wizard));
  });

  test('has the surroundings of each field', async () => {
    const { pages } = wizardSchema.parse(await read(`${name}.json`));
    const fields = pages.flatMap((page) => page.fields.flatMap((field) => field.sub_fields ?? [field]));
    for (const { field_id, surroundings } of fields)
      expect([field_id, surroundings]).toEqual([field_id, expect.objectContaining({ heading: expect.any(String) })]);
  });
});
