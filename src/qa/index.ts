/** The public interface of the QA domain. Modules that do the work are loaded on first use. */
import { Failure } from '../platform/errors.ts';
import type { SecretKeys } from '../platform/secrets/secret-keys.ts';
import type { Store } from '../platform/store/store.ts';
import type { DocumentAnswer } from './prd/read-in-process.ts';

export { passRate } from './runs/verdict-counts.ts';
export { qaSettings } from './settings.ts';

/** Encrypts every secret again with the first of these keys. */
export async function resealSecrets(store: Store, keys: SecretKeys): Promise<number> {
  const { resealStoredSecrets } = await import('./secrets/reseal-secrets.ts');
  return resealStoredSecrets(store, keys);
}

/** The text of an uploaded document, or why it is not read: in a process of its own (`prd/read-apart.ts`). */
export async function readUpload(bytes: Uint8Array, fileName: string, contentType: string): Promise<DocumentAnswer> {
  const { readPrdDocument } = await import('./prd/read-prd-document.ts');
  try {
    return { ok: true, ...(await readPrdDocument(bytes, fileName, contentType)) };
  } catch (error) {
    if (error instanceof Failure) return { ok: false, reason: error.code, message: error.message };
    throw error;
  }
}
