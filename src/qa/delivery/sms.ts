import type { Attempt, Message } from './channels.ts';
import { requestFor, type SmsProvider } from './sms-request.ts';
import { send, type Way } from './webhook.ts';

const SMS_CHARACTERS = 160;

/** One short message to one number, by the provider that the operator configured. */
export function sendSms(provider: SmsProvider, to: string, { short }: Message, way: Way): Promise<Attempt> {
  return send(requestFor(provider, to, cutSms(short)), way);
}

/** Cut so that it costs one message, at the end of a word where there is one; `…` would cost more than three dots. */
export function cutSms(text: string): string {
  if (text.length <= SMS_CHARACTERS) return text;
  // Not through the middle of a character.
  const cut = text.slice(0, SMS_CHARACTERS - 3).replace(/[\ud800-\udbff]$/, '');
  const space = cut.lastIndexOf(' ');
  return `${space > SMS_CHARACTERS / 2 ? cut.slice(0, space) : cut}...`;
}
