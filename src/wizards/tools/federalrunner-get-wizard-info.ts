import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { infoOf } from '../files/describe.ts';
import { wizardsOf } from './execution-room.ts';
import { answered, envelope, wizardId } from './wizard-argument.ts';

const needs = z.record(
  z.string(),
  z.object({
    description: z.string(),
    type: z.string(),
    example: z.json(),
    allowed_values: z.array(z.string()).optional(),
    required_when: z.string().optional().describe('Needed only then'),
    asked_when: z.string().optional().describe('Optional, and asked for only then'),
  }),
);

export const federalrunnerGetWizardInfo = defineTool({
  name: 'federalrunner_get_wizard_info',
  title: 'What a form wizard asks for',
  description: 'Get detailed information about a form wizard: its pages, and the user data that it needs.',
  effect: 'read',
  scope: 'federalrunner:read',
  perHour: 100,
  input: z.object({ wizard_id: wizardId }),
  output: z.object({
    ...envelope,
    wizard_id: z.string(),
    name: z.string(),
    url: z.string(),
    total_pages: z.number().int(),
    discovered_at: z.string(),
    description: z.string(),
    pages_summary: z.array(
      z.object({
        page_number: z.number().int(),
        page_title: z.string(),
        field_count: z.number().int(),
        required_fields: z.array(z.string()).describe('Labels'),
      }),
    ),
    required_user_data: needs,
    optional_user_data: needs,
  }),
  async run({ wizard_id }, context) {
    return answered(infoOf(await wizardsOf(context).read(wizard_id)));
  },
});
