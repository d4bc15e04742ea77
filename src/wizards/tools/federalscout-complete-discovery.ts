import * as z from 'zod';
import { untrusted } from '../../platform/text/untrusted-schema.ts';
import { defineTool } from '../../tool/tool.ts';
import { discoveryContext, sessionIdSchema } from './discovery-context.ts';
import { responseEnvelope, successResponse } from './tool-schemas.ts';

export const federalscoutCompleteDiscovery = defineTool({
  name: 'federalscout_complete_discovery',
  title: 'Finish the discovery of a form',
  description:
    'Finish, complete, finalize, wrap up or end the discovery (recording) of a form after the last page: save or store all recorded pages as a wizard with a name, to fill in later. Call it while the result page is open.',
  effect: 'write',
  scope: 'wizards:write',
  local: 'browsing',
  longReply: { rest: 'The file at saved_to has the whole structure.' },
  input: z.object({
    session_id: sessionIdSchema,
    wizard_name: z.string().min(1).max(200).describe('Name of the form for people, e.g. FSA Student Aid Estimator'),
    wizard_id: z
      .string()
      .min(1)
      .max(200)
      .describe('Id of the new wizard file, lower case with hyphens, e.g. fsa-estimator'),
  }),
  output: z.object({
    ...responseEnvelope,
    success: z.literal(true),
    wizard_id: z.string(),
    saved_to: z.string(),
    schema_saved_to: z.string(),
    previous_version: z.string().nullable(),
    wizard_structure: untrusted(z.looseObject({}), { max: Number.POSITIVE_INFINITY }),
    validation: z.object({
      valid: z.boolean(),
      total_pages: z.number().int(),
      total_fields: z.number().int(),
      warnings: untrusted(z.array(z.string())),
    }),
  }),
  async run({ session_id, wizard_name, wizard_id }, context) {
    const { completeDiscovery } = await import('../discovery/save/complete-discovery.ts');
    const { sessions, owner, wizards } = discoveryContext(context);
    const completed = await sessions.use(session_id, owner, (session) =>
      completeDiscovery(session, wizard_name, wizard_id, wizards),
    );
    await sessions.remove(session_id);
    return successResponse({ success: true as const, ...completed });
  },
});
