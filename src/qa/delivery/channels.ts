import * as z from 'zod';
import type { SmsProvider } from './sms-request.ts';

export const deliveryChannels = ['email', 'sms', 'webhook'] as const;
export type DeliveryChannel = (typeof deliveryChannels)[number];

export interface MailServer {
  /** `smtp://user:password@host:port`. */
  url: string;
  /** Sender address. */
  from: string;
  /** Allowed domains of recipients; empty allows all. */
  domains?: readonly string[];
}

/** Configured senders; undefined if a channel is not configured. */
export interface Senders {
  mail?: MailServer | undefined;
  sms?: SmsProvider | undefined;
  /** Why a configured channel cannot be used. */
  problems?: Partial<Record<DeliveryChannel, string>>;
}

/** A report as every channel needs it. */
export interface ReportMessage {
  /** Subject, one line. */
  subject: string;
  /** A few lines of plain text. */
  text: string;
  /** HTML version for mail. */
  html: string;
  /** Short version, at most 160 characters. */
  short: string;
  attachments: readonly { name: string; contentType: string; data: Uint8Array }[];
  /** Body of a webhook. */
  payload: Record<string, unknown>;
}

/** Result of one attempt. */
export interface SendResult {
  ok: boolean;
  canRetry: boolean;
  /** Response in a few words, without secrets. */
  response: string;
  /** Delay that the receiver asked for. */
  retryAfterMs?: number | undefined;
}

export const deliveryChannel = z.enum(deliveryChannels);

/** The path of a webhook is often a secret, so answers and logs show only its origin. */
export function displayTarget(channel: string, target: string): string {
  if (channel !== 'webhook') return target;
  const { origin, pathname, search } = new URL(target);
  return pathname === '/' && search === '' ? origin : `${origin}/…`;
}
