import type { ReportMessage, SendResult } from './channels.ts';
import { buildSmsRequest, type SmsProvider } from './sms-request.ts';
import { type SendOptions, sendHttp } from './webhook.ts';

const SMS_CHARACTERS = 160;

/** One short message to one number, by the provider that the operator configured. */
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

/** Whoever may use this server could otherwise make it pay for messages to anywhere. */
export function numberRefusal(to: string, prefixes: readonly string[] = []): string | undefined {
  if (prefixes.length === 0 || prefixes.some((prefix) => to.startsWith(prefix))) return undefined;
  return `Short messages of this server go only to numbers that begin with ${prefixes.join(', ')}.`;
}

/** Cut so that it costs one message, at the end of a word where there is one; `…` would cost more than three dots. */
export function shortenSms(text: string): string {
  if (text.length <= SMS_CHARACTERS) return text;
  // Not through the middle of a character.
  const cut = text.slice(0, SMS_CHARACTERS - 3).replace(/[\ud800-\udbff]$/, '');
  const space = cut.lastIndexOf(' ');
  return `${space > SMS_CHARACTERS / 2 ? cut.slice(0, space) : cut}...`;
}
