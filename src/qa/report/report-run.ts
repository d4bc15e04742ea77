import * as z from 'zod';
import { Failure } from '../../platform/errors.ts';
import { displayTarget } from '../delivery/channels.ts';
import { deliverReport } from '../delivery/deliver-report.ts';
import { reportExportFormats } from '../delivery/save-preferences.ts';
import { configuredSenders } from '../delivery/senders.ts';
import type { QaRun, RunContext, RunOutcome } from '../runs/run-context.ts';
import { withUsageMeter } from '../runs/usage-meter.ts';
import type { Artifact } from '../store/qa-store.ts';
import { collectQaReport } from './collect-report.ts';
import { redactDocument } from './redact-document.ts';
import { writeReportFiles } from './report-files.ts';
import { composeMessage } from './report-message.ts';

/** Payload of a report run. */
export const reportPayload = z.object({
  reportId: z.string(),
  format: z.enum(reportExportFormats),
  /** Null uses the preferences of the project. */
  channels: z.array(z.string()).nullable(),
  runBatchId: z.string().nullable().default(null),
});

/** Collects, renders, saves and delivers a report. */
export async function generateQaReport(run: QaRun, context: RunContext): Promise<RunOutcome> {
  const { reportId, format, channels, runBatchId } = reportPayload.parse(run.runtime.payload);
  const { store } = context;
  const report = await store.reports.update(reportId, { status: 'running', runId: run.id });
  if (!report)
    throw new Failure('not_found', 'NO_REPORT', `The report ${reportId} no longer exists: its project was deleted.`);
  try {
    context.progress(0, 3, 'Reading the results');
    const preferences = await store.preferences.first({ projectId: run.projectId });
    const sends = (channel: string) => (channels ?? preferences?.channels ?? []).includes(channel);
    const collected = await collectQaReport(store, run.project, { reportId, runBatchId });
    const document = redactDocument(collected, context.secrets.redactor);
    context.progress(1, 3, 'Writing the files');
    const senders = configuredSenders(context.setting);
    const pdf = format === 'pdf' || (sends('email') && senders.mail !== undefined);
    const { files, noPdf } = await withUsageMeter(context.charge, (meter) =>
      writeReportFiles(run, context, document, { pdf, meter }),
    );
    context.progress(2, 3, 'Sending');
    // report.json has the tests; the row stays small for lists of reports.
    const summary = { ...document, tests: [] };
    await store.reports.update(reportId, { document: summary, artifacts: files.map(({ id }) => id) });
    const deliveries = preferences
      ? await deliverReport(context, {
          ...{ report, preferences, senders },
          channels: channels ?? undefined,
          // Only mails need the PDF.
          problems: noPdf ? { email: noPdf.message } : {},
          message: composeMessage(document, await loadAttachments(context, files)),
        })
      : [];
    if (noPdf && format === 'pdf') throw noPdf;
    await store.reports.update(reportId, { status: 'succeeded', endedAt: Date.now() });
    return {
      result: {
        reportId,
        files: files.map(({ id, name }) => ({ artifactId: id, name })),
        deliveries: deliveries.map(({ channel, target, status }) => ({
          channel,
          target: displayTarget(channel, target),
          status,
        })),
      },
    };
  } catch (error) {
    if (!context.signal.aborted || context.isCancelled()) {
      const words = error instanceof Failure ? error.message : 'Internal error; the log has the details.';
      const status = context.isCancelled() ? 'cancelled' : 'failed';
      await store.reports.update(reportId, { status, error: words, endedAt: Date.now() });
      const unsent = { status: 'failed', error: 'The report was interrupted.', endedAt: Date.now() };
      await store.deliveries.updateAll({ reportId, status: 'sending' }, unsent);
    }
    throw error;
  }
}

/** Mails have the PDF as attachment. */
async function loadAttachments(
  { artifacts, principal }: Pick<RunContext, 'artifacts' | 'principal'>,
  files: readonly Artifact[],
) {
  const pdf = files.find(({ name }) => name === 'report.pdf');
  const data = pdf && (await artifacts.read(principal, pdf.file));
  return pdf && data ? [{ name: pdf.name, contentType: pdf.contentType, data }] : [];
}
