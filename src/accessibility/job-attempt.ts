import type { Job } from '../platform/jobs/jobs.ts';

/** Later attempts have higher numbers, also after an operator started the job again. */
export const attemptOf = ({ redrives, attempts }: Pick<Job, 'redrives' | 'attempts'>) => redrives * 1000 + attempts;
