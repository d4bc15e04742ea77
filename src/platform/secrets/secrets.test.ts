import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { newFolder } from '../../../test/support/folders.ts';
import { addSecretKey, keepOnlyFirstKey, loadSecretKeys, parseSecretKey, secretKeyFile } from './secret-keys.ts';
import { createSecretVault } from './secret-vault.ts';

const location = ['qa_secrets', 'proj_1', 'sec_1'];

test('opens a sealed value at its location, and seals it differently each time', async () => {
  await using home = await newFolder();
  const vault = createSecretVault(await loadSecretKeys(home.path));
  const [first, second] = [vault.seal('hunter2', location), vault.seal('hunter2', location)];
  expect(first).not.toBe(second);
  expect(first).not.toContain('hunter2');
  expect(vault.open(first, location)).toBe('hunter2');
  expect(vault.open(second, location)).toBe('hunter2');
});

test('refuses to open a moved or changed value', async () => {
  await using home = await newFolder();
  const vault = createSecretVault(await loadSecretKeys(home.path));
  const sealed = vault.seal('hunter2', location);
  expect(() => vault.open(sealed, ['qa_secrets', 'proj_1', 'sec_2'])).toThrow(/changed or moved/);
  const last = sealed.at(-3) === 'A' ? 'B' : 'A';
  expect(() => vault.open(sealed.slice(0, -3) + last + sealed.slice(-2), location)).toThrow(/changed or moved/);
  expect(() => vault.open(sealed.split('.')[0] ?? '', location)).toThrow(/changed or moved/);
});

test('reports a wrong key by its id, without the key', async () => {
  await using home = await newFolder();
  await using other = await newFolder();
  const vault = createSecretVault(await loadSecretKeys(home.path));
  const wrong = createSecretVault(await loadSecretKeys(other.path));
  const sealed = vault.seal('hunter2', location);
  expect(() => wrong.open(sealed, location)).toThrow(
    new RegExp(`encrypted with the key ${vault.keyId}, but this server has ${wrong.keyId}.*ASSAY_SECRET_KEY`),
  );
});

test('creates the key file once, with owner-only permissions, under concurrency', async () => {
  await using home = await newFolder();
  const all = await Promise.all(Array.from({ length: 8 }, () => loadSecretKeys(home.path)));
  expect(new Set(all.map(([key]) => key.toString('hex'))).size).toBe(1);
  expect((await stat(secretKeyFile(home.path))).mode & 0o777).toBe(0o600);
});

test('rejects a key file that others can read or that has no key', async () => {
  await using home = await newFolder();
  await loadSecretKeys(home.path);
  await chmod(secretKeyFile(home.path), 0o644);
  await expect(loadSecretKeys(home.path)).rejects.toThrow(/chmod 600/);
  await chmod(secretKeyFile(home.path), 0o600);
  await writeFile(secretKeyFile(home.path), 'rubbish\n');
  await expect(loadSecretKeys(home.path)).rejects.toThrow(/contains no key/);
});

// Windows has no pipes in its file system.
const makePipe = (path: string) => promisify(execFile)('mkfifo', ['-m', '600', path]);
const pipes = process.platform === 'win32' ? [] : [['not a regular file', makePipe] as const];
test.each([['a folder', (path: string) => mkdir(path)] as const, ...pipes])(
  'rejects a key file that is %s, with the fix',
  async (what, make) => {
    await using home = await newFolder();
    await make(secretKeyFile(home.path));
    await expect(loadSecretKeys(home.path)).rejects.toMatchObject({
      code: 'SECRET_KEY_UNREADABLE',
      message: expect.stringContaining(`secret.key is ${what}. Remove it and restore the key file`),
      remoteMessage: expect.not.stringContaining(home.path),
    });
  },
);

test('opens values with both keys during rotation, and keeps only the new key afterwards', async () => {
  await using home = await newFolder();
  const old = createSecretVault(await loadSecretKeys(home.path)).seal('hunter2', location);
  const both = createSecretVault(await addSecretKey(home.path));
  expect(both.open(old, location)).toBe('hunter2');
  const sealed = both.seal('hunter2', location);
  await keepOnlyFirstKey(home.path);
  const after = createSecretVault(await loadSecretKeys(home.path));
  expect(after.open(sealed, location)).toBe('hunter2');
  expect(() => after.open(old, location)).toThrow(/encrypted with the key/);
  expect((await readFile(secretKeyFile(home.path), 'utf8')).trim().split('\n')).toHaveLength(1);
});

test.each([
  ['64 hexadecimal digits', 'ab'.repeat(32), true],
  ['base64', Buffer.alloc(32, 255).toString('base64'), true],
  ['base64 for URLs', Buffer.alloc(32, 255).toString('base64url'), true],
  ['31 bytes', Buffer.alloc(31).toString('base64'), false],
  ['a password', 'correct horse battery staple', false],
])('parses a key from %s', (_what, text, good) => {
  expect(parseSecretKey(text) !== undefined).toBe(good);
});
