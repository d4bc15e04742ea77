import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { Failure } from '../errors.ts';
import type { SecretKeys } from './secret-keys.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Seals values with AES-256-GCM, each bound to its place: moved elsewhere, it does not open. */
export interface SecretVault {
  /** Names the key that seals here; tells nothing of it. */
  keyId: string;
  seal(value: string, place: readonly string[]): string;
  open(sealed: string, place: readonly string[]): string;
}

export function createSecretVault(keys: SecretKeys): SecretVault {
  const [first] = keys;
  const byId = new Map(keys.map((key) => [keyIdOf(key), key]));
  const keyId = keyIdOf(first);
  return {
    keyId,
    seal(value, place) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', first, nonce);
      cipher.setAAD(additionalData(place));
      const sealed = Buffer.concat([nonce, cipher.update(value, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${keyId}.${sealed.toString('base64url')}`;
    },
    open(sealed, place) {
      const [id = '', text = ''] = sealed.split('.');
      const key = byId.get(id);
      if (!key) throw wrongKey(id, keyId);
      const bytes = Buffer.from(text, 'base64url');
      try {
        const nonce = bytes.subarray(0, NONCE_BYTES);
        // Without this length a cut-off tag would be taken, which is easier to guess.
        const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
        decipher.setAAD(additionalData(place));
        decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
        const value = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
        return Buffer.concat([value, decipher.final()]).toString('utf8');
      } catch (error) {
        const message = 'A sealed value was changed or moved in the store, and does not open. Set it anew.';
        throw new Failure('configuration', 'SECRET_DAMAGED', message, {}, { cause: error });
      }
    },
  };
}

function wrongKey(sealedWith: string, keyId: string): Failure {
  const message = `The secret was sealed with the key ${sealedWith}, but this server has ${keyId}. Give it the right key (ASSAY_SECRET_KEY, or the file secret.key in its home folder), or set the secret anew.`;
  return new Failure('configuration', 'WRONG_SECRET_KEY', message, { sealedWith, keyId });
}

function keyIdOf(key: Buffer): string {
  return createHash('sha256').update('assay key id').update(key).digest('hex').slice(0, 12);
}

function additionalData(place: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify(place), 'utf8');
}
