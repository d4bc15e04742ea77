import type { JobContext } from '../../../src/platform/jobs/job-worker.ts';

/** For a handler that is called without a worker: nothing happens to its job. */
export const idleContext: JobContext = {
  signal: new AbortController().signal,
  progress: () => {},
  confirm: async () => {},
  isRetried: () => false,
  requireClaim: async () => {},
  submitParts: async () => 0,
};
