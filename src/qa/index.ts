/** What other rooms may use. Light: what does the work is loaded when it is first done. */
import { Failure } from '../platform/errors.ts';
import type { JobHandler } from '../platform/jobs/job-worker.ts';
import type { SecretKeys } from '../platform/secrets/secret-keys.ts';
import type { Store } from '../platform/store/store.ts';
import type { DocumentAnswer } from './prd/read-in-process.ts';
import type { QaWorkerServices } from './runs/run-job.ts';
import { runKinds } from './runs/run-kinds.ts';

export { passRate } from './runs/verdict-counts.ts';

/** For every kind of QA run, what the platform's worker calls. */
export function qaJobHandlers(work: QaWorkerServices): [string, JobHandler][] {
  return runKinds.map((kind) => [
    kind,
    async (job, context) => {
      const { createRunJobHandler: runHandler } = await import('./runs/run-job.ts');
      return runHandler(kind, work)(job, context);
    },
  ]);
}

/** Seals every secret anew with the first of these keys. */
export async function resealSecrets(store: Store, keys: SecretKeys): Promise<number> {
  const { resealSecrets: resealAll } = await import('./secrets/reseal-secrets.ts');
  return resealAll(store, keys);
}

/** Which ways reports can be sent as this server is configured, and what of the settings for reports cannot be used. */
export async function deliveryWays(env: NodeJS.ProcessEnv): Promise<{ ways: string[]; problems: string[] }> {
  const [{ configuredSenders: sendersConfigured }, { configuredPrices: pricesConfigured }] = await Promise.all([
    import('./delivery/senders.ts'),
    import('./costs/prices.ts'),
  ]);
  const { mail, sms, problems } = sendersConfigured(env);
  const found = Object.values(problems ?? {});
  try {
    pricesConfigured(env);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    found.push(error.message);
  }
  return { ways: ['webhook', ...(mail ? ['email'] : []), ...(sms ? ['sms'] : [])], problems: found };
}

/** The text of an uploaded document, or why it is not read: in a process of its own (`prd/read-apart.ts`). */
export async function readUpload(bytes: Uint8Array, fileName: string, contentType: string): Promise<DocumentAnswer> {
  const { readPrdDocument: readDocument } = await import('./prd/read-prd-document.ts');
  try {
    return { ok: true, ...(await readDocument(bytes, fileName, contentType)) };
  } catch (error) {
    if (error instanceof Failure) return { ok: false, reason: error.code, message: error.message };
    throw error;
  }
}
