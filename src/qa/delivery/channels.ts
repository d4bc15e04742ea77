import * as z from 'zod';
import type { SmsProvider } from './sms-request.ts';

export const deliveryChannels = ['email', 'sms', 'webhook'] as const;
export type DeliveryChannel = (typeof deliveryChannels)[number];

export interface MailServer {
  /** `smtp://user:password@host:port`. */
  url: string;
  /** Who the mail comes from. */
  from: string;
  /** The only domains that it may go to; none: any. */
  domains?: readonly string[];
}

/** What a channel needs of the operator. Undefined where it was not configured. */
export interface Senders {
  mail?: MailServer | undefined;
  sms?: SmsProvider | undefined;
  /** Why a channel cannot be used though something was configured. */
  problems?: Partial<Record<DeliveryChannel, string>>;
}

/** What is sent, whichever way it goes. */
export interface ReportMessage {
  /** One line. */
  subject: string;
  /** A few lines of plain text. */
  text: string;
  /** The same as a page, for mail programs. */
  html: string;
  /** At most 160 characters. */
  short: string;
  attachments: readonly { name: string; contentType: string; data: Uint8Array }[];
  /** The body of a webhook. */
  payload: Record<string, unknown>;
}

/** How one attempt went. `again`: it may go better later. */
export interface SendResult {
  ok: boolean;
  canRetry: boolean;
  /** What was answered, in a few words, without secrets. */
  response: string;
  /** The receiver asked for so much time. */
  retryAfterMs?: number | undefined;
}

export const deliveryChannel = z.enum(deliveryChannels);

/** The path of a webhook is often its password: answers and logs show only whose it is. */
export function displayTarget(channel: string, target: string): string {
  if (channel !== 'webhook') return target;
  const { origin, pathname, search } = new URL(target);
  return pathname === '/' && search === '' ? origin : `${origin}/…`;
}
