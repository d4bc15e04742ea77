import * as z from 'zod';
import { untrusted, untrustedName } from '../../platform/text/untrusted-schema.ts';
import { defineTool } from '../../tool/tool.ts';
import { describeWizard } from '../files/wizard-info.ts';
import { ownerWizards } from './owner-wizards.ts';
import { responseEnvelope, successResponse, wizardIdSchema } from './tool-schemas.ts';

const needs = z.record(
  untrustedName(z.string()),
  z.object({
    description: untrusted(z.string(), { max: 2_000 }),
    type: z.string(),
    example: untrusted(z.json(), { max: 2_000 }),
    allowed_values: z.array(untrusted(z.string(), { max: 300 })).optional(),
    required_when: untrusted(z.string()).optional().describe('Condition under which the field is required'),
    asked_when: untrusted(z.string()).optional().describe('Condition under which the page asks for the optional field'),
  }),
);

export const federalrunnerGetWizardInfo = defineTool({
  name: 'federalrunner_get_wizard_info',
  title: 'Information that a form needs from the user',
  description:
    'Which data, information, inputs, personal details and answers to questions a form (wizard, application, calculator) needs, requires or will ask for: required (mandatory) and optional fields. Each with type, example and allowed values.',
  effect: 'read',
  scope: 'federalrunner:read',
  perHour: 100,
  longReply: { offset: true },
  input: z.object({ wizard_id: wizardIdSchema }),
  output: z.object({
    ...responseEnvelope,
    wizard_id: z.string(),
    name: untrusted(z.string(), { max: 300 }),
    url: untrusted(z.string(), { max: 2_000 }),
    total_pages: z.number().int(),
    discovered_at: z.string(),
    description: untrusted(z.string(), { max: 2_000 }),
    pages_summary: z.array(
      z.object({
        page_number: z.number().int(),
        page_title: untrusted(z.string(), { max: 300 }),
        field_count: z.number().int(),
        required_fields: untrusted(z.array(z.string()), { max: 300 }).describe(
          'Labels of the required fields of the page',
        ),
      }),
    ),
    required_user_data: needs,
    optional_user_data: needs,
  }),
  async run({ wizard_id }, context) {
    return successResponse(describeWizard(await ownerWizards(context).read(wizard_id)));
  },
});
