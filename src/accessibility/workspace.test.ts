import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../../test/support/folders.ts';
import { baseUrlsDir, prepareDefaultConfig, readDefaultConfig, writeInputs } from './workspace.ts';

const scanId = '0a1b2c3d-0000-4000-8000-000000000000';

test('reports why inputs cannot be written and removes them', async () => {
  await using folder = await newFolder();
  await folder.write('base_urls/visit/other/urls.csv', '');
  const writing = writeInputs({ root: folder.path }, scanId, {}, [new URL('https://a.example/')]);
  await expect(writing).rejects.toMatchObject({ kind: 'configuration', code: 'WORKSPACE_UNUSABLE' });
  expect(await readdir(join(folder.path, 'base_urls/visit'))).toEqual(['other']);
});

test('writes addresses that CWAC reads unchanged and no spreadsheet evaluates', async () => {
  await using folder = await newFolder();
  await folder.write('base_urls/visit/other.csv', '');
  await folder.write('config/other.json', '{}');
  await writeInputs({ root: folder.path }, scanId, {}, [new URL('https://a.example/b;=1?c=d;e')]);
  const list = await readFile(join(baseUrlsDir({ root: folder.path }, scanId), 'urls.csv'), 'utf8');
  expect(list).toBe('organisation,url,sector\na.example,"https://a.example/b;%3D1?c=d;e",unknown\n');
});

test('distinguishes an invalid default config from a missing one', async () => {
  await using folder = await newFolder();
  const workspace = { root: folder.path };
  await expect(readDefaultConfig(workspace)).rejects.toThrow(/^CWAC default config not found$/);
  await folder.write('config/config_default.json', '{"headless": true,}');
  await expect(readDefaultConfig(workspace)).rejects.toThrow(/^CWAC default config is not valid JSON: /);
});

test('writes the default config once and keeps changes in it', async () => {
  await using folder = await newFolder();
  const workspace = { root: folder.path };
  await prepareDefaultConfig(workspace, { a: 1 });
  await prepareDefaultConfig(workspace, { a: 2 });
  expect(await readDefaultConfig(workspace)).toEqual({ a: 1 });
  expect(await readdir(join(folder.path, 'config'))).toEqual(['config_default.json']);
});
