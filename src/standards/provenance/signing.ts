import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Failure, quote, systemReason } from '../../platform/errors.ts';
import type { SettingValues } from '../../platform/settings.ts';
import { standardsSettings } from '../settings.ts';
import { sha256Digest } from './canonical-json.ts';

/** SubjectPublicKeyInfo, DER, base64. */
export type PublicKey = string;

export interface Signer {
  publicKey: PublicKey;
  sign(data: string | Uint8Array): string;
}

/** Loads the Ed25519 key from the PEM file in `ASSAY_SIGNING_KEY`; without the setting nothing is signed. */
export async function loadSigner(setting: SettingValues['get']): Promise<Signer | undefined> {
  const path = setting(standardsSettings.signingKey);
  return path ? loadSignerFile('ASSAY_SIGNING_KEY', path) : undefined;
}

/** Loads an Ed25519 key from a PEM file. `setting` is where the path came from, for messages. */
export async function loadSignerFile(setting: string, path: string): Promise<Signer> {
  const key = await readKeyFile(setting, path, createPrivateKey);
  return {
    publicKey: exportPublicKey(createPublicKey(key)),
    sign: (data) => sign(null, Buffer.from(data), key).toString('base64'),
  };
}

/** Loads the key that signatures are checked with: `ASSAY_VERIFY_KEY`, else the public part of the signing key. */
export async function loadTrustedKey(setting: SettingValues['get']): Promise<PublicKey | undefined> {
  const path = setting(standardsSettings.verifyKey);
  if (path) return exportPublicKey(await readKeyFile('ASSAY_VERIFY_KEY', path, createPublicKey));
  return (await loadSigner(setting))?.publicKey;
}

/** The id of a key: the digest of the key itself, so that no other key can have it. */
export function keyId(key: PublicKey): string {
  return sha256Digest(Buffer.from(key, 'base64'));
}

export function isSignedBy(publicKey: PublicKey, data: string | Uint8Array, signature: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    const bytes = Buffer.from(signature, 'base64');
    // Node reads base64 and DER leniently; only the canonical encoding is accepted.
    if (bytes.toString('base64') !== signature || exportPublicKey(key) !== publicKey) return false;
    return key.asymmetricKeyType === 'ed25519' && verify(null, Buffer.from(data), key, bytes);
  } catch {
    return false;
  }
}

function exportPublicKey(key: KeyObject): PublicKey {
  return key.export({ format: 'der', type: 'spki' }).toString('base64');
}

async function readKeyFile(setting: string, path: string, read: (pem: Buffer) => KeyObject): Promise<KeyObject> {
  let pem: Buffer;
  try {
    pem = await readFile(path);
  } catch (error) {
    throw new Failure(
      'configuration',
      'EACCES',
      `Cannot read the key file that ${setting} names: ${systemReason(error)}; correct the path, or make the file readable`,
    );
  }
  try {
    const key = read(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
    throw new Failure(
      'configuration',
      'EINVAL',
      `${setting} names a key of type ${quote(key.asymmetricKeyType)}; give an Ed25519 key in PEM form`,
    );
  } catch (error) {
    if (error instanceof Failure) throw error;
    // The parser's message might quote the file, so it is dropped.
    throw new Failure(
      'configuration',
      'EINVAL',
      `${setting} names a file without a key in PEM form; create one with "openssl genpkey -algorithm ed25519"`,
    );
  }
}
