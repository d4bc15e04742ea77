import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../../test/support/folders.ts';
import { checkPath, writeFileAtomic } from './files.ts';

test('a file is written whole, for its owner only, and nothing else is left', async () => {
  await using folder = await newFolder();
  const path = join(folder.path, 'data.json');
  await Promise.all(Array.from({ length: 20 }, (_, i) => writeFileAtomic(path, `${i}`.repeat(10_000))));
  expect(new Set(await readFile(path, 'utf8')).size).toBeLessThanOrEqual(2);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder.path)).toEqual(['data.json']);
});

test('a file that cannot be put in place leaves nothing behind', async () => {
  await using folder = await newFolder();
  await mkdir(join(folder.path, 'taken'));
  await expect(writeFileAtomic(join(folder.path, 'taken'), 'x')).rejects.toThrow();
  expect(await readdir(folder.path)).toEqual(['taken']);
});

test('without folders every path is allowed', async () => {
  await expect(checkPath('/etc/passwd', '/', undefined)).resolves.toBeUndefined();
});

test('with folders only what lies in them is, wherever links lead', async () => {
  await using folder = await newFolder();
  await folder.write('allowed/sub/file', '');
  await folder.write('allowed-too/file', '');
  await folder.write('secret/file', '');
  await symlink('../secret', join(folder.path, 'allowed/link'));
  await symlink(join(folder.path, 'allowed/sub'), join(folder.path, 'way-in'));
  await writeFile(join(folder.path, 'allowed/..odd'), '');
  const check = (path: string, folders = ['allowed']) => checkPath(path, folder.path, folders);
  for (const path of [
    'allowed',
    'allowed/sub/file',
    'allowed/not/there/yet',
    'way-in/file',
    'allowed/..odd',
    join(folder.path, 'allowed/sub'),
  ])
    await expect(check(path), path).resolves.toBeUndefined();
  for (const path of [
    '.',
    '..',
    'secret/file',
    'allowed/../secret/file',
    'allowed-too/file',
    'allowed/link/file',
    'allowed/link/new',
    '/etc/passwd',
    '',
  ])
    await expect(check(path), path).rejects.toMatchObject({ code: 'PATH_NOT_ALLOWED' });
  await expect(check('allowed/sub/file', [])).rejects.toMatchObject({ code: 'PATH_NOT_ALLOWED' });
});
