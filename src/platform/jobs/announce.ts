import type { Store } from '../store/store.ts';

/**
 * Wakes workers: for a job of a kind that may be due, or for the cancellation of a job by its id. A notice that is not sent
 * costs time only, because workers also look at intervals.
 */
export async function announce(store: Store, event: 'work' | 'cancel', subject: string): Promise<void> {
  await store.notices.send(`${event} ${subject}`).catch(() => {});
}
