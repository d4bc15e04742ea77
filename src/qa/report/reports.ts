import { localIssuer } from '../../platform/principal.ts';
import { type DeliveryChannel, displayTarget, deliveryChannels as known } from '../delivery/channels.ts';
import { type ReportExportFormat, reportExportFormats } from '../delivery/save-preferences.ts';
import { invalidArgument, requireOwned, requireOwnedInProject, requireProject } from '../owned-rows.ts';
import type { QaContext } from '../qa-context.ts';
import { artifactUri } from '../runs/run-artifacts.ts';
import { currentRun } from '../runs/run-status.ts';
import { startRuntime } from '../runs/start-run.ts';
import type { Artifact, QaReport, ReportPreferences } from '../store/qa-store.ts';
import { readProjectResults } from './project-results.ts';

interface ReportRequest {
  projectId: string;
  format?: ReportExportFormat | undefined;
  channels?: readonly DeliveryChannel[] | undefined;
  /** Report on this batch instead of the current state of the project. */
  runBatchId?: string | undefined;
}

/** Starts a report run and returns the report id. */
export async function startReport(qa: QaContext, { projectId, format, channels, runBatchId }: ReportRequest) {
  await requireProject(qa, projectId);
  if (runBatchId !== undefined) await requireOwnedInProject(qa, projectId, qa.store.batches, 'runBatchId', runBatchId);
  const preferences = await qa.store.preferences.first({ projectId });
  for (const channel of channels ?? []) requireTarget(channel, preferences);
  const preferred = reportExportFormats.find((one) => one === preferences?.defaultFormat);
  const chosen = format ?? preferred ?? 'html';
  const facts = { owner: qa.owner, projectId, format: chosen, status: 'queued', document: null, artifacts: [] };
  const report = await qa.store.reports.insert(facts);
  const wanted = channels ? known.filter((channel) => channels.includes(channel)) : null;
  const payload = { reportId: report.id, format: chosen, channels: wanted, runBatchId: runBatchId ?? null };
  const started = await startRuntime(qa, { projectId, kind: 'qa.report', payload }).catch(async (error: unknown) => {
    await qa.store.reports.remove(report.id);
    throw error;
  });
  await qa.store.reports.update(report.id, { runId: started.workflowRunId });
  return { reportId: report.id, ...started };
}

/** Rejects a channel without a target before the report starts. */
function requireTarget(channel: DeliveryChannel, preferences: ReportPreferences | undefined): void {
  const targets = {
    email: preferences?.emails.length,
    sms: preferences?.phones.length,
    webhook: preferences?.webhookUrl?.length,
  };
  if (targets[channel]) return;
  const message = `The project has no target for the channel ${channel}. Set one with qa_report_preferences_upsert.`;
  throw invalidArgument('channels', message, { channel });
}

/** The state of a report with its files and deliveries. */
async function describeReport(qa: QaContext, report: QaReport) {
  const { store } = qa;
  const pathOf = ({ file }: Artifact) => {
    const path = qa.principal.issuer === localIssuer ? qa.artifacts.localPath(file) : undefined;
    return path === undefined ? {} : { path };
  };
  const files = await store.artifacts.list({ id: report.artifacts });
  const sent = await store.deliveries.list({ reportId: report.id });
  const deliveries = sent.toSorted((a, b) => `${a.channel} ${a.target}`.localeCompare(`${b.channel} ${b.target}`));
  const attempts = await store.deliveryAttempts.list({ deliveryId: deliveries.map(({ id }) => id) });
  return {
    reportId: report.id,
    projectId: report.projectId,
    format: report.format,
    ...(await reportState(qa, report)),
    createdAt: new Date(report.createdAt).toISOString(),
    ...(report.endedAt !== null && { finishedAt: new Date(report.endedAt).toISOString() }),
    files: files.map((file) => ({
      name: file.name,
      uri: artifactUri(file),
      contentType: file.contentType,
      size: file.fileSize,
      ...pathOf(file),
    })),
    deliveries: deliveries.map(({ id, channel, target, status, attempts: number, error }) => ({
      ...{ channel, target: displayTarget(channel, target), status, attempts: number },
      ...(error !== null && { error }),
      log: attempts
        .filter(({ deliveryId }) => deliveryId === id)
        .map((one) => ({
          number: one.number,
          status: one.status,
          response: one.response ?? '',
          durationMs: one.durationMs,
          at: new Date(one.createdAt).toISOString(),
        })),
    })),
  };
}

/** The run is more recent than the report row if the worker died or the run was cancelled. */
async function reportState(qa: QaContext, report: QaReport) {
  const row = report.runId === null ? undefined : await qa.store.runs.get(report.runId);
  const run = row && (await currentRun(qa, row));
  const error = report.error ?? run?.error ?? null;
  return { status: run?.status ?? report.status, ...(error !== null && { error }) };
}

export async function findReport(qa: QaContext, reportId: string) {
  return describeReport(qa, await requireOwned(qa, qa.store.reports, 'reportId', reportId));
}

/** Statistics and health of a project, with the state of its newest report. */
export async function summariseProject(qa: QaContext, projectId: string) {
  const project = await requireProject(qa, projectId);
  const results = await readProjectResults(qa.store, project, { now: Date.now() });
  const { numbers, health, requirements, suite, lastRunAt } = results;
  const newest = await qa.store.reports.newest({ projectId });
  return {
    projectId,
    ...numbers,
    healthScore: health.score,
    health,
    requirements: { total: requirements.total, covered: requirements.covered, gaps: requirements.gaps.length },
    runsLast30Days: suite.runs,
    ...(lastRunAt !== undefined && { lastRunAt: new Date(lastRunAt).toISOString() }),
    totalReports: await qa.store.reports.count({ projectId }),
    ...(newest && { latestReport: await describeReport(qa, newest) }),
  };
}
