import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../../platform/errors.ts';
import { createAddressGuard } from '../../platform/network/address-guard.ts';
import { runInParallel } from '../bulk/parallel.ts';
import type { RunContext } from '../runs/run-context.ts';
import type { Delivery, QaReport, ReportPreferences } from '../store/qa-store.ts';
import type { DeliveryChannel, ReportMessage, Senders, SendResult } from './channels.ts';
import { sendMail } from './email.ts';
import { webhookKeyBinding } from './save-preferences.ts';
import { sendSms } from './sms.ts';
import { postWebhook } from './webhook.ts';

const MOST_ATTEMPTS = 4;
/** Mail servers reject many connections at once. */
const MOST_AT_ONCE = 5;
const FIRST_PAUSE_MS = 500;

interface DeliveryRequest {
  report: QaReport;
  preferences: ReportPreferences;
  /** Default: the channels of the preferences. */
  channels?: readonly string[] | undefined;
  message: ReportMessage;
  senders: Senders;
  /** Why this report cannot be sent by a channel. */
  problems?: Partial<Record<DeliveryChannel, string>>;
}

type DeliveryContext = Pick<RunContext, 'store' | 'inside' | 'vault' | 'signal'> & {
  secrets: Pick<RunContext['secrets'], 'redactor'>;
};

/** Sends a report to all recipients and logs every attempt. A failed delivery does not stop the others. */
export async function deliverReport(deliveryContext: DeliveryContext, sending: DeliveryRequest): Promise<Delivery[]> {
  const deliveries: Delivery[] = [];
  await runInParallel(deliveryTargets(sending), MOST_AT_ONCE, deliveryContext.signal, async ([channel, target]) => {
    deliveries.push(await deliverTo(deliveryContext, sending, channel, target));
  });
  return deliveries;
}

function deliveryTargets({
  preferences,
  channels = preferences.channels,
}: DeliveryRequest): [DeliveryChannel, string][] {
  const wanted = (channel: DeliveryChannel) => channels.includes(channel);
  return [
    ...(wanted('email') ? preferences.emails.map((email): [DeliveryChannel, string] => ['email', email]) : []),
    ...(wanted('sms') ? preferences.phones.map((phone): [DeliveryChannel, string] => ['sms', phone]) : []),
    ...(wanted('webhook') && preferences.webhookUrl !== null
      ? [['webhook', preferences.webhookUrl] satisfies [DeliveryChannel, string]]
      : []),
  ];
}

async function deliverTo(
  deliveryContext: DeliveryContext,
  sending: DeliveryRequest,
  channel: DeliveryChannel,
  target: string,
): Promise<Delivery> {
  const { store } = deliveryContext;
  const { report } = sending;
  // A resumed run sends only what was not delivered before.
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
  if (unconfigured !== undefined)
    return finishDelivery(deliveryContext, row, 'not_configured', row.attempts, unconfigured);
  const problem = sending.problems?.[channel];
  if (problem !== undefined) return finishDelivery(deliveryContext, row, 'failed', row.attempts, problem);
  for (let number = row.attempts + 1; ; number++) {
    const begun = performance.now();
    const attempt = await send(deliveryContext, sending, row).catch(toFailedResult);
    await store.deliveryAttempts.insert({
      ...{ owner, projectId, deliveryId: row.id, number },
      status: attempt.ok ? 'delivered' : 'failed',
      response: deliveryContext.secrets.redactor.text(attempt.response),
      durationMs: Math.round(performance.now() - begun),
    });
    await store.deliveries.update(row.id, { attempts: number });
    if (attempt.ok) return finishDelivery(deliveryContext, row, 'delivered', number);
    if (!attempt.canRetry || number >= MOST_ATTEMPTS)
      return finishDelivery(deliveryContext, row, 'failed', number, attempt.response);
    await pause(attempt.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** (number - 1), undefined, {
      signal: deliveryContext.signal,
    });
  }
}

async function send(
  deliveryContext: DeliveryContext,
  { message, preferences, senders }: DeliveryRequest,
  row: Delivery,
): Promise<SendResult> {
  const { signal } = deliveryContext;
  switch (row.channel) {
    case 'email':
      return senders.mail
        ? sendMail(senders.mail, { to: row.target, deliveryId: row.id }, message, signal)
        : notConfiguredResult;
    case 'sms':
      // The operator chooses the provider, so private addresses are allowed.
      return senders.sms
        ? sendSms(senders.sms, row.target, message, { addresses: createAddressGuard(undefined), signal })
        : notConfiguredResult;
    default: {
      const sealed = preferences.webhookSecret;
      if (sealed === null) return notConfiguredResult;
      const key = (await deliveryContext.vault()).open(sealed, webhookKeyBinding(preferences.projectId));
      const way = { addresses: createAddressGuard(deliveryContext.inside), signal, now: new Date() };
      return postWebhook({ url: row.target, key, deliveryId: row.id }, message, way);
    }
  }
}

/** A failure of one channel, such as a key that cannot be opened, does not stop the others. */
function toFailedResult(error: unknown): SendResult {
  if (error instanceof Failure) return { ok: false, canRetry: false, response: error.message };
  throw error;
}

const notConfiguredResult: SendResult = { ok: false, canRetry: false, response: 'not configured' };

function notConfigured(channel: DeliveryChannel, { mail, sms, problems }: Senders): string | undefined {
  const problem = problems?.[channel];
  if (problem !== undefined) return problem;
  if (channel === 'email' && !mail) return 'No mail server is configured: set ASSAY_SMTP_URL and ASSAY_MAIL_FROM.';
  if (channel === 'sms' && !sms) return 'No SMS provider is configured: set ASSAY_SMS_URL.';
  return undefined;
}

async function finishDelivery(
  { store }: DeliveryContext,
  row: Delivery,
  status: 'delivered' | 'failed' | 'not_configured',
  attempts: number,
  error: string | null = null,
): Promise<Delivery> {
  const changes = { status, attempts, error, endedAt: Date.now() };
  return (await store.deliveries.update(row.id, changes)) ?? { ...row, ...changes };
}
