import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../../platform/errors.ts';
import { createAddressGuard } from '../../platform/network/address-guard.ts';
import { runInParallel } from '../bulk/parallel.ts';
import type { RunContext } from '../runs/run-context.ts';
import type { Delivery, QaReport, ReportPreferences } from '../store/qa-store.ts';
import type { Attempt, Channel, Message, Senders } from './channels.ts';
import { sendMail } from './email.ts';
import { webhookPlace } from './preferences.ts';
import { sendSms } from './sms.ts';
import { postWebhook } from './webhook.ts';

const MOST_ATTEMPTS = 4;
/** Mail servers refuse whoever comes with many connections. */
const MOST_AT_ONCE = 5;
const FIRST_PAUSE_MS = 500;

interface Sending {
  report: QaReport;
  preferences: ReportPreferences;
  /** All that are preferred, unless some are named. */
  channels?: readonly string[] | undefined;
  message: Message;
  senders: Senders;
  /** Why this report cannot go by a channel. */
  problems?: Partial<Record<Channel, string>>;
}

type Place = Pick<RunContext, 'store' | 'inside' | 'vault' | 'signal'> & {
  secrets: Pick<RunContext['secrets'], 'redactor'>;
};

/** Sends a report to everybody who is to have it, and keeps a log of every attempt. One that fails stops no other. */
export async function deliver(place: Place, sending: Sending): Promise<Delivery[]> {
  const deliveries: Delivery[] = [];
  await runInParallel(targetsOf(sending), MOST_AT_ONCE, place.signal, async ([channel, target]) => {
    deliveries.push(await deliverTo(place, sending, channel, target));
  });
  return deliveries;
}

function targetsOf({ preferences, channels = preferences.channels }: Sending): [Channel, string][] {
  const wanted = (channel: Channel) => channels.includes(channel);
  return [
    ...(wanted('email') ? preferences.emails.map((email): [Channel, string] => ['email', email]) : []),
    ...(wanted('sms') ? preferences.phones.map((phone): [Channel, string] => ['sms', phone]) : []),
    ...(wanted('webhook') && preferences.webhookUrl !== null
      ? [['webhook', preferences.webhookUrl] satisfies [Channel, string]]
      : []),
  ];
}

async function deliverTo(place: Place, sending: Sending, channel: Channel, target: string): Promise<Delivery> {
  const { store } = place;
  const { report } = sending;
  // After a worker died the next one sends what is not sent yet, and nothing twice that was.
  const before = await store.deliveries.first({ reportId: report.id, channel, target });
  if (before && before.status !== 'sending') return before;
  const { owner, projectId } = report;
  const row =
    before ??
    (await store.deliveries.insert({
      owner,
      projectId,
      reportId: report.id,
      channel,
      target,
      status: 'sending',
      attempts: 0,
    }));
  const unconfigured = notConfigured(channel, sending.senders);
  if (unconfigured !== undefined) return end(place, row, 'not_configured', row.attempts, unconfigured);
  const problem = sending.problems?.[channel];
  if (problem !== undefined) return end(place, row, 'failed', row.attempts, problem);
  for (let number = row.attempts + 1; ; number++) {
    const begun = performance.now();
    const attempt = await send(place, sending, row).catch(failedAttempt);
    await store.deliveryAttempts.insert({
      ...{ owner, projectId, deliveryId: row.id, number },
      status: attempt.ok ? 'delivered' : 'failed',
      response: place.secrets.redactor.text(attempt.said),
      durationMs: Math.round(performance.now() - begun),
    });
    await store.deliveries.update(row.id, { attempts: number });
    if (attempt.ok) return end(place, row, 'delivered', number);
    if (!attempt.again || number >= MOST_ATTEMPTS) return end(place, row, 'failed', number, attempt.said);
    await pause(attempt.afterMs ?? FIRST_PAUSE_MS * 2 ** (number - 1), undefined, { signal: place.signal });
  }
}

async function send(place: Place, { message, preferences, senders }: Sending, row: Delivery): Promise<Attempt> {
  const { signal } = place;
  switch (row.channel) {
    case 'email':
      return senders.mail
        ? sendMail(senders.mail, { to: row.target, deliveryId: row.id }, message, signal)
        : impossible;
    case 'sms':
      // The provider's address is the operator's own choice, wherever it is.
      return senders.sms
        ? sendSms(senders.sms, row.target, message, { addresses: createAddressGuard(undefined), signal })
        : impossible;
    default: {
      const sealed = preferences.webhookSecret;
      if (sealed === null) return impossible;
      const key = (await place.vault()).open(sealed, webhookPlace(preferences.projectId));
      const way = { addresses: createAddressGuard(place.inside), signal, now: new Date() };
      return postWebhook({ url: row.target, key, deliveryId: row.id }, message, way);
    }
  }
}

/** What is wrong with the settings of one channel, such as a key that cannot be opened, concerns no other. */
function failedAttempt(error: unknown): Attempt {
  if (error instanceof Failure) return { ok: false, again: false, said: error.message };
  throw error;
}

const impossible: Attempt = { ok: false, again: false, said: 'not configured' };

function notConfigured(channel: Channel, { mail, sms, problems }: Senders): string | undefined {
  const problem = problems?.[channel];
  if (problem !== undefined) return problem;
  if (channel === 'email' && !mail) return 'No mail server is configured: set ASSAY_SMTP_URL and ASSAY_MAIL_FROM.';
  if (channel === 'sms' && !sms) return 'No SMS provider is configured: set ASSAY_SMS_URL.';
  return undefined;
}

async function end(
  { store }: Place,
  row: Delivery,
  status: 'delivered' | 'failed' | 'not_configured',
  attempts: number,
  error: string | null = null,
): Promise<Delivery> {
  const changes = { status, attempts, error, endedAt: Date.now() };
  return (await store.deliveries.update(row.id, changes)) ?? { ...row, ...changes };
}
