import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { validate } from '../validation/validate.ts';
import { schemasOf, wizardsOf } from './execution-room.ts';
import { answered, envelope, wizardId } from './wizard-argument.ts';

export const federalrunnerValidateUserData = defineTool({
  name: 'federalrunner_validate_user_data',
  title: 'Validate user data for a form',
  description:
    'Validate user data before a form wizard is executed: everything missing, invalid or doubtful at once, without a browser.',
  effect: 'read',
  scope: 'federalrunner:read',
  perHour: 100,
  input: z.object({
    wizard_id: wizardId,
    user_data: z.looseObject({}).describe('By field id, e.g. {"birth_year": "2007", "state": "Illinois"}'),
  }),
  output: z.object({
    ...envelope,
    valid: z.boolean(),
    missing_fields: z.array(
      z.object({ label: z.string(), field_id: z.string(), example: z.string(), required: z.literal(true) }),
    ),
    invalid_fields: z.array(
      z.object({
        field_id: z.string(),
        provided_value: z.unknown(),
        expected_type: z.string(),
        error: z.string(),
      }),
    ),
    warnings: z.array(
      z.object({ field_id: z.string(), message: z.string(), severity: z.enum(['low', 'medium', 'high']) }),
    ),
  }),
  async run({ wizard_id, user_data }, context) {
    const stored = await wizardsOf(context).read(wizard_id);
    const { answers: _, ...validated } = validate(stored, user_data, schemasOf(context));
    return answered(validated);
  },
});
