import { readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../../../test/support/folders.ts';
import { openWizardFolder } from './wizard-folder.ts';
import { type Wizard, wizardSchema } from './wizard-schema.ts';

/** A wizard that asks one question, by the site and the field that tell it apart from others. */
const wizardFor = (id: string, site: string, field = 'answer'): Wizard =>
  wizardSchema.parse({
    wizard_id: id,
    name: `Form of ${site}`,
    url: `https://${site}/form`,
    discovered_at: '2026-01-01T00:00:00Z',
    discovery_version: '1.1.0',
    total_pages: 1,
    pages: [
      {
        page_number: 1,
        page_title: 'Question',
        fields: [
          {
            label: 'Answer',
            field_id: field,
            selector: '#a',
            field_type: 'text',
            interaction: 'fill',
            example_value: 'x',
          },
        ],
        continue_button: { text: 'Send', selector: '#send', selector_type: 'css' },
      },
    ],
  });

/** A home folder, and a folder of shared wizards with one for `shared.example` under the id `benefits`. */
async function withShared() {
  const folder = await newFolder();
  await folder.write('shared/benefits.json', JSON.stringify(wizardFor('benefits', 'shared.example')));
  const shared = join(folder.path, 'shared');
  return Object.assign(folder, { shared, wizards: openWizardFolder(join(folder.path, 'home'), { shared }) });
}

const listed = async (wizards: ReturnType<typeof openWizardFolder>) =>
  (await wizards.list()).wizards.map(({ wizard, shared }) => [wizard.wizard_id, wizard.url, shared]);

test('lists and reads a shared wizard beside the wizards of the owner', async () => {
  await using folder = await withShared();
  const { wizards } = folder;
  await wizards.save(wizardFor('mine', 'mine.example'));
  expect(await listed(wizards)).toEqual([
    ['mine', 'https://mine.example/form', false],
    ['benefits', 'https://shared.example/form', true],
  ]);
  expect((await wizards.read('benefits.json')).wizard.url).toBe('https://shared.example/form');
  await expect(wizards.read('benefit')).rejects.toThrow(/Did you mean benefits.json/);
});

test('rejects the id of a shared wizard and writes nothing', async () => {
  await using folder = await withShared();
  const saving = folder.wizards.save(wizardFor('benefits', 'other.example'));
  await expect(saving).rejects.toMatchObject({
    code: 'wizard_id_shared',
    details: { corrective_action: expect.stringContaining('another wizard_id') },
  });
  expect(await readdir(folder.shared)).toEqual(['benefits.json']);
  await expect(readdir(join(folder.path, 'home'))).rejects.toThrow('ENOENT');
});

test('keeps an own wizard in use when the operator shares one with its id, and says so in the list', async () => {
  await using folder = await withShared();
  await openWizardFolder(join(folder.path, 'home')).save(wizardFor('benefits', 'mine.example'));
  expect(await listed(folder.wizards)).toEqual([['benefits', 'https://mine.example/form', false]]);
  expect((await folder.wizards.list()).broken).toEqual([
    { file: 'benefits.json', problem: expect.stringContaining('another wizard_id') },
  ]);
  expect((await folder.wizards.read('benefits')).wizard.url).toBe('https://mine.example/form');
});

test('treats the wizards of the owner as shared when the operator shares the folder of that owner', async () => {
  await using folder = await newFolder();
  const wizards = openWizardFolder(folder.path, { shared: join(folder.path, 'wizards') });
  await wizards.save(wizardFor('mine', 'mine.example'));
  expect(await wizards.list()).toMatchObject({ wizards: [{ shared: true }], broken: [] });
  await expect(wizards.save(wizardFor('mine', 'mine.example'))).rejects.toMatchObject({ code: 'wizard_id_shared' });
});

test('leaves a wizard with its own schema when several save the same id at once', async () => {
  await using folder = await newFolder();
  const writers = Array.from({ length: 8 }, (_, i) => ({ home: openWizardFolder(folder.path), field: `field_${i}` }));
  await Promise.all(writers.map(({ home, field }) => home.save(wizardFor('same', 'same.example', field))));
  const root = join(folder.path, 'wizards');
  const pairs = [
    [join(root, 'same.json'), join(root, 'same.schema.json')],
    ...(await readdir(join(root, 'versions/same')))
      .filter((name) => !name.endsWith('.schema.json'))
      .map((name) => join(root, 'versions/same', name))
      .map((path) => [path, path.replace(/\.json$/, '.schema.json')]),
  ];
  expect(pairs).toHaveLength(writers.length);
  const fields = await Promise.all(
    pairs.map(async ([wizard = '', schema = '']) => {
      const { pages } = wizardSchema.parse(JSON.parse(await readFile(wizard, 'utf8')));
      const id = pages[0]?.fields[0]?.field_id ?? '';
      expect(Object.keys(JSON.parse(await readFile(schema, 'utf8')).properties)).toEqual([id]);
      return id;
    }),
  );
  expect(fields.sort()).toEqual(writers.map(({ field }) => field));
});

test('rejects a symbolic link that leaves the folder of a confined owner', async () => {
  await using folder = await newFolder();
  await openWizardFolder(join(folder.path, 'victim')).save(wizardFor('theirs', 'victim.example'));
  const own = join(folder.path, 'own');
  const wizards = openWizardFolder(own, { confined: true });
  await wizards.save(wizardFor('mine', 'mine.example'));
  await symlink(join(folder.path, 'victim/wizards/theirs.json'), join(own, 'wizards/link.json'));
  await expect(wizards.read('link')).rejects.toMatchObject({ code: 'PATH_NOT_ALLOWED' });
  await expect(wizards.save(wizardFor('link', 'mine.example'))).rejects.toMatchObject({ code: 'PATH_NOT_ALLOWED' });
  await symlink(join(folder.path, 'victim'), join(own, 'wizards/versions'));
  await expect(wizards.save(wizardFor('mine', 'mine.example'))).rejects.toMatchObject({ code: 'PATH_NOT_ALLOWED' });
  expect(await readdir(join(folder.path, 'victim'))).toEqual(['wizards']);
});

test.each([
  '../victim/wizards/theirs',
  '/etc/passwd',
  'a\u0000b',
  'Theirs',
  'cafe\u0301',
  '\uFB01le',
  'runs/theirs',
  'a'.repeat(101),
])('rejects the id %j for a new wizard and writes nothing', async (id) => {
  await using folder = await newFolder();
  const saving = openWizardFolder(join(folder.path, 'own')).save({
    ...wizardFor('mine', 'mine.example'),
    wizard_id: id,
  });
  await expect(saving).rejects.toMatchObject({ code: 'invalid_wizard_id' });
  expect(await readdir(folder.path)).toEqual([]);
});
