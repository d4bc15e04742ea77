import { Counter, Gauge, type Registry } from 'prom-client';
import type { JobState, JobStatistics } from '../platform/jobs/jobs.ts';

export interface JobMetrics {
  ended(kind: string, outcome: JobState | 'retried'): void;
}

/** Metrics of the queue, read from the store when they are rendered, and of the jobs that ended in this process. */
export function createJobMetrics(registry: Registry, read: () => Promise<JobStatistics | undefined>): JobMetrics {
  const registers = [registry];
  const oldest = new Gauge({
    name: 'assay_jobs_oldest_due_seconds',
    help: 'Age of the oldest job that waits for a worker',
    registers,
  });
  const deadLetters = new Gauge({
    name: 'assay_jobs_dead_letters',
    help: 'Jobs that failed after their last retry',
    registers,
  });
  new Gauge({
    name: 'assay_jobs',
    help: 'Jobs in the store, by kind and state',
    labelNames: ['kind', 'state'],
    registers,
    // One query for the three gauges.
    async collect() {
      const statistics = await read();
      this.reset();
      for (const { kind, state, count } of statistics?.jobs ?? []) this.set({ kind, state }, count);
      oldest.set(statistics?.oldestDueSeconds ?? 0);
      deadLetters.set(statistics?.deadLetters ?? 0);
    },
  });
  const ended = new Counter({
    name: 'assay_job_attempts_total',
    help: 'Attempts of jobs that ended in this process, by kind and outcome',
    labelNames: ['kind', 'outcome'],
    registers,
  });
  return { ended: (kind, outcome) => ended.inc({ kind, outcome }) };
}
