import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newFolder } from '../../../test/support/folders.ts';
import { checkPath, writeFileAtomic } from './files.ts';

test('writes a file atomically with owner-only permissions', async () => {
  await using folder = await newFolder();
  const path = join(folder.path, 'data.json');
  await Promise.all(Array.from({ length: 20 }, (_, i) => writeFileAtomic(path, `${i}`.repeat(10_000))));
  expect(new Set(await readFile(path, 'utf8')).size).toBeLessThanOrEqual(2);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder.path)).toEqual(['data.json']);
});

test('leaves no temporary file when the rename fails', async () => {
  await using folder = await newFolder();
  await mkdir(join(folder.path, 'taken'));
  await expect(writeFileAtomic(join(folder.path, 'taken'), 'x')).rejects.toThrow();
  expect(await readdir(folder.path)).toEqual(['taken']);
});

test('allows every path without folders', async () => {
  await expect(checkPath('/etc/passwd', '/', undefined)).resolves.toBeUndefined();
});

test('allows only paths within the folders after resolving links', async () => {
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

describe('with folders', () => {
  test.each([
    ['many parts', 'a/'.repeat(1_950_000), 3_900_000],
    ['one part', 'a'.repeat(4_097), 4_097],
  ])('rejects a path of %s that is too long', async (_what, path, length) => {
    await expect(checkPath(path, '/', ['/'])).rejects.toMatchObject({
      kind: 'bad_input',
      code: 'PATH_TOO_LONG',
      message: `The path has ${length} characters; at most 4096 are allowed. Pass a shorter path.`,
    });
  });

  test('allows a path of 2,000 missing parts within them', async () => {
    await using folder = await newFolder();
    await mkdir(join(folder.path, 'allowed'));
    await expect(checkPath(`allowed/${'a/'.repeat(2_000)}`, folder.path, ['allowed'])).resolves.toBeUndefined();
  });

  test.each([
    ['a name that the system does not allow', 'a'.repeat(300), 'the path is too long'],
    ['a NUL byte', 'a\0b', 'the path contains a NUL byte'],
    ['links in a circle', 'circle', 'too many symbolic links'],
  ])('rejects a path that cannot be resolved: %s', async (_what, name, reason) => {
    await using folder = await newFolder();
    await mkdir(join(folder.path, 'allowed'));
    await symlink('circle', join(folder.path, 'allowed/circle'));
    for (const path of [`allowed/${name}`, `allowed/${name}/below`])
      await expect(checkPath(path, folder.path, ['allowed'])).rejects.toMatchObject({
        code: 'PATH_NOT_ALLOWED',
        message: `The path cannot be resolved: ${reason}. Pass a path in a folder that this server may access.`,
      });
  });

  test('ignores an allowed folder that cannot be resolved', async () => {
    await using folder = await newFolder();
    await folder.write('allowed/file', '');
    await symlink('circle', join(folder.path, 'circle'));
    await expect(checkPath('allowed/file', folder.path, ['circle', 'allowed'])).resolves.toBeUndefined();
    await expect(checkPath('other', folder.path, ['circle'])).rejects.toMatchObject({ code: 'PATH_NOT_ALLOWED' });
  });
});
