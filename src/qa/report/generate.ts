import * as z from 'zod';
import { Failure } from '../../platform/errors.ts';
import { readSettings, settings } from '../../platform/settings.ts';
import type { Senders } from '../delivery/channels.ts';
import { deliver } from '../delivery/deliver.ts';
import { exportFormats } from '../delivery/preferences.ts';
import { readArtifact } from '../runs/artifacts.ts';
import type { Run, RunOutcome, RunPlace } from '../runs/handler.ts';
import type { Artifact } from '../store/store.ts';
import { collectReport } from './collect.ts';
import { writeFiles } from './files.ts';
import { messageFor } from './message.ts';

/** What a report run is told. */
export const reportPayload = z.object({
  reportId: z.string(),
  format: z.enum(exportFormats),
  /** Null: as the preferences say. */
  channels: z.array(z.string()).nullable(),
});

/** Collects, renders, keeps and sends a report. */
export async function generateReport(run: Run, place: RunPlace): Promise<RunOutcome> {
  const { reportId, format, channels } = reportPayload.parse(run.runtime.payload);
  const { store } = place;
  const report = await store.reports.update(reportId, { status: 'running', runId: run.id });
  if (!report) throw new Failure('not_found', 'NO_REPORT', `The report ${reportId} is gone, with its project.`);
  try {
    place.progress(0, 3, 'Reading the results');
    const preferences = await store.preferences.first({ projectId: run.projectId });
    const sends = (channel: string) => (channels ?? preferences?.channels ?? []).includes(channel);
    const document = await collectReport(store, run.project, { reportId });
    place.progress(1, 3, 'Writing the files');
    const files = await writeFiles(place, document, { pdf: format === 'pdf' || sends('email') });
    place.progress(2, 3, 'Sending');
    const done = { document, artifacts: files.map(({ id }) => id) };
    await store.reports.update(reportId, done);
    const deliveries = preferences
      ? await deliver(place, {
          ...{ report, preferences, senders: sendersConfigured() },
          channels: channels ?? undefined,
          message: messageFor(document, await attachmentsOf(place, files)),
        })
      : [];
    await store.reports.update(reportId, { status: 'succeeded', endedAt: Date.now() });
    return {
      result: {
        reportId,
        files: files.map(({ id, name }) => ({ artifactId: id, name })),
        deliveries: deliveries.map(({ channel, target, status }) => ({ channel, target, status })),
      },
    };
  } catch (error) {
    if (!place.signal.aborted || place.isCancelled()) {
      const words = error instanceof Failure ? error.message : 'An internal error; the log has the details.';
      const status = place.isCancelled() ? 'cancelled' : 'failed';
      await store.reports.update(reportId, { status, error: words, endedAt: Date.now() });
    }
    throw error;
  }
}

export function sendersConfigured(env: NodeJS.ProcessEnv = process.env): Senders {
  const given = readSettings([], [], env);
  const [smtp, sms] = [given.get(settings.smtpUrl), given.get(settings.smsUrl)];
  return {
    mail: smtp === undefined ? undefined : { url: smtp, from: given.get(settings.mailFrom) },
    sms: sms === undefined ? undefined : { url: sms, token: given.get(settings.smsToken) },
  };
}

/** Mails carry the report on paper. */
async function attachmentsOf({ home }: Pick<RunPlace, 'home'>, files: readonly Artifact[]) {
  const pdf = files.find(({ name }) => name === 'report.pdf');
  const data = pdf && (await readArtifact(home, pdf));
  return pdf && data ? [{ name: pdf.name, contentType: pdf.contentType, data }] : [];
}
