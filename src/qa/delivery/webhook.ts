import { createHmac } from 'node:crypto';
import { Failure } from '../../platform/errors.ts';
import type { AddressGuard } from '../../platform/network/address-guard.ts';
import type { ReportMessage, SendResult } from './channels.ts';
import type { HttpRequest } from './sms-request.ts';

const WITHIN_MS = 10_000;

interface WebhookReceiver {
  url: string;
  /** Signs the body. */
  key: string;
  /** The same for every attempt, so that the receiver detects duplicates. */
  deliveryId: string;
}

/** Signature `t=<seconds>,v1=<hex>`: HMAC-SHA256 of `<seconds>.<body>`. Receivers should reject old timestamps. */
export function webhookSignature(body: string, key: string, seconds: number): string {
  return `t=${seconds},v1=${createHmac('sha256', key).update(`${seconds}.${body}`).digest('hex')}`;
}

/** Posts a report as JSON. Redirects are not followed: they would send the body elsewhere. */
export async function postWebhook(
  { url, key, deliveryId }: WebhookReceiver,
  { payload }: ReportMessage,
  { now, ...way }: SendOptions & { now: Date },
): Promise<SendResult> {
  const body = JSON.stringify(payload);
  const seconds = Math.floor(now.getTime() / 1000);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'assay',
    'x-assay-event': String(payload['event']),
    'x-assay-delivery': deliveryId,
    'x-assay-timestamp': String(seconds),
    'x-assay-signature': webhookSignature(body, key, seconds),
  };
  return sendHttp({ url, method: 'POST', headers, body }, way);
}

/** Address guard and limits of a request. */
export interface SendOptions {
  addresses: AddressGuard;
  /** Aborts the request with its run. */
  signal: AbortSignal;
  withinMs?: number;
}

/** Sends one request and says whether a retry makes sense. */
export async function sendHttp(
  { url, ...request }: HttpRequest,
  { addresses, signal: stop, withinMs = WITHIN_MS }: SendOptions,
): Promise<SendResult> {
  try {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(withinMs)]);
    const answer = await addresses.fetch(url, { ...request, redirect: 'manual', signal });
    await answer.body?.cancel();
    return {
      ok: answer.status >= 200 && answer.status < 300,
      canRetry: answer.status >= 500 || answer.status === 429 || answer.status === 408,
      response: `HTTP ${answer.status}${answer.status >= 300 && answer.status < 400 ? ', redirects are not followed' : ''}`,
      retryAfterMs: retryAfter(answer.headers.get('retry-after')),
    };
  } catch (error) {
    stop.throwIfAborted();
    const refused = guardRefusal(error);
    if (refused) return { ok: false, canRetry: false, response: refused.message.slice(0, 300) };
    return { ok: false, canRetry: true, response: networkErrorText(error, withinMs) };
  }
}

/** The guard rejects an address before the request, or on connection if DNS has changed. */
function guardRefusal(error: unknown): Failure | undefined {
  const found = error instanceof Error && error.cause instanceof Failure ? error.cause : error;
  return found instanceof Failure && found.kind === 'bad_input' ? found : undefined;
}

/** Parses Retry-After in seconds, at most a minute. Dates are ignored. */
function retryAfter(header: string | null): number | undefined {
  return header !== null && /^\d{1,5}$/.test(header) ? Math.min(Number(header), 60) * 1000 : undefined;
}

function networkErrorText(error: unknown, withinMs: number): string {
  if (!(error instanceof Error)) return 'unknown error';
  if (error.name === 'TimeoutError') return `no answer within ${withinMs / 1000} seconds`;
  const cause = error.cause instanceof Error && 'code' in error.cause ? String(error.cause.code) : undefined;
  return cause ?? (error instanceof Failure ? error.message.slice(0, 200) : error.name);
}
