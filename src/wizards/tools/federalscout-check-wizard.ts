import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { edits } from './edits.ts';
import { executionRoom, wizardsOf } from './execution-room.ts';
import { answered, envelope, wizardId } from './wizard-argument.ts';

const states = ['ok', 'healed', 'missing', 'changed_options', 'new_required_field', 'not_checked'] as const;

export const federalscoutCheckWizard = defineTool({
  name: 'federalscout_check_wizard',
  title: 'Check a form wizard for drift',
  description:
    'Check whether a form has changed since its wizard was discovered: walks it with its example data, reports drift per field, and proposes edits. The last page is not sent unless asked.',
  effect: 'write',
  openWorld: true,
  scope: 'wizards:write',
  local: 'browsing',
  input: z.object({
    wizard_id: wizardId,
    timeout_seconds: z.number().int().min(1).max(600).default(60).describe('Maximum time'),
    send_last_page: z.boolean().default(false).describe('Send the example data for good, to check the results too'),
  }),
  output: z.object({
    ...envelope,
    wizard_id: z.string(),
    drifted: z.boolean(),
    pages_checked: z.number().int(),
    total_pages: z.number().int(),
    fields: z.array(
      z.object({
        page: z.number().int(),
        field_id: z.string().nullable(),
        label: z.string(),
        state: z.enum(states),
        detail: z.string(),
      }),
    ),
    proposals: z.array(z.string()).describe('Edits to the wizard file'),
    edits,
    stopped: z.object({ page: z.number().int(), error: z.string() }).nullable().describe('Why it ended early'),
  }),
  async run({ wizard_id, timeout_seconds: seconds, send_last_page: sends }, context) {
    const { checkWizard } = await import('../execution/drift.ts');
    const stored = await wizardsOf(context).read(wizard_id);
    return answered(await checkWizard(executionRoom(context), stored, { seconds, sends }));
  },
});
