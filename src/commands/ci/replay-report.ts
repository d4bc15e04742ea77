import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { Failure } from '../../platform/errors.ts';
import type { SettingValues } from '../../platform/settings.ts';
import { printStderr, printStdout } from '../command.ts';
import { isOnGitHub, writeOutputFile } from './ci-output.ts';
import type { CiServer } from './ci-server.ts';
import { ciSettings } from './ci-settings.ts';
import { retryWhileUnavailable } from './retry.ts';

const POLL_INTERVAL_MS = 300;

const started = z.object({ reportId: z.string() });
const reportState = z.object({
  status: z.string(),
  error: z.string().optional(),
  files: z.array(z.object({ name: z.string(), uri: z.string() })),
});

interface FetchedReport {
  /** False when a requested file was not written. */
  isWritten: boolean;
  /** Text for the job summary on GitHub. */
  markdown?: string;
}

/** Fetches the report of a batch in the requested formats. A failure is printed and changes no verdict. */
export async function fetchReplayReport(
  server: CiServer,
  about: { projectId: string; runBatchId: string },
  { given: values, signal }: { given: SettingValues; signal: AbortSignal },
): Promise<FetchedReport> {
  const files = { junit: values.get(ciSettings.junit), html: values.get(ciSettings.html) };
  if (files.junit === undefined && files.html === undefined && !isOnGitHub()) return { isWritten: true };
  try {
    return { isWritten: true, ...(await writeReport(server, about, files, signal)) };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Failure)) throw error;
    printStderr(`assay: the report was not generated: ${error.message}`);
    return { isWritten: files.junit === undefined && files.html === undefined };
  }
}

async function writeReport(
  server: CiServer,
  about: { projectId: string; runBatchId: string },
  { junit, html }: { junit: string | undefined; html: string | undefined },
  signal: AbortSignal,
): Promise<{ markdown?: string }> {
  const args = { ...about, exportFormat: 'html', channels: [] };
  // A retry may start a second report, which does no harm.
  const answer = await retryWhileUnavailable(() => server.call('qa_report_final_generate', args), signal);
  const { reportId } = started.parse(answer);
  const { status, error, files } = await waitForReport(server, reportId, signal);
  if (status !== 'succeeded') throw new Failure('unavailable', 'NO_REPORT', error ?? status);
  const fetch = async (name: string) => {
    const uri = files.find((file) => file.name === name)?.uri;
    if (uri === undefined) throw new Failure('unavailable', 'NO_FILE', `The report ${reportId} has no ${name}.`);
    return retryWhileUnavailable(() => server.read(uri), signal);
  };
  for (const [what, name, file] of [
    ['JUnit', 'junit.xml', junit],
    ['Report', 'report.html', html],
  ] as const) {
    if (file === undefined) continue;
    await writeOutputFile(file, await fetch(name));
    await printStdout(`${what}: ${file}`);
  }
  return isOnGitHub() ? { markdown: (await fetch('report.md')).toString() } : {};
}

async function waitForReport(server: CiServer, reportId: string, signal: AbortSignal) {
  for (;;) {
    const text = await retryWhileUnavailable(() => server.read(`qa://reports/${reportId}`), signal);
    const state = reportState.parse(JSON.parse(text.toString()));
    if (state.status !== 'queued' && state.status !== 'running') return state;
    await pause(POLL_INTERVAL_MS, undefined, { signal });
  }
}
