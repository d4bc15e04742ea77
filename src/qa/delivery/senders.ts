import { Failure } from '../../platform/errors.ts';
import type { SettingValues } from '../../platform/settings.ts';
import { qaSettings } from '../settings.ts';
import type { DeliveryChannel, Senders } from './channels.ts';
import { parseSmsProvider } from './sms-request.ts';

/** Reads the senders from the settings. An invalid setting disables only its own channel. */
export function configuredSenders(setting: SettingValues['get']): Senders {
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
    const url = setting(qaSettings.smtpUrl);
    return url === undefined
      ? undefined
      : { url, from: setting(qaSettings.mailFrom), domains: setting(qaSettings.mailDomains) };
  });
  const sms = readOrNote('sms', () => {
    const url = setting(qaSettings.smsUrl);
    if (url === undefined) return undefined;
    const provider = parseSmsProvider(url, setting(qaSettings.smsToken), setting(qaSettings.smsRequest));
    return { ...provider, prefixes: setting(qaSettings.smsPrefixes) };
  });
  return { mail, sms, problems };
}
