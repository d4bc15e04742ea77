import type { ReportMessage, SendResult } from './channels.ts';
import { buildSmsRequest, type SmsProvider } from './sms-request.ts';
import { type SendOptions, sendHttp } from './webhook.ts';

const SMS_CHARACTERS = 160;

/** Sends one short message to one number. */
export async function sendSms(
  provider: SmsProvider,
  to: string,
  { short }: ReportMessage,
  way: SendOptions,
): Promise<SendResult> {
  const refusal = numberRefusal(to, provider.prefixes);
  if (refusal !== undefined) return { ok: false, canRetry: false, response: refusal };
  return sendHttp(buildSmsRequest(provider, to, shortenSms(short)), way);
}

/** Why a number is outside the allowed prefixes: otherwise callers could cause costs anywhere. */
export function numberRefusal(to: string, prefixes: readonly string[] = []): string | undefined {
  if (prefixes.length === 0 || prefixes.some((prefix) => to.startsWith(prefix))) return undefined;
  return `This server sends short messages only to numbers that start with ${prefixes.join(', ')}.`;
}

/** Shortens a text to one message, at a word end if possible; `…` would need a larger encoding than three dots. */
export function shortenSms(text: string): string {
  if (text.length <= SMS_CHARACTERS) return text;
  // Does not split a surrogate pair.
  const cut = text.slice(0, SMS_CHARACTERS - 3).replace(/[\ud800-\udbff]$/, '');
  const space = cut.lastIndexOf(' ');
  return `${space > SMS_CHARACTERS / 2 ? cut.slice(0, space) : cut}...`;
}
