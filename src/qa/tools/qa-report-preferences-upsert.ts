import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { channelName, channels } from '../delivery/channels.ts';
import { exportFormats, savePreferences } from '../delivery/preferences.ts';
import { sendersConfigured } from '../delivery/senders.ts';
import { qaRoom } from './room.ts';
import { time } from './run-shapes.ts';

export const qaReportPreferencesUpsert = defineTool({
  name: 'qa_report_preferences_upsert',
  title: 'Set how QA reports are delivered',
  description:
    'Report delivery of a QA project: email with the PDF, sms summary, signed webhook. Replaces what was set before.',
  effect: 'write',
  idempotent: true,
  scope: 'qa:write',
  input: z.object({
    projectId: z.string().min(1).describe('From qa_project_create'),
    channels: z
      .array(z.string())
      .max(10)
      .describe(`Of ${channels.join(', ')}; empty: none`),
    emails: z.array(z.string()).optional().describe('For email'),
    phones: z.array(z.string()).optional().describe('For sms, as +15551234567'),
    webhookUrl: z.string().max(2000).optional().describe('For webhook'),
    webhookSecret: z.string().min(16).max(200).optional().describe('Signs webhooks; default: made, and told once'),
    defaultExportFormat: z.enum(exportFormats).optional().describe('Of final reports'),
  }),
  output: z.object({
    projectId: z.string(),
    channels: z.array(channelName),
    emails: z.array(z.string()),
    phones: z.array(z.string()),
    webhookUrl: z.string().optional(),
    webhookSecret: z.string().optional().describe('Only when it was just made; keep it'),
    defaultExportFormat: z.string().optional(),
    notConfigured: z.array(z.string()).describe('Channels that this server cannot send by yet'),
    updatedAt: z.string(),
  }),
  async run(args, context) {
    const { preferences, newKey } = await savePreferences(await qaRoom(context), args);
    const { mail, sms } = sendersConfigured();
    const cannot = { email: !mail, sms: !sms, webhook: false };
    const chosen = z.array(channelName).parse(preferences.channels);
    return {
      projectId: preferences.projectId,
      channels: chosen,
      emails: preferences.emails,
      phones: preferences.phones,
      ...(preferences.webhookUrl !== null && { webhookUrl: preferences.webhookUrl }),
      ...(newKey !== undefined && { webhookSecret: newKey }),
      ...(preferences.defaultFormat !== null && { defaultExportFormat: preferences.defaultFormat }),
      notConfigured: chosen.filter((channel) => cannot[channel]),
      updatedAt: time(preferences.updatedAt),
    };
  },
});
