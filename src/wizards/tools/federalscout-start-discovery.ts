import * as z from 'zod';
import { defineTool } from '../../tool/tool.ts';
import { discoveryContext, pageViewShape } from './discovery-context.ts';
import { responseEnvelope, successResponse } from './tool-schemas.ts';

export const federalscoutStartDiscovery = defineTool({
  name: 'federalscout_start_discovery',
  title: 'Start learning a new online form',
  description:
    'Start the discovery of a new web form or wizard: learn, explore, teach, record or map an online application, government form or calculator page by page from its website (URL, link). To automate it and fill it in later; next: federalscout_get_page_info.',
  effect: 'write',
  openWorld: true,
  scope: 'wizards:write',
  local: 'browsing',
  longReply: { rest: 'federalscout_get_page_info lists the rest of the page.' },
  input: z.object({ url: z.string().min(1).max(4000).describe('Address of the first page of the form, with http(s)') }),
  output: z.object({
    ...responseEnvelope,
    session_id: z.string(),
    ...pageViewShape,
    unfinished: z
      .array(z.object({ partial_file: z.string(), pages_saved: z.number().int(), saved_at: z.string() }))
      .describe('Earlier discoveries of this address that were not completed'),
  }),
  async run({ url }, context) {
    const { startDiscovery } = await import('../discovery/session/start-discovery.ts');
    return successResponse(await startDiscovery(discoveryContext(context), url));
  },
});
