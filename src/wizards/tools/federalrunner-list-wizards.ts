import * as z from 'zod';
import { untrusted, untrustedName } from '../../platform/text/untrusted-schema.ts';
import { defineTool } from '../../tool/tool.ts';
import { summarizeWizard } from '../files/wizard-info.ts';
import { ownerWizards } from './owner-wizards.ts';
import { responseEnvelope, successResponse } from './tool-schemas.ts';

export const federalrunnerListWizards = defineTool({
  name: 'federalrunner_list_wizards',
  title: 'List the forms that can be filled in',
  description:
    'List all available wizards: known (recorded) online forms, government applications and calculators that exist, can be run and filled in automatically.',
  effect: 'read',
  scope: 'federalrunner:read',
  perHour: 100,
  longReply: { offset: true },
  input: z.object({}),
  output: z.object({
    ...responseEnvelope,
    wizards: z.array(
      z.object({
        wizard_id: z.string(),
        name: untrusted(z.string(), { max: 300 }),
        url: untrusted(z.string(), { max: 2_000 }),
        total_pages: z.number().int(),
        discovered_at: z.string(),
        description: untrusted(z.string(), { max: 2_000 }),
        shared: z
          .boolean()
          .describe('True for a wizard that the operator shares with all callers; it can be run but not overwritten'),
      }),
    ),
    count: z.number().int(),
    broken: z
      .array(z.object({ file: untrustedName(z.string()), problem: untrusted(z.string()) }))
      .describe('Wizard files that cannot be used, with the reason'),
  }),
  async run(_args, context) {
    const { wizards, broken } = await ownerWizards(context).list();
    return successResponse({
      wizards: wizards.map(({ wizard, shared }) => ({ ...summarizeWizard(wizard), shared })),
      count: wizards.length,
      broken,
    });
  },
});
