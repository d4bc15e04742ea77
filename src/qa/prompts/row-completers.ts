import type { Completer } from '../../tool/tool.ts';
import { openQaContext } from '../tools/shared/open-qa-context.ts';

const MOST_ROWS = 100;

/** The ids of the caller's projects, newest first. */
export const completeProjectId: Completer = async (typed, context) => {
  const { store, owner } = await openQaContext(context);
  return startingWith(typed, await store.projects.list({ owner }, { newestFirst: true, limit: MOST_ROWS }));
};

/** The ids of the caller's regression runs, newest first. */
export const completeRunBatchId: Completer = async (typed, context) => {
  const { store, owner } = await openQaContext(context);
  return startingWith(typed, await store.batches.list({ owner }, { newestFirst: true, limit: MOST_ROWS }));
};

function startingWith(typed: string, rows: readonly { id: string }[]): string[] {
  return rows.map(({ id }) => id).filter((id) => id.startsWith(typed));
}
