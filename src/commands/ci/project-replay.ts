import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { Failure } from '../../platform/errors.ts';
import type { SettingValues } from '../../platform/settings.ts';
import { printStdout } from '../command.ts';
import {
  appendJobSummary,
  type CiAnnotation,
  checkOutputFiles,
  formatShortSummary,
  printAnnotations,
  toLogLine,
} from './ci-output.ts';
import { createCiProgress } from './ci-progress.ts';
import { type CiServer, connectCiServer } from './ci-server.ts';
import { ciSettings } from './ci-settings.ts';
import { fetchReplayReport } from './replay-report.ts';
import { retryWhileUnavailable } from './retry.ts';
import { EXIT_UNKNOWN, formatVerdict, suiteExitCode } from './suite-verdict.ts';

const FIRST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 5000;

const started = z.object({ workflowRuntimeId: z.string(), runBatchId: z.string() });
const batch = z.object({
  status: z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled']),
  totalScripts: z.number(),
  passed: z.number(),
  failed: z.number(),
  cancelled: z.number(),
  flaky: z.number(),
  inconclusive: z.number(),
  failures: z.array(
    z.object({
      name: z.string(),
      verdict: z.string(),
      failureClass: z.string().optional(),
      error: z.string().optional(),
    }),
  ),
  failuresLeftOut: z.number(),
  shortened: z.object({ nextOffset: z.number().optional() }).optional(),
});
type Batch = z.output<typeof batch>;

/** Replays the scripts of a project; reports the result as lines, files and the exit code. */
export async function replayProject(values: SettingValues, signal: AbortSignal): Promise<number> {
  const projectId = values.get(ciSettings.project);
  if (projectId === undefined) {
    const message = `The project is missing. Pass --${ciSettings.project.flag} <id>, set ${ciSettings.project.env}, or pass a folder of exported scripts.`;
    throw new Failure('configuration', 'BAD_USAGE', message);
  }
  const [baseUrl, testScriptIds] = [values.get(ciSettings.baseUrl), values.get(ciSettings.scripts)];
  const threshold = values.get(ciSettings.threshold);
  await checkOutputFiles([values.get(ciSettings.junit), values.get(ciSettings.html)]);
  await using server = await connectCiServer(values);
  const { workflowRuntimeId, runBatchId } = started.parse(
    await server.call('qa_workflow_start_test_script_replay_bulk', {
      projectId,
      ...(baseUrl && { baseUrl: baseUrl.href }),
      ...(testScriptIds?.length && { testScriptIds }),
    }),
  );
  const ended = await followBatch(server, runBatchId, signal).catch(async (error: unknown) => {
    if (!signal.aborted) throw error;
    const isCancelled = await cancel(server, values, workflowRuntimeId);
    const outcome = isCancelled ? 'the run was cancelled' : 'the run could not be cancelled and may continue';
    throw new Failure('unavailable', 'STOPPED', `Stopped; ${outcome}.`);
  });
  const code = suiteExitCode(ended, threshold);
  const notes = toAnnotations(ended);
  for (const { title, message } of notes) await printStdout(toLogLine(`${title}: ${message}`));
  if (ended.failuresLeftOut > 0) await printStdout(`and ${ended.failuresLeftOut} more`);
  const line = formatVerdict(ended, threshold, code);
  await printStdout(line);
  await printAnnotations(notes);
  // A missing report does not change a negative verdict.
  const report = await fetchReplayReport(server, { projectId, runBatchId }, { given: values, signal });
  await appendJobSummary(report.markdown ?? formatShortSummary(line, notes));
  return report.isWritten || code !== 0 ? code : EXIT_UNKNOWN;
}

/** Ctrl+C also stops a local server, so the run is then cancelled through a new one. */
async function cancel(server: CiServer, values: SettingValues, workflowRuntimeId: string): Promise<boolean> {
  const ask = (one: CiServer) => one.call('qa_workflow_cancel_runtime', { workflowRuntimeId });
  try {
    await ask(server).catch(async () => {
      await using another = await connectCiServer(values);
      await ask(another);
    });
    return true;
  } catch {
    return false;
  }
}

/** Polls the batch at growing intervals until it has ended. */
async function followBatch(server: CiServer, runBatchId: string, signal: AbortSignal): Promise<Batch> {
  const progress = createCiProgress(process.stderr);
  let wait = FIRST_PAUSE_MS;
  try {
    for (;;) {
      const readSummary = () => server.call('qa_workflow_get_replay_bulk_run_batch_summary', { runBatchId });
      const current = batch.parse(await retryWhileUnavailable(readSummary, signal));
      progress.show(current);
      if (current.status !== 'queued' && current.status !== 'running')
        return withAllFailures(server, runBatchId, current, signal);
      await pause(wait, undefined, { signal });
      wait = Math.min(LONGEST_PAUSE_MS, wait * 1.3);
    }
  } finally {
    progress.end();
  }
}

/** The batch with the failures that its first reply left out. */
async function withAllFailures(
  server: CiServer,
  runBatchId: string,
  first: Batch,
  signal: AbortSignal,
): Promise<Batch> {
  const failures = [...first.failures];
  let last = first;
  while (last.shortened?.nextOffset !== undefined) {
    const args = { runBatchId, offset: last.shortened.nextOffset };
    const readNext = () => server.call('qa_workflow_get_replay_bulk_run_batch_summary', args);
    last = batch.parse(await retryWhileUnavailable(readNext, signal));
    failures.push(...last.failures);
  }
  return { ...last, failures };
}

function toAnnotations({ failures }: Batch): CiAnnotation[] {
  return failures.map(({ name, verdict, failureClass, error = 'no reason given' }) => {
    const isFlaky = verdict === 'flaky';
    const about = isFlaky ? 'passed on a retry' : failureClass;
    return {
      level: isFlaky ? 'warning' : 'error',
      title: `${verdict}: ${name}`,
      message: about === undefined ? error : `${error} (${about})`,
    };
  });
}
