import { Failure } from '../../platform/errors.ts';
import type { SettingValues } from '../../platform/settings.ts';
import { configuredPrices } from '../costs/prices.ts';
import { configuredSenders } from './senders.ts';

/** The delivery channels that the settings allow: webhooks always work, email and SMS need settings of the operator. */
export async function checkDelivery(setting: SettingValues['get']) {
  const what = 'QA reports';
  const { mail, sms, problems = {} } = configuredSenders(setting);
  const found = Object.values(problems);
  try {
    configuredPrices(setting);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    found.push(error.message);
  }
  if (found.length > 0) return { what, state: 'fail' as const, detail: found.join(' ') };
  const ways = ['webhook', ...(mail ? ['email'] : []), ...(sms ? ['sms'] : [])];
  const missing = ['email', 'sms'].filter((way) => !ways.includes(way));
  const rest = missing.length > 0 ? `; not configured: ${missing.join(', ')} (docs/qa-reports.md)` : '';
  return { what, state: 'ok' as const, detail: `${ways.join(', ')}${rest}` };
}
