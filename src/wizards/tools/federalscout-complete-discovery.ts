import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { discoveryRoom, sessionId } from './discovery-room.ts';
import { answered, envelope } from './wizard-argument.ts';

export const federalscoutCompleteDiscovery = defineTool({
  name: 'federalscout_complete_discovery',
  title: 'Complete a discovery',
  description:
    'Finish discovery and save wizard structure to JSON, with the schema of the data it takes. Call it while the results page is open, so that its values are named too.',
  effect: 'write',
  scope: 'wizards:write',
  local: 'browsing',
  input: z.object({
    session_id: sessionId,
    wizard_name: z.string().min(1).max(200).describe('Human-readable name, e.g. FSA Student Aid Estimator'),
    wizard_id: z.string().min(1).max(200).describe('Filename slug (lowercase, hyphens), e.g. fsa-estimator'),
  }),
  output: z.object({
    ...envelope,
    success: z.literal(true),
    wizard_id: z.string(),
    saved_to: z.string(),
    schema_saved_to: z.string(),
    previous_version: z.string().nullable(),
    wizard_structure: z.looseObject({}),
    validation: z.object({
      valid: z.boolean(),
      total_pages: z.number().int(),
      total_fields: z.number().int(),
      warnings: z.array(z.string()),
    }),
  }),
  async run({ session_id, wizard_name, wizard_id }, context) {
    const { completeDiscovery } = await import('../discovery/complete.ts');
    const { shelf, owner, home } = discoveryRoom(context);
    const completed = await shelf.use(session_id, owner, (session) =>
      completeDiscovery(session, wizard_name, wizard_id, home),
    );
    await shelf.remove(session_id);
    return answered({ success: true as const, ...completed });
  },
});
