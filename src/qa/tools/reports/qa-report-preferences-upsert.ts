import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { deliveryChannel, deliveryChannels } from '../../delivery/channels.ts';
import { reportExportFormats, savePreferences } from '../../delivery/save-preferences.ts';
import { configuredSenders } from '../../delivery/senders.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { isoTime } from '../shared/run-shapes.ts';

export const qaReportPreferencesUpsert = defineTool({
  name: 'qa_report_preferences_upsert',
  title: 'Where to send test reports: email, SMS, webhook',
  description:
    'Configure, set or change who gets the test reports and results and how they are sent or delivered: email (mail) recipients of a team, SMS text message to a phone, webhook to notify. Replaces the earlier settings; qa_report_final_generate sends.',
  effect: 'write',
  idempotent: true,
  scope: 'qa:write',
  input: z.object({
    projectId: z.string().min(1).describe('QA project id, from qa_project_list'),
    channels: z
      .array(z.string())
      .max(10)
      .describe(`Channels to use, of ${deliveryChannels.join(', ')}; an empty list sends nothing`),
    emails: z.array(z.string()).optional().describe('Email addresses for the channel email'),
    phones: z.array(z.string()).optional().describe('Phone numbers for the channel sms, e.g. +15551234567'),
    webhookUrl: z.string().max(2000).optional().describe('Address that the channel webhook posts to'),
    webhookSecret: z
      .string()
      .min(16)
      .max(200)
      .optional()
      .describe('Key that signs webhook calls; default: generated, and returned once'),
    defaultExportFormat: z.enum(reportExportFormats).optional().describe('Format of final reports; default html'),
  }),
  output: z.object({
    projectId: z.string(),
    channels: z.array(deliveryChannel),
    emails: z.array(z.string()),
    phones: z.array(z.string()),
    webhookUrl: z.string().optional(),
    webhookSecret: z.string().optional().describe('New key that signs webhook calls; returned once, so store it'),
    defaultExportFormat: z.string().optional(),
    notConfigured: z.array(z.string()).describe('Channels for which this server has no sender configured'),
    updatedAt: z.string(),
  }),
  async run(args, context) {
    const { preferences, newKey } = await savePreferences(await openQaContext(context), args);
    const { mail, sms } = configuredSenders(context.setting);
    const cannot = { email: !mail, sms: !sms, webhook: false };
    const chosen = z.array(deliveryChannel).parse(preferences.channels);
    return {
      projectId: preferences.projectId,
      channels: chosen,
      emails: preferences.emails,
      phones: preferences.phones,
      ...(preferences.webhookUrl !== null && { webhookUrl: preferences.webhookUrl }),
      ...(newKey !== undefined && { webhookSecret: newKey }),
      ...(preferences.defaultFormat !== null && { defaultExportFormat: preferences.defaultFormat }),
      notConfigured: chosen.filter((channel) => cannot[channel]),
      updatedAt: isoTime(preferences.updatedAt),
    };
  },
});
