import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../../../test/support/folders.ts';
import { openWizardFolder } from './wizard-folder.ts';
import { summarizeWizard } from './wizard-info.ts';
import { wizardSchema } from './wizard-schema.ts';

const field = (id: string, more: object = {}) => ({
  label: `The ${id}`,
  field_id: id,
  selector: `#${id}`,
  field_type: 'text',
  interaction: 'fill',
  required: true,
  example_value: 'x',
  ...more,
});

/** As the original system writes it: no zone, choices and conditions in the notes. */
const oldFile = {
  wizard_id: 'old-form',
  name: 'Old form',
  url: 'https://example.org/form',
  discovered_at: '2025-10-20T13:27:07.716185',
  discovery_version: '1.0.0',
  total_pages: 1,
  pages: [
    {
      page_number: 1,
      page_title: 'Taxes',
      fields: [
        field('filed', {
          field_type: 'radio',
          interaction: 'javascript_click',
          selector: '#filedYes',
          example_value: 'yes',
          notes: "Options: yes (#filedYes), no (#filedNo). Selecting 'Yes' reveals income fields.",
        }),
        field('income', { notes: "Conditional field - appears after selecting 'Yes' for filing taxes. Dollars." }),
        field('assets', { notes: 'Conditional field - includes cash.' }),
        field('goal', {
          field_type: 'radio',
          selector: '#goal_1',
          example_value: 'low',
          notes: 'Options: Pay It Off (#goal_0 = fast), Pay Little (#goal_1 = low)',
        }),
      ],
      continue_button: { text: 'Continue', selector: '#next', selector_type: 'css' },
    },
  ],
};

async function home(files: Record<string, unknown>) {
  const folder = await newFolder();
  for (const [name, content] of Object.entries(files))
    await folder.write(`wizards/${name}`, typeof content === 'string' ? content : JSON.stringify(content));
  return folder;
}

test('loads a file of the original system and reads its time as UTC', async () => {
  await using folder = await home({ 'old-form.json': oldFile });
  const { wizard, ownSchema } = await openWizardFolder(folder.path).read('old-form');
  expect(wizard.discovered_at).toBe('2025-10-20T13:27:07.716Z');
  expect(ownSchema).toBe(false);
});

test('reads choices and conditions of an old file from its notes', async () => {
  await using folder = await home({ 'old-form.json': oldFile });
  const { wizard } = await openWizardFolder(folder.path).read('old-form.json');
  const [filed, income, assets, goal] = wizard.pages[0]?.fields ?? [];
  expect(filed?.options).toEqual([
    { value: 'yes', label: '', selector: '#filedYes' },
    { value: 'no', label: '', selector: '#filedNo' },
  ]);
  expect(income?.visible_when).toEqual({ field: 'filed', equals: 'yes' });
  expect(assets?.visible_when).toEqual({ field: 'filed', equals: 'yes' });
  expect(goal?.options).toEqual([
    { value: 'fast', label: 'Pay It Off', selector: '#goal_0' },
    { value: 'low', label: 'Pay Little', selector: '#goal_1' },
  ]);
});

test('reads the folders of the original system with their schemas', async () => {
  const schema = { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', properties: {} };
  await using folder = await home({
    'wizard-structures/old-form.json': oldFile,
    'data-schemas/old-form-schema.json': schema,
  });
  const stored = await openWizardFolder(folder.path).read('old-form');
  expect(stored).toMatchObject({ ownSchema: true, schema });
});

test('reports a broken file and lists the others', async () => {
  await using folder = await home({
    'good.json': { ...oldFile, wizard_id: 'good' },
    'cut.json': '{"wizard_id": "cut"',
    'empty.json': { ...oldFile, pages: [], total_pages: 0 },
    'odd.json': { ...oldFile, total_pages: 3 },
    'Not An Id.json': oldFile,
    'good.schema.json': {},
  });
  const { wizards, broken } = await openWizardFolder(folder.path).list();
  expect(wizards.map(({ wizard }) => wizard.wizard_id)).toEqual(['good']);
  expect(broken.map(({ file }) => file)).toEqual(['Not An Id.json', 'cut.json', 'empty.json', 'odd.json']);
  expect(broken[0]?.problem).toContain('a-z, 0-9 and hyphens');
  expect(broken[2]?.problem).toMatch(/total_pages|pages/);
  expect(broken[3]?.problem).toMatch(/total_pages: is 3, but there are 1/);
});

test.each(['../secret', 'a/b', 'A', '', '..', 'x.json.json/..', 'x\u0000', '.json', 'a'.repeat(101)])(
  'rejects the id %j before it builds a path',
  async (id) => {
    await using folder = await home({});
    await folder.write('secret.json', JSON.stringify(oldFile));
    await expect(openWizardFolder(folder.path).read(id)).rejects.toMatchObject({ code: 'invalid_wizard_id' });
  },
);

test('does not save a wizard with the name of a schema file', async () => {
  await using folder = await home({ 'form.json': oldFile });
  const { wizard } = await openWizardFolder(folder.path).read('form');
  await expect(openWizardFolder(folder.path).save({ ...wizard, wizard_id: 'form-schema' })).rejects.toMatchObject({
    code: 'invalid_wizard_id',
    message: expect.stringContaining('-schema'),
  });
});

test('suggests the nearest id for an unknown wizard', async () => {
  await using folder = await home({ 'old-form.json': oldFile });
  await expect(openWizardFolder(folder.path).read('old-from')).rejects.toThrow(/Did you mean old-form.json/);
});

test('keeps the previous version and leaves no partial file', async () => {
  await using folder = await home({});
  const wizards = openWizardFolder(folder.path);
  const wizard = wizardSchema.parse(oldFile);
  const first = await wizards.save(wizard);
  const second = await wizards.save({ ...wizard, name: 'New name' });
  expect(first.previous).toBeUndefined();
  expect(JSON.parse(await readFile(second.previous ?? '', 'utf8')).name).toBe('Old form');
  expect(JSON.parse(await readFile(second.path, 'utf8')).name).toBe('New name');
  expect((await readdir(join(folder.path, 'wizards'))).sort()).toEqual([
    '.save.lock',
    'old-form.json',
    'old-form.schema.json',
    'versions',
  ]);
});

test('stores the pages of an open discovery until it is removed', async () => {
  await using folder = await home({});
  const wizards = openWizardFolder(folder.path);
  const path = await wizards.savePartial('0b1c', { pages: [] });
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ pages: [] });
  await wizards.removePartial('0b1c');
  await expect(readFile(path)).rejects.toThrow();
  await expect(wizards.savePartial('../x', {})).rejects.toMatchObject({ code: 'invalid_session' });
});

test('resolves {base_url} from the operator, else from the file', async () => {
  const file = { ...oldFile, url: '{base_url}/form', base_url: 'https://here.example/' };
  await using folder = await home({ 'old-form.json': file });
  const url = async (baseUrl?: string) =>
    (await openWizardFolder(folder.path, { baseUrl }).read('old-form')).wizard.url;
  expect(await url()).toBe('https://here.example/form');
  expect(await url('http://127.0.0.1:1')).toBe('http://127.0.0.1:1/form');
});

test('lists a wizard without a known site with the setting to set', async () => {
  await using folder = await home({ 'moved.json': { ...oldFile, wizard_id: 'moved', url: '{base_url}/form/' } });
  const unplaced = await openWizardFolder(folder.path).list();
  expect(unplaced.wizards.map(({ wizard }) => summarizeWizard(wizard))).toMatchObject([
    { url: '{base_url}/form/', description: expect.stringContaining('set ASSAY_WIZARDS_BASE_URL') },
  ]);
  const placed = await openWizardFolder(folder.path, { baseUrl: 'https://example.org' }).list();
  expect(placed.wizards.map(({ wizard }) => summarizeWizard(wizard))).toMatchObject([
    { url: 'https://example.org/form/', description: expect.not.stringContaining('ASSAY') },
  ]);
});

test.each([
  ['(a+)+\\$', 'can take forever on some texts'],
  ['(a', 'is not a regular expression'],
])('rejects a file with the result pattern %s and names the location', async (pattern, problem) => {
  await using folder = await home({ 'old-form.json': { ...oldFile, results: { grant: { pattern } } } });
  const reading = openWizardFolder(folder.path).read('old-form');
  await expect(reading).rejects.toThrow(`results.grant.pattern: ${problem}`);
});

test('accepts long notes and choices that look like patterns', async () => {
  const choice = '(a+)+$';
  const [page] = oldFile.pages;
  const fields = [{ ...page?.fields[0], notes: `#${'a'.repeat(60)}! ${' '.repeat(50_000)}` }];
  await using folder = await home({
    'old-form.json': { ...oldFile, pages: [{ ...page, fields }] },
    'old-form.schema.json': { properties: { filed: { enum: [choice] } } },
  });
  const { wizard } = await openWizardFolder(folder.path).read('old-form');
  expect(wizard.pages[0]?.fields[0]?.options).toMatchObject([{ value: choice }]);
});

test('lists no wizards without a folder', async () => {
  await using folder = await newFolder();
  expect(await openWizardFolder(folder.path).list()).toEqual({ wizards: [], broken: [] });
  await mkdir(join(folder.path, 'wizards'));
  await writeFile(join(folder.path, 'wizards', 'notes.txt'), 'x');
  expect((await openWizardFolder(folder.path).list()).wizards).toEqual([]);
});

test('marks fields as private that the schema marks, in groups too', async () => {
  const [page] = oldFile.pages;
  const sub = {
    field_id: 'code',
    label: 'Code',
    selector: '#c',
    field_type: 'text',
    interaction: 'fill',
    example_value: 'x',
  };
  const group = {
    ...sub,
    field_id: 'entries',
    label: 'Entries',
    field_type: 'group',
    repeatable: true,
    add_button_selector: '#add',
    sub_fields: [sub, { ...sub, field_id: 'other', label: 'Other' }],
  };
  const fields = [{ ...sub, field_id: 'motto', label: 'Motto' }, group];
  const items = { type: 'object', properties: { code: { type: 'string', writeOnly: true } } };
  await using folder = await home({
    'own.json': { ...oldFile, wizard_id: 'own', pages: [{ ...page, fields }] },
    'own.schema.json': {
      type: 'object',
      properties: { motto: { 'x-private': true }, entries: { type: 'array', items } },
    },
  });
  const { wizard } = await openWizardFolder(folder.path).read('own');
  const [motto, entries] = wizard.pages[0]?.fields ?? [];
  expect(motto?.private).toBe(true);
  expect(entries?.private).toBeUndefined();
  expect(entries?.sub_fields?.map((one) => one.private)).toEqual([true, undefined]);
});
