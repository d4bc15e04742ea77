import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../../../test/support/folders.ts';
import { writeExportFolder, writeExportZip } from './export-target.ts';

const config = ['package.json', '{}\n'] as const;
const one = ['tests/one.spec.ts', 'one\n'] as const;
const two = ['tests/two.spec.ts', 'two\n'] as const;
const refused = (words: string) => expect.objectContaining({ message: expect.stringContaining(words) });

test('replaces an earlier export and removes its outdated tests', async () => {
  await using folder = await newFolder();
  await folder.write('tests/mine.spec.ts', 'mine');
  expect(await writeExportFolder(folder.path, new Map([config, one, two]))).toEqual({ removed: [] });
  expect(await writeExportFolder(folder.path, new Map([config, ['tests/two.spec.ts', 'another\n']]))).toEqual({
    removed: ['tests/one.spec.ts'],
  });
  expect(existsSync(join(folder.path, 'tests/one.spec.ts'))).toBe(false);
  expect(readFileSync(join(folder.path, 'tests/two.spec.ts'), 'utf8')).toBe('another\n');
  expect(readFileSync(join(folder.path, 'tests/mine.spec.ts'), 'utf8')).toBe('mine');
});

test('writes nothing if the folder has foreign or edited files', async () => {
  await using folder = await newFolder();
  await folder.write('package.json', '{"name":"mine"}');
  await expect(writeExportFolder(folder.path, new Map([config, one]))).rejects.toEqual(refused('package.json'));
  expect(readFileSync(join(folder.path, 'package.json'), 'utf8')).toBe('{"name":"mine"}');
  expect(existsSync(join(folder.path, 'tests'))).toBe(false);
  const path = join(folder.path, 'own');
  await writeExportFolder(path, new Map([config, one, two]));
  await folder.write('own/tests/one.spec.ts', 'fixed by hand');
  await expect(writeExportFolder(path, new Map([config, two]))).rejects.toEqual(refused('tests/one.spec.ts'));
  expect(readFileSync(join(path, 'tests/one.spec.ts'), 'utf8')).toBe('fixed by hand');
});

test('keeps an existing .gitignore', async () => {
  await using folder = await newFolder();
  const ignored = ['.gitignore', '.env\n'] as const;
  await writeExportFolder(folder.path, new Map([config, ignored]));
  expect(readFileSync(join(folder.path, '.gitignore'), 'utf8')).toBe('.env\n');
  await folder.write('.gitignore', '.env\n.idea/\n');
  await writeExportFolder(folder.path, new Map([config, one, ignored]));
  expect(readFileSync(join(folder.path, '.gitignore'), 'utf8')).toBe('.env\n.idea/\n');
});

test('replaces an exported zip and no other file', async () => {
  await using folder = await newFolder();
  const path = join(folder.path, 'tests.zip');
  await writeExportZip(path, new Map([config, one]));
  await writeExportZip(path, new Map([config, two]));
  const mine = await folder.write('notes.txt', 'mine');
  await expect(writeExportZip(mine, new Map([config]))).rejects.toEqual(refused('notes.txt'));
  expect(readFileSync(mine, 'utf8')).toBe('mine');
});
