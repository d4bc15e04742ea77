import type { JobHandler } from '../../platform/jobs/job-worker.ts';
import { withRedactor } from '../../platform/redaction/redactor.ts';
import { openRun, type QaWorkerServices } from '../runs/open-run.ts';
import { endedStatuses } from '../runs/run-kinds.ts';
import { bulkPartPayload } from './bulk-part-payload.ts';
import { replayUnit } from './replay-items.ts';

/** Creates the handler of a part of a bulk replay. Scripts that an earlier attempt has replayed are left out. */
export function createBulkPartHandler(work: QaWorkerServices): JobHandler {
  return async (job, jobContext) => {
    const { itemIds } = bulkPartPayload.parse(job.payload);
    const { run, store, openContext } = await openRun(job, jobContext, work);
    const open = await store.batchItems.list({ id: itemIds, status: ['pending', 'running'] });
    const [first, ...others] = open;
    if (!first || endedStatuses.includes(run.status)) return null;
    const context = await openContext();
    await withRedactor(context.secrets.redactor, () => replayUnit(run, context, { items: [first, ...others] }));
    return null;
  };
}
