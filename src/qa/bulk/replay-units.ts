import { serialGroups } from '../cases/write/serial-groups.ts';
import type { Batch, BatchItem, QaRepositories } from '../store/qa-store.ts';
import { groupByTurn } from './parallel.ts';

/** Replays that one worker does one after another: one, or those of scripts that must take turns. */
export interface ReplayUnit {
  items: readonly [BatchItem, ...BatchItem[]];
}

/** What is left to replay, in the order of the batch. Items that were running when a worker died are replayed. */
export async function listOpenUnits(store: QaRepositories, { id, projectId }: Batch): Promise<ReplayUnit[]> {
  const turns = await serialGroups(store, projectId);
  const open = await store.batchItems.list({ batchId: id, status: ['pending', 'running'] });
  return groupByTurn(open, ({ testCaseId }) => turns.get(testCaseId)).map((items) => ({ items }));
}
