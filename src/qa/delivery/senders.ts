import { Failure } from '../../platform/errors.ts';
import { readSettings, settings } from '../../platform/settings.ts';
import type { DeliveryChannel, Senders } from './channels.ts';
import { parseSmsProvider } from './sms-request.ts';

/** What the operator has configured. A setting that is wrong costs its own channel, and no other. */
export function configuredSenders(env: NodeJS.ProcessEnv = process.env): Senders {
  const given = readSettings([], [], env);
  const problems: Partial<Record<DeliveryChannel, string>> = {};
  const readOrNote = <Sender>(channel: DeliveryChannel, read: () => Sender): Sender | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      problems[channel] = error.message;
      return undefined;
    }
  };
  const mail = readOrNote('email', () => {
    const url = given.get(settings.smtpUrl);
    return url === undefined
      ? undefined
      : { url, from: given.get(settings.mailFrom), domains: given.get(settings.mailDomains) };
  });
  const sms = readOrNote('sms', () => {
    const url = given.get(settings.smsUrl);
    if (url === undefined) return undefined;
    const provider = parseSmsProvider(url, given.get(settings.smsToken), given.get(settings.smsRequest));
    return { ...provider, prefixes: given.get(settings.smsPrefixes) };
  });
  return { mail, sms, problems };
}
