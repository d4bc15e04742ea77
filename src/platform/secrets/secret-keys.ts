import { randomBytes, randomUUID } from 'node:crypto';
import { link, open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { toHomeFailure } from '../environment-failure.ts';
import { Failure, systemCode, systemReason } from '../errors.ts';
import { makeHomeFolder, writeFileAtomic } from '../files/files.ts';

const KEY_BYTES = 32;

/** The first key encrypts; every key decrypts. */
export type SecretKeys = readonly [Buffer, ...Buffer[]];

/** Parses a key: 64 hexadecimal digits, or base64 of 32 bytes. */
export function parseSecretKey(text: string): Buffer | undefined {
  const bytes = /^[0-9a-f]{64}$/i.test(text)
    ? Buffer.from(text, 'hex')
    : /^[\w+/-]{43}=?$/.test(text)
      ? Buffer.from(text, 'base64url')
      : undefined;
  return bytes?.length === KEY_BYTES ? bytes : undefined;
}

export function secretKeyFile(home: string): string {
  return join(home, 'secret.key');
}

/** Returns the given keys, or those of the key file in the data folder, which is created if it is missing. */
export async function loadSecretKeys(home: string, configured?: SecretKeys): Promise<SecretKeys> {
  if (configured) return configured;
  return (await readKeyFile(home)) ?? (await makeKeyFile(home));
}

/** Adds a new first key; earlier keys still decrypt. */
export async function addSecretKey(home: string): Promise<SecretKeys> {
  const keys: SecretKeys = [randomBytes(KEY_BYTES), ...(await loadSecretKeys(home))];
  await writeKeys(home, keys);
  return keys;
}

export async function keepOnlyFirstKey(home: string): Promise<void> {
  const [first] = await loadSecretKeys(home);
  await writeKeys(home, [first]);
}

async function readKeyFile(home: string): Promise<SecretKeys | undefined> {
  const path = secretKeyFile(home);
  try {
    const found = await stat(path);
    if (!found.isFile()) throw notAFile(found.isDirectory() ? 'a folder' : 'not a regular file');
    if (process.platform !== 'win32' && (found.mode & 0o077) !== 0)
      throw keyFailure('SECRET_KEY_EXPOSED', path, `Other users can read ${path}. Run "chmod 600" on it.`);
    const [first, ...others] = (await readFile(path, 'utf8')).split('\n').flatMap((line) => (line ? [read(line)] : []));
    if (!first) throw unreadable();
    return [first, ...others];
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    if (error instanceof Failure) throw error;
    throw keyFailure(
      'SECRET_KEY_UNREADABLE',
      path,
      `Cannot read ${path}: ${systemReason(error)}. Make it readable for the user that runs Assay.`,
    );
  }

  function read(line: string): Buffer {
    const key = parseSecretKey(line.trim());
    if (!key) throw unreadable();
    return key;
  }

  /** Reading a pipe would block forever. */
  function notAFile(what: string): Failure {
    const fix = 'Remove it and restore the key file; a new key could not decrypt the existing secrets.';
    return keyFailure('SECRET_KEY_UNREADABLE', path, `${path} is ${what}. ${fix}`);
  }

  function unreadable(): Failure {
    const fix = 'Restore the original file: only its key decrypts the existing secrets.';
    return keyFailure('SECRET_KEY_UNREADABLE', path, `${path} contains no key. ${fix}`);
  }
}

/** The path stays on the machine: remote callers and stored errors get the name of the file. */
function keyFailure(code: string, path: string, message: string): Failure {
  const remoteMessage = message.replaceAll(path, "secret.key in the server's data folder");
  return new Failure('configuration', code, message, {}, { remoteMessage });
}

/** Creates the key file by a link, which only one of several concurrent processes can make, so all use the same key. */
async function makeKeyFile(home: string): Promise<SecretKeys> {
  await makeHomeFolder(home);
  const aside = join(home, `.secret.key.${randomUUID()}`);
  try {
    const file = await open(aside, 'wx', 0o600);
    try {
      await file.writeFile(formatKeys([randomBytes(KEY_BYTES)]));
      await file.sync();
    } finally {
      await file.close();
    }
    await link(aside, secretKeyFile(home));
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw toHomeFailure(error, secretKeyFile(home));
  } finally {
    await rm(aside, { force: true });
  }
  const keys = await readKeyFile(home);
  if (!keys)
    throw keyFailure(
      'SECRET_KEY_UNREADABLE',
      secretKeyFile(home),
      `${secretKeyFile(home)} no longer exists. Restore it, or start the server again.`,
    );
  return keys;
}

async function writeKeys(home: string, keys: SecretKeys): Promise<void> {
  await writeFileAtomic(secretKeyFile(home), formatKeys(keys), 0o600).catch((error: unknown) => {
    throw toHomeFailure(error, secretKeyFile(home));
  });
}

function formatKeys(keys: SecretKeys): string {
  return `${keys.map((key) => key.toString('base64')).join('\n')}\n`;
}
