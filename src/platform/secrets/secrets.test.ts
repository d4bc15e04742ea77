import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { newFolder } from '../../../test/support/folders.ts';
import { addSecretKey, keepOnlyFirstKey, loadSecretKeys, parseSecretKey, secretKeyFile } from './secret-keys.ts';
import { createSecretVault } from './secret-vault.ts';

const place = ['qa_secrets', 'proj_1', 'sec_1'];

test('a sealed value opens at its place, and looks different each time', async () => {
  await using home = await newFolder();
  const vault = createSecretVault(await loadSecretKeys(home.path));
  const [first, second] = [vault.seal('hunter2', place), vault.seal('hunter2', place)];
  expect(first).not.toBe(second);
  expect(first).not.toContain('hunter2');
  expect(vault.open(first, place)).toBe('hunter2');
  expect(vault.open(second, place)).toBe('hunter2');
});

test('a value that was moved or changed does not open', async () => {
  await using home = await newFolder();
  const vault = createSecretVault(await loadSecretKeys(home.path));
  const sealed = vault.seal('hunter2', place);
  expect(() => vault.open(sealed, ['qa_secrets', 'proj_1', 'sec_2'])).toThrow(/changed or moved/);
  const last = sealed.at(-3) === 'A' ? 'B' : 'A';
  expect(() => vault.open(sealed.slice(0, -3) + last + sealed.slice(-2), place)).toThrow(/changed or moved/);
  expect(() => vault.open(sealed.split('.')[0] ?? '', place)).toThrow(/changed or moved/);
});

test('a wrong key is said to be one, by name and without the key', async () => {
  await using home = await newFolder();
  await using other = await newFolder();
  const vault = createSecretVault(await loadSecretKeys(home.path));
  const wrong = createSecretVault(await loadSecretKeys(other.path));
  const sealed = vault.seal('hunter2', place);
  expect(() => wrong.open(sealed, place)).toThrow(
    new RegExp(`sealed with the key ${vault.keyId}, but this server has ${wrong.keyId}.*ASSAY_SECRET_KEY`),
  );
});

test('the key file is made once, for its owner alone, however many need it at the same time', async () => {
  await using home = await newFolder();
  const all = await Promise.all(Array.from({ length: 8 }, () => loadSecretKeys(home.path)));
  expect(new Set(all.map(([key]) => key.toString('hex'))).size).toBe(1);
  expect((await stat(secretKeyFile(home.path))).mode & 0o777).toBe(0o600);
});

test('a key file that others can read, or that holds no key, is refused', async () => {
  await using home = await newFolder();
  await loadSecretKeys(home.path);
  await chmod(secretKeyFile(home.path), 0o644);
  await expect(loadSecretKeys(home.path)).rejects.toThrow(/chmod 600/);
  await chmod(secretKeyFile(home.path), 0o600);
  await writeFile(secretKeyFile(home.path), 'rubbish\n');
  await expect(loadSecretKeys(home.path)).rejects.toThrow(/holds no key/);
});

// Windows has no pipes in its file system.
const makePipe = (path: string) => promisify(execFile)('mkfifo', ['-m', '600', path]);
const pipes = process.platform === 'win32' ? [] : [['not a regular file', makePipe] as const];
test.each([['a folder', (path: string) => mkdir(path)] as const, ...pipes])(
  'a key file that is %s is refused with what helps',
  async (what, make) => {
    await using home = await newFolder();
    await make(secretKeyFile(home.path));
    await expect(loadSecretKeys(home.path)).rejects.toMatchObject({
      code: 'SECRET_KEY_UNREADABLE',
      message: expect.stringContaining(`secret.key is ${what}. Move it away`),
    });
  },
);

test('while keys change, both open; afterwards only the new one is there', async () => {
  await using home = await newFolder();
  const old = createSecretVault(await loadSecretKeys(home.path)).seal('hunter2', place);
  const both = createSecretVault(await addSecretKey(home.path));
  expect(both.open(old, place)).toBe('hunter2');
  const sealed = both.seal('hunter2', place);
  await keepOnlyFirstKey(home.path);
  const after = createSecretVault(await loadSecretKeys(home.path));
  expect(after.open(sealed, place)).toBe('hunter2');
  expect(() => after.open(old, place)).toThrow(/sealed with the key/);
  expect((await readFile(secretKeyFile(home.path), 'utf8')).trim().split('\n')).toHaveLength(1);
});

test.each([
  ['64 hexadecimal digits', 'ab'.repeat(32), true],
  ['base64', Buffer.alloc(32, 255).toString('base64'), true],
  ['base64 for URLs', Buffer.alloc(32, 255).toString('base64url'), true],
  ['31 bytes', Buffer.alloc(31).toString('base64'), false],
  ['a password', 'correct horse battery staple', false],
])('a key by %s', (_what, text, good) => {
  expect(parseSecretKey(text) !== undefined).toBe(good);
});
