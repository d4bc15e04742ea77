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

/** The Ed25519 key whose PEM file `ASSAY_SIGNING_KEY` names; without it nothing is signed. */
export async function loadSigner(setting: SettingValues['get']): Promise<Signer | undefined> {
  const path = setting(standardsSettings.signingKey);
  if (!path) return undefined;
  const key = await readKeyFile('ASSAY_SIGNING_KEY', path, createPrivateKey);
  return {
    publicKey: exportPublicKey(createPublicKey(key)),
    sign: (data) => sign(null, Buffer.from(data), key).toString('base64'),
  };
}

/** The key that signatures are checked with, where `ASSAY_VERIFY_KEY` names one: the chain's own word is not enough then. */
export async function loadTrustedKey(setting: SettingValues['get']): Promise<PublicKey | undefined> {
  const path = setting(standardsSettings.verifyKey);
  if (path) return exportPublicKey(await readKeyFile('ASSAY_VERIFY_KEY', path, createPublicKey));
  return (await loadSigner(setting))?.publicKey;
}

/** A key's name: the digest of the key itself, so that nobody can give another one the same. */
export function keyId(key: PublicKey): string {
  return sha256Digest(Buffer.from(key, 'base64'));
}

export function isSignedBy(publicKey: PublicKey, data: string | Uint8Array, signature: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    const bytes = Buffer.from(signature, 'base64');
    // Base64 and DER are read leniently, so that two texts may mean the same thing; only one of them is right.
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
      `Cannot read the key file that ${setting} names: ${systemReason(error)}`,
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
    // The parser's own words might quote the file.
    throw new Failure('configuration', 'EINVAL', `${setting} names a file that holds no key in PEM form`);
  }
}
