import type { Attempt, Message, Senders } from './channels.ts';
import { post, type Way } from './webhook.ts';

const SMS_CHARACTERS = 160;

/** One short message to one number, by the provider that the operator configured. */
export function sendSms(
  { url, token }: NonNullable<Senders['sms']>,
  to: string,
  { short }: Message,
  way: Way,
): Promise<Attempt> {
  const headers = {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  return post(url, { headers, body: JSON.stringify({ to, text: cutSms(short) }) }, way);
}

/** Cut so that it costs one message, at the end of a word where there is one; `…` would cost more than three dots. */
export function cutSms(text: string): string {
  if (text.length <= SMS_CHARACTERS) return text;
  const cut = text.slice(0, SMS_CHARACTERS - 3);
  const space = cut.lastIndexOf(' ');
  return `${space > SMS_CHARACTERS / 2 ? cut.slice(0, space) : cut}...`;
}
