import { createHmac } from 'node:crypto';
import { Failure } from '../../platform/errors.ts';
import type { AddressGuard } from '../../platform/network/address-guard.ts';
import type { Attempt, Message } from './channels.ts';
import type { HttpRequest } from './sms-request.ts';

const WITHIN_MS = 10_000;

interface Receiver {
  url: string;
  /** Signs the body, so that the receiver knows who sent it. */
  key: string;
  /** The same for every attempt, so that a receiver can tell a repetition. */
  deliveryId: string;
}

/** `t=<seconds>,v1=<hex>`: HMAC-SHA256 of `<seconds>.<body>`. A receiver refuses what is older than some minutes. */
export function signatureOf(body: string, key: string, seconds: number): string {
  return `t=${seconds},v1=${createHmac('sha256', key).update(`${seconds}.${body}`).digest('hex')}`;
}

/** Posts the report's facts as JSON. A redirect is not followed: it would carry the body to another place. */
export async function postWebhook(
  { url, key, deliveryId }: Receiver,
  { payload }: Message,
  { now, ...way }: Way & { now: Date },
): Promise<Attempt> {
  const body = JSON.stringify(payload);
  const seconds = Math.floor(now.getTime() / 1000);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'assay',
    'x-assay-event': String(payload['event']),
    'x-assay-delivery': deliveryId,
    'x-assay-timestamp': String(seconds),
    'x-assay-signature': signatureOf(body, key, seconds),
  };
  return send({ url, method: 'POST', headers, body }, way);
}

/** Where it may go, and until when. */
export interface Way {
  addresses: AddressGuard;
  /** Aborted when nobody waits for it any more. */
  signal: AbortSignal;
  withinMs?: number;
}

/** One request, and whether it is worth another. */
export async function send(
  { url, ...request }: HttpRequest,
  { addresses, signal: stop, withinMs = WITHIN_MS }: Way,
): Promise<Attempt> {
  try {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(withinMs)]);
    const answer = await addresses.fetch(url, { ...request, redirect: 'manual', signal });
    await answer.body?.cancel();
    return {
      ok: answer.status >= 200 && answer.status < 300,
      again: answer.status >= 500 || answer.status === 429 || answer.status === 408,
      said: `HTTP ${answer.status}${answer.status >= 300 && answer.status < 400 ? ', and redirects are not followed' : ''}`,
      afterMs: retryAfter(answer.headers.get('retry-after')),
    };
  } catch (error) {
    stop.throwIfAborted();
    const refused = refusalIn(error);
    if (refused) return { ok: false, again: false, said: refused.message.slice(0, 300) };
    return { ok: false, again: true, said: reason(error, withinMs) };
  }
}

/** The guard refuses when it is asked, or within the connection when the name has moved meanwhile. */
function refusalIn(error: unknown): Failure | undefined {
  const found = error instanceof Error && error.cause instanceof Failure ? error.cause : error;
  return found instanceof Failure && found.kind === 'bad_input' ? found : undefined;
}

/** Seconds only: a date would need the receiver's clock. At most a minute is waited. */
function retryAfter(header: string | null): number | undefined {
  return header !== null && /^\d{1,5}$/.test(header) ? Math.min(Number(header), 60) * 1000 : undefined;
}

function reason(error: unknown, withinMs: number): string {
  if (!(error instanceof Error)) return 'unknown error';
  if (error.name === 'TimeoutError') return `no answer within ${withinMs / 1000} seconds`;
  const cause = error.cause instanceof Error && 'code' in error.cause ? String(error.cause.code) : undefined;
  return cause ?? (error instanceof Failure ? error.message.slice(0, 200) : error.name);
}
