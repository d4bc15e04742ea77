import type * as z from 'zod';
import type { QaRun, RunContext } from './run-context.ts';
import { nextRunAfter, type runSchedule } from './run-schedule.ts';
import { newestRun } from './run-status.ts';
import { startQaRun } from './start-run.ts';

/**
 * Stores the next run of a workflow that repeats, as a job that is due later. The time follows from the start of this run by
 * the clock of the database, which workers also compare it with.
 */
export async function scheduleNextRun(
  run: QaRun,
  context: RunContext,
  schedule: z.output<typeof runSchedule> | null,
): Promise<void> {
  const { intervalSec, id } = run.runtime;
  if (!schedule && !intervalSec) return;
  const runtime = await context.store.runtimes.get(id);
  if (runtime?.status !== 'active') return;
  const jobs = await context.jobs();
  // A worker that died after it had scheduled the next run, or a job that was started again, must not schedule another.
  const newest = await newestRun(context.store, runtime);
  if (newest && newest.id !== run.id) {
    if (newest.jobId === null || (await jobs.get(newest.jobId, context.principal))) return;
    // The worker died before it had submitted the job of this row.
    await context.store.runs.remove(newest.id);
  }
  const job = run.jobId === null ? undefined : await jobs.get(run.jobId, context.principal);
  if (job?.startedAt === undefined) throw new Error(`the run ${run.id} has no job that has started`);
  const notBefore = nextRunAfter(job.startedAt, { schedule, intervalSec });
  if (notBefore === undefined) return;
  await startQaRun({ store: context.store, jobs, principal: context.principal }, runtime, notBefore);
}
