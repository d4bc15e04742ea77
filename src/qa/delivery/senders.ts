import { readSettings, settings } from '../../platform/settings.ts';
import type { Senders } from './channels.ts';

/** What the operator has configured. */
export function sendersConfigured(env: NodeJS.ProcessEnv = process.env): Senders {
  const given = readSettings([], [], env);
  const [smtp, sms] = [given.get(settings.smtpUrl), given.get(settings.smsUrl)];
  return {
    mail: smtp === undefined ? undefined : { url: smtp, from: given.get(settings.mailFrom) },
    sms: sms === undefined ? undefined : { url: sms, token: given.get(settings.smsToken) },
  };
}
