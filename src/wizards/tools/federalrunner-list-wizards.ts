import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { summaryOf } from '../files/describe.ts';
import { wizardsOf } from './execution-room.ts';
import { answered, envelope } from './wizard-argument.ts';

export const federalrunnerListWizards = defineTool({
  name: 'federalrunner_list_wizards',
  title: 'List form wizards',
  description: 'List all available government form wizards that can be executed with user data.',
  effect: 'read',
  scope: 'federalrunner:read',
  perHour: 100,
  input: z.object({}),
  output: z.object({
    ...envelope,
    wizards: z.array(
      z.object({
        wizard_id: z.string(),
        name: z.string(),
        url: z.string(),
        total_pages: z.number().int(),
        discovered_at: z.string(),
        description: z.string(),
      }),
    ),
    count: z.number().int(),
    broken: z.array(z.object({ file: z.string(), problem: z.string() })).describe('Files that cannot be used, and why'),
  }),
  async run(_args, context) {
    const { wizards, broken } = await wizardsOf(context).list();
    return answered({ wizards: wizards.map(summaryOf), count: wizards.length, broken });
  },
});
