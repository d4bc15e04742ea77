import * as z from 'zod';
import { untrusted, untrustedName } from '../../platform/text/untrusted-schema.ts';
import { defineTool } from '../../tool/tool.ts';
import { executionContext } from './execution-context.ts';
import { jsonPatchSchema } from './json-patch-schema.ts';
import { ownerWizards } from './owner-wizards.ts';
import { responseEnvelope, successResponse, wizardIdSchema } from './tool-schemas.ts';

const states = ['ok', 'healed', 'missing', 'changed_options', 'new_required_field', 'not_checked'] as const;

export const federalscoutCheckWizard = defineTool({
  name: 'federalscout_check_wizard',
  title: 'Check whether a recorded form has changed',
  description:
    'Verify that a recorded wizard (form automation) still works, is valid and up to date: whether the (government) website has changed its form or page, and the wizard is outdated or broken (drift). Proposes edits; sends the last page only on request.',
  effect: 'write',
  openWorld: true,
  scope: 'wizards:write',
  local: 'browsing',
  input: z.object({
    wizard_id: wizardIdSchema,
    timeout_seconds: z.number().int().min(1).max(600).default(60).describe('Time limit in seconds'),
    send_last_page: z
      .boolean()
      .default(false)
      .describe('Really submit the example data on the last page, to check the results too'),
  }),
  output: z.object({
    ...responseEnvelope,
    wizard_id: z.string(),
    drifted: z.boolean(),
    pages_checked: z.number().int(),
    total_pages: z.number().int(),
    fields: z.array(
      z.object({
        page: z.number().int(),
        field_id: untrustedName(z.string()).nullable(),
        label: untrusted(z.string(), { max: 300 }),
        state: z.enum(states),
        detail: untrusted(z.string(), { max: 2_000 }),
      }),
    ),
    proposals: untrusted(z.array(z.string()), { max: 2_000 }).describe('Proposed edits of the wizard file, in words'),
    edits: jsonPatchSchema,
    stopped: z
      .object({ page: z.number().int(), error: untrusted(z.string(), { max: 2_000 }) })
      .nullable()
      .describe('Page and reason of an early end of the check; null for a complete check'),
  }),
  async run({ wizard_id, timeout_seconds: seconds, send_last_page: sends }, context) {
    const { checkWizard } = await import('../execution/check/check-wizard.ts');
    const stored = await ownerWizards(context).read(wizard_id);
    return successResponse(await checkWizard(executionContext(context), stored, { seconds, sends }));
  },
});
