import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { Failure } from '../errors.ts';
import type { SecretKeys } from './secret-keys.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts values with AES-256-GCM. Each is bound to its location, so a value that was moved does not decrypt. */
export interface SecretVault {
  /** Identifies the encrypting key without revealing it. */
  keyId: string;
  seal(value: string, location: readonly string[]): string;
  open(sealed: string, location: readonly string[]): string;
}

export function createSecretVault(keys: SecretKeys): SecretVault {
  const [first] = keys;
  const byId = new Map(keys.map((key) => [keyIdOf(key), key]));
  const keyId = keyIdOf(first);
  return {
    keyId,
    seal(value, location) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', first, nonce);
      cipher.setAAD(additionalData(location));
      const sealed = Buffer.concat([nonce, cipher.update(value, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${keyId}.${sealed.toString('base64url')}`;
    },
    open(sealed, location) {
      const [id = '', text = ''] = sealed.split('.');
      const key = byId.get(id);
      if (!key) throw wrongKey(id, keyId);
      const bytes = Buffer.from(text, 'base64url');
      try {
        const nonce = bytes.subarray(0, NONCE_BYTES);
        // Without this length a truncated tag would be accepted, which is easier to guess.
        const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
        decipher.setAAD(additionalData(location));
        decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
        const value = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
        return Buffer.concat([value, decipher.final()]).toString('utf8');
      } catch (error) {
        const message = 'A secret was changed or moved in the store and cannot be decrypted. Set it again.';
        throw new Failure('configuration', 'SECRET_DAMAGED', message, {}, { cause: error });
      }
    },
  };
}

/** Size of a sealed value in UTF-8, which is known without its key. */
export function sealedBytes(sealed: string): number {
  return Buffer.byteLength(sealed.slice(sealed.indexOf('.') + 1), 'base64url') - NONCE_BYTES - TAG_BYTES;
}

function wrongKey(sealedWith: string, keyId: string): Failure {
  const message = `The secret was encrypted with the key ${sealedWith}, but this server has ${keyId}. Set ASSAY_SECRET_KEY or restore secret.key in the data folder, or set the secret again.`;
  return new Failure('configuration', 'WRONG_SECRET_KEY', message, { sealedWith, keyId });
}

function keyIdOf(key: Buffer): string {
  return createHash('sha256').update('assay key id').update(key).digest('hex').slice(0, 12);
}

function additionalData(location: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify(location), 'utf8');
}
