import { randomBytes } from 'node:crypto';
import { quote } from '../../platform/errors.ts';
import { invalidArgument, requireProject } from '../owned-rows.ts';
import type { QaContext } from '../qa-context.ts';
import type { ReportPreferences } from '../store/qa-store.ts';
import { type DeliveryChannel, deliveryChannels } from './channels.ts';
import { domainRefusal } from './email.ts';
import { configuredSenders } from './senders.ts';
import { numberRefusal } from './sms.ts';

const MOST_TARGETS = 50;

export const reportExportFormats = ['pdf', 'html', 'markdown'] as const;
export type ReportExportFormat = (typeof reportExportFormats)[number];

interface PreferencesInput {
  projectId: string;
  channels: readonly string[];
  emails?: readonly string[] | undefined;
  phones?: readonly string[] | undefined;
  webhookUrl?: string | undefined;
  webhookSecret?: string | undefined;
  defaultExportFormat?: ReportExportFormat | undefined;
}

/** Replaces the delivery preferences. A generated webhook key is returned only once. */
export async function savePreferences(
  qa: QaContext,
  input: PreferencesInput,
): Promise<{ preferences: ReportPreferences; newKey: string | undefined }> {
  await requireProject(qa, input.projectId);
  const chosen = chosenChannels(input.channels);
  const emails = checkTargets('emails', input.emails, isEmail, 'an e-mail address such as team@example.com');
  const { mail, sms } = configuredSenders(qa.setting);
  rejectRefused('emails', emails, (email) => domainRefusal(email, mail?.domains ?? []));
  const phones = checkTargets('phones', input.phones, isPhone, 'a number in E.164 form such as +15551234567');
  rejectRefused('phones', phones, (phone) => numberRefusal(phone, sms?.prefixes));
  if (chosen.includes('email') && emails.length === 0) throw missingTarget('emails', 'email');
  if (chosen.includes('sms') && phones.length === 0) throw missingTarget('phones', 'sms');
  if (chosen.includes('webhook') && !input.webhookUrl) throw missingTarget('webhookUrl', 'webhook');
  if (input.webhookUrl !== undefined) await checkWebhook(qa, input.webhookUrl);

  const { preferences: kept } = qa.store;
  const before = await kept.first({ projectId: input.projectId });
  const newKey = newWebhookKey(input, before);
  const values = {
    channels: chosen,
    emails,
    phones,
    webhookUrl: input.webhookUrl ?? null,
    defaultFormat: input.defaultExportFormat ?? null,
    ...(newKey !== undefined && {
      webhookSecret: (await qa.vault()).seal(newKey, webhookKeyBinding(input.projectId)),
    }),
  };
  const preferences =
    (before && (await kept.update(before.id, values))) ??
    (await kept.insert({ owner: qa.owner, projectId: input.projectId, details: {}, ...values }));
  return { preferences, newKey: input.webhookSecret === undefined ? newKey : undefined };
}

/** Binds a sealed webhook key to its project. */
export const webhookKeyBinding = (projectId: string) => ['webhook', projectId];

/** The given key, or a new one if a webhook has none yet. */
function newWebhookKey({ webhookUrl, webhookSecret }: PreferencesInput, before: ReportPreferences | undefined) {
  if (webhookSecret !== undefined) return webhookSecret;
  return webhookUrl && !before?.webhookSecret ? randomBytes(24).toString('base64url') : undefined;
}

function chosenChannels(given: readonly string[]): DeliveryChannel[] {
  return [...new Set(given)].map((name) => {
    const channel = deliveryChannels.find((known) => known === name);
    if (channel) return channel;
    throw invalidArgument('channels', `channels must be of ${deliveryChannels.join(', ')}, got ${quote(name)}.`);
  });
}

function checkTargets(
  field: string,
  given: readonly string[] = [],
  isGood: (target: string) => boolean,
  what: string,
): string[] {
  const list = [...new Set(given.map((target) => target.trim()))];
  if (list.length > MOST_TARGETS)
    throw invalidArgument(field, `${field} must be at most ${MOST_TARGETS}, got ${list.length}.`);
  const bad = list.find((target) => !isGood(target));
  if (bad !== undefined) throw invalidArgument(field, `${field} must each be ${what}, got ${quote(bad)}.`);
  return list;
}

/** A bare address: no names, lists, comments or line breaks, which mail headers would interpret. */
function isEmail(target: string): boolean {
  return (
    target.length <= 254 &&
    !/^\.|\.\.|\.@/.test(target) &&
    /^[^\s@<>,;:"()[\]\\]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.(?!$)|$))+$/i.test(target)
  );
}

/** Applies the limits of the operator. They are checked again on delivery, because they may change later. */
function rejectRefused(
  field: string,
  given: readonly string[],
  refusalOf: (target: string) => string | undefined,
): void {
  for (const target of given) {
    const refusal = refusalOf(target);
    if (refusal !== undefined)
      throw invalidArgument(
        field,
        `${refusal} ${quote(target)} is not allowed. Remove it, or ask the operator to allow it.`,
      );
  }
}

function isPhone(target: string): boolean {
  return /^\+[1-9]\d{6,14}$/.test(target);
}

async function checkWebhook(qa: QaContext, webhookUrl: string): Promise<void> {
  const url = URL.parse(webhookUrl);
  if (!url || !/^https?:$/.test(url.protocol))
    throw invalidArgument('webhookUrl', `webhookUrl must be an http or https address, got ${quote(webhookUrl)}.`);
  if (url.username || url.password)
    throw invalidArgument(
      'webhookUrl',
      'webhookUrl must not contain a user name or password; webhooks are signed instead.',
    );
  await qa.checkAddress(webhookUrl);
}

function missingTarget(field: string, channel: DeliveryChannel) {
  return invalidArgument(field, `channels has ${channel}, so ${field} must be given.`);
}
