import type { Kysely } from 'kysely';
import { databaseClock } from '../store/database-clock.ts';
import type { Tables } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { announce } from './announce.ts';
import { continueAfterPart, countOpenParts, isWaitingForParts } from './job-parts.ts';
import { lockJob } from './job-rows.ts';

/**
 * Cancels a job with its parts: ends what is queued, and asks workers to stop what is running. A job ends after its last part,
 * so that nothing of it runs any more. Without an owner the job may belong to any. False if it does not exist or had ended.
 */
export async function cancelJob(store: Store, id: string, owner?: string): Promise<boolean> {
  const { db } = store;
  const query = db.selectFrom('jobs').select('parent_id').where('id', '=', id);
  const known = await (owner === undefined ? query : query.where('owner', '=', owner)).executeTakeFirst();
  if (!known) return false;
  const { isFound, due } = await db.transaction().execute(async (transaction) => {
    if (known.parent_id !== null) await lockJob(transaction, store, known.parent_id);
    return cancelLocked(transaction, store, id);
  });
  if (!isFound) return false;
  if (due !== undefined) await announce(store, 'work', due);
  await announce(store, 'cancel', id);
  await stopParts(store, id);
  return true;
}

async function cancelLocked(
  transaction: Kysely<Tables>,
  store: Store,
  id: string,
): Promise<{ isFound: boolean; due?: string | undefined }> {
  const job = await lockJob(transaction, store, id);
  if (job?.state !== 'queued' && job?.state !== 'running') return { isFound: false };
  const cancelled = { state: 'cancelled' as const, cancel: 1, ended_at: databaseClock(store) };
  const parts = transaction.updateTable('jobs').where('parent_id', '=', id).where('state', '=', 'queued');
  await parts.set(cancelled).execute();
  const update = transaction.updateTable('jobs').where('id', '=', id);
  if (job.state === 'running' || isWaitingForParts(job)) {
    const isLast = isWaitingForParts(job) && (await countOpenParts(transaction, id)) === 0;
    await update.set({ cancel: 1, ...(isLast && { lease_until: 0 }) }).execute();
    return { isFound: true, due: isLast ? job.kind : undefined };
  }
  await update.set(cancelled).execute();
  const { parent_id: parent } = job;
  return { isFound: true, due: parent === null ? undefined : await continueAfterPart(transaction, parent) };
}

/** One statement for each part, because a worker changes all of its jobs in one: two that change several could deadlock. */
async function stopParts(store: Store, parentId: string): Promise<void> {
  const { db } = store;
  const open = db.selectFrom('jobs').select('id').where('parent_id', '=', parentId);
  for (const { id } of await open.where('state', 'in', ['queued', 'running']).execute()) {
    const part = db.updateTable('jobs').set({ cancel: 1 }).where('id', '=', id);
    await part.where('state', 'in', ['queued', 'running']).execute();
    await announce(store, 'cancel', id);
  }
}
