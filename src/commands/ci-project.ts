import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { Failure } from '../platform/errors.ts';
import type { Given } from '../platform/settings.ts';
import { checkResults, type Note, plainLine, tellGitHub, writeResult } from './ci-output.ts';
import { ciProgress } from './ci-progress.ts';
import { type CiServer, openServer } from './ci-server.ts';
import { ciSettings } from './ci-settings.ts';
import { exitCodeOf, UNKNOWN, verdictLine } from './ci-verdict.ts';
import { print, say } from './command.ts';

const FIRST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 5000;
const MOST_SILENCES = 5;

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
});
type Batch = z.output<typeof batch>;
const reportState = z.object({
  status: z.string(),
  error: z.string().optional(),
  files: z.array(z.object({ name: z.string(), uri: z.string() })),
});

/** Replays the scripts of a project, and says how it went by lines, files and the exit code. */
export async function ciProject(given: Given, signal: AbortSignal): Promise<number> {
  const projectId = given.get(ciSettings.project);
  if (projectId === undefined) {
    const message = `Which project? --${ciSettings.project.flag} <id>, ${ciSettings.project.env}, or a folder of exported scripts.`;
    throw new Failure('configuration', 'BAD_USAGE', message);
  }
  const [baseUrl, testScriptIds] = [given.get(ciSettings.baseUrl), given.get(ciSettings.scripts)];
  const threshold = given.get(ciSettings.threshold);
  await checkResults([given.get(ciSettings.junit), given.get(ciSettings.html)]);
  await using server = await openServer(given);
  const { workflowRuntimeId, runBatchId } = started.parse(
    await server.call('qa_workflow_start_test_script_replay_bulk', {
      projectId,
      ...(baseUrl && { baseUrl: baseUrl.href }),
      ...(testScriptIds?.length && { testScriptIds }),
    }),
  );
  const ended = await followBatch(server, runBatchId, signal).catch(async (error: unknown) => {
    if (signal.aborted) await server.call('qa_workflow_cancel_runtime', { workflowRuntimeId });
    throw signal.aborted ? new Failure('unavailable', 'STOPPED', 'Stopped; the run was cancelled.') : error;
  });
  const code = exitCodeOf(ended, threshold);
  const notes = notesOn(ended);
  for (const { title, message } of notes) await print(plainLine(`${title}: ${message}`));
  if (ended.failuresLeftOut > 0) await print(`and ${ended.failuresLeftOut} more`);
  await print(verdictLine(ended, threshold, code));
  const isWritten = await writeReport(server, { projectId, runBatchId }, { given, notes, signal });
  return isWritten || code !== 0 ? code : UNKNOWN;
}

/** Asks less and less often; a server that is silent for a moment is asked again. */
async function followBatch(server: CiServer, runBatchId: string, signal: AbortSignal): Promise<Batch> {
  const progress = ciProgress(process.stderr);
  let wait = FIRST_PAUSE_MS;
  for (let silences = 0; ; ) {
    try {
      const current = batch.parse(await server.call('qa_workflow_get_replay_bulk_run_batch_summary', { runBatchId }));
      progress.show(current.passed + current.failed + current.cancelled, current.totalScripts, current.failed);
      if (current.status !== 'queued' && current.status !== 'running') {
        progress.end();
        return current;
      }
      silences = 0;
    } catch (error) {
      signal.throwIfAborted();
      if ((error instanceof Failure && error.kind === 'configuration') || ++silences >= MOST_SILENCES) throw error;
    }
    await pause(wait, undefined, { signal });
    wait = Math.min(LONGEST_PAUSE_MS, wait * 1.3);
  }
}

function notesOn({ failures }: Batch): Note[] {
  return failures.map(({ name, verdict, failureClass, error }) => ({
    level: verdict === 'flaky' ? 'warning' : 'error',
    title: `${verdict}: ${name}`,
    message: [error ?? 'no reason was given', failureClass && `(${failureClass})`].filter(Boolean).join(' '),
  }));
}

interface Wanted {
  given: Given;
  notes: readonly Note[];
  signal: AbortSignal;
}

/** Fetches the report of the batch in the forms that are wanted. */
async function writeReport(
  server: CiServer,
  about: { projectId: string; runBatchId: string },
  { given, notes, signal }: Wanted,
): Promise<boolean> {
  const [junit, html] = [given.get(ciSettings.junit), given.get(ciSettings.html)];
  const onGitHub = process.env['GITHUB_ACTIONS'] === 'true';
  if (junit === undefined && html === undefined && !onGitHub) return true;
  const wishes = { ...about, exportFormat: 'html', channels: [] };
  const { reportId } = z.object({ reportId: z.string() }).parse(await server.call('qa_report_final_generate', wishes));
  const { status, error, files } = await followReport(server, reportId, signal);
  if (status !== 'succeeded') {
    say(`assay: the report was not made: ${error ?? status}`);
    return false;
  }
  const fetch = async (name: string) => {
    const uri = files.find((file) => file.name === name)?.uri;
    if (uri === undefined) throw new Failure('unavailable', 'NO_FILE', `The report ${reportId} has no ${name}.`);
    return server.read(uri);
  };
  if (junit !== undefined) await writeResult(junit, await fetch('junit.xml'));
  if (html !== undefined) await writeResult(html, await fetch('report.html'));
  for (const [what, file] of [
    ['JUnit', junit],
    ['Report', html],
  ])
    if (file !== undefined) await print(`${what}: ${file}`);
  if (onGitHub) await tellGitHub(notes, (await fetch('report.md')).toString());
  return true;
}

async function followReport(server: CiServer, reportId: string, signal: AbortSignal) {
  for (;;) {
    const state = reportState.parse(JSON.parse((await server.read(`qa://reports/${reportId}`)).toString()));
    if (state.status !== 'queued' && state.status !== 'running') return state;
    await pause(FIRST_PAUSE_MS, undefined, { signal });
  }
}
