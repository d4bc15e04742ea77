import * as z from 'zod';
import { untrusted, untrustedName } from '../../platform/text/untrusted-schema.ts';
import { defineTool } from '../../tool/tool.ts';
import { validateUserData } from '../validation/validate-user-data.ts';
import { ownerWizards, schemaCompilerOf } from './owner-wizards.ts';
import { responseEnvelope, successResponse, wizardIdSchema } from './tool-schemas.ts';

export const federalrunnerValidateUserData = defineTool({
  name: 'federalrunner_validate_user_data',
  title: 'Check the answers for a form before submitting',
  description:
    "Check, verify or validate the user's data, information or answers for a form or application before you submit or send it: complete, enough, correct, or required fields missing, forgotten, invalid. Checks input of a wizard for wrong formats; opens no browser.",
  effect: 'read',
  scope: 'federalrunner:read',
  perHour: 100,
  longReply: { offset: true },
  input: z.object({
    wizard_id: wizardIdSchema,
    user_data: z.looseObject({}).describe('Answers by field id, e.g. {"birth_year": "2007", "state": "Illinois"}'),
  }),
  output: z.object({
    ...responseEnvelope,
    valid: z.boolean(),
    missing_fields: z.array(
      z.object({
        label: untrusted(z.string(), { max: 300 }),
        field_id: untrustedName(z.string()),
        example: untrusted(z.string(), { max: 2_000 }),
        required: z.literal(true),
      }),
    ),
    invalid_fields: z.array(
      z.object({
        field_id: untrustedName(z.string()),
        provided_value: untrusted(z.unknown(), { max: 2_000 }),
        expected_type: untrusted(z.string(), { max: 300 }),
        error: untrusted(z.string(), { max: 2_000 }),
      }),
    ),
    warnings: z.array(
      z.object({
        field_id: untrustedName(z.string()),
        message: untrusted(z.string(), { max: 2_000 }),
        severity: z.enum(['low', 'medium', 'high']),
      }),
    ),
  }),
  async run({ wizard_id, user_data }, context) {
    const stored = await ownerWizards(context).read(wizard_id);
    const { answers: _, ...validated } = validateUserData(stored, user_data, schemaCompilerOf(context));
    return successResponse(validated);
  },
});
