import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Principal } from '../../platform/principal.ts';
import type { QaStore, RunRow } from '../store/qa-store.ts';

interface StopServices {
  store: QaStore;
  jobs: Jobs;
  principal: Pick<Principal, 'issuer' | 'subject'>;
}

/** Cancels a run. A child run has no job: the bulk run reads the cancellation from its row. */
export async function requestStop({ store, jobs, principal }: StopServices, { id, jobId }: RunRow): Promise<void> {
  if (jobId !== null) await jobs.cancel(jobId, principal);
  const hasEnded = jobId === null || (await jobs.get(jobId, principal))?.state === 'cancelled';
  if (hasEnded)
    await store.runs.updateAll({ id, status: ['queued', 'running'] }, { status: 'cancelled', endedAt: Date.now() });
}
