import * as z from 'zod';
import { untrusted } from '../../../platform/text/untrusted-schema.ts';
import type { ListedRuntime } from '../../runs/list-runtimes.ts';
import { runStatuses, testVerdicts } from '../../runs/run-kinds.ts';
import type { CurrentRun } from '../../runs/run-status.ts';

/** The arguments of the tools that follow workflows. */
export const workflowRuntimeId = z.string().min(1).describe('Id of the workflow, returned by the tool that started it');

/** Output shape of a run. */
export const runShape = {
  workflowRunId: z.string(),
  workflowRuntimeId: z.string(),
  projectId: z.string(),
  status: z.enum(runStatuses),
  progress: z.number().describe('Progress of the run in percent, 0 to 100'),
  lastMessage: untrusted(z.string()).optional(),
  verdict: z.enum(testVerdicts).optional(),
  failureClass: z.string().optional(),
  error: untrusted(z.string(), { max: 2_000 }).optional(),
  result: untrusted(z.unknown(), { max: 2_000 }).optional(),
  runBatchId: z.string().optional(),
  createdAt: z.string(),
  startedAt: z.string().optional(),
  finishedAt: z.string().optional(),
  updatedAt: z.string(),
};

export function presentRun(run: CurrentRun) {
  const { row, status, progress, message, error } = run;
  const verdict = testVerdicts.find((known) => known === row.verdict);
  return {
    workflowRunId: run.id,
    workflowRuntimeId: row.runtimeId,
    projectId: row.projectId,
    status,
    progress,
    ...(message !== null && { lastMessage: message }),
    ...(verdict && { verdict }),
    ...(row.failureClass !== null && { failureClass: row.failureClass }),
    ...(error !== null && { error }),
    ...(row.result !== null && { result: row.result }),
    ...(row.batchId !== null && { runBatchId: row.batchId }),
    createdAt: isoTime(row.createdAt),
    ...(run.startedAt !== null && { startedAt: isoTime(run.startedAt) }),
    ...(run.endedAt !== null && { finishedAt: isoTime(run.endedAt) }),
    updatedAt: isoTime(run.updatedAt),
  };
}

const { result: _result, ...listedRunShape } = runShape;

/** Output shape of a workflow with its latest run. */
export const runtimeShape = {
  workflowRuntimeId: z.string(),
  id: z.string(),
  projectId: z.string(),
  name: z.string().optional(),
  status: z.enum(['active', 'cancelled']),
  createdAt: z.string(),
  updatedAt: z.string(),
  latestRun: z.object(listedRunShape).optional(),
};

export function presentRuntime({ runtime, latestRun }: ListedRuntime) {
  const { id, projectId, name, status, createdAt, updatedAt } = runtime;
  return {
    workflowRuntimeId: id,
    id,
    projectId,
    ...(name !== null && { name }),
    status: status === 'cancelled' ? ('cancelled' as const) : ('active' as const),
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(Math.max(updatedAt, latestRun?.updatedAt ?? 0)),
    ...(latestRun && { latestRun: presentRun(latestRun) }),
  };
}

/** Formats a timestamp as ISO 8601 in UTC. */
export function isoTime(at: number): string {
  return new Date(at).toISOString();
}
