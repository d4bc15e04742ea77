import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { discoveryRoom, view, withoutPicture } from './discovery-room.ts';
import { answered, envelope } from './wizard-argument.ts';

export const federalscoutStartDiscovery = defineTool({
  name: 'federalscout_start_discovery',
  title: 'Start discovering a form',
  description:
    'Begin wizard structure discovery session: opens a web form (government wizard, calculator, application) in a browser that stays open, and shows it.',
  effect: 'write',
  openWorld: true,
  scope: 'wizards:write',
  local: 'browsing',
  input: z.object({ url: z.string().min(1).max(4000).describe('Starting URL of the government wizard') }),
  output: z.object({
    ...envelope,
    session_id: z.string(),
    ...view,
    unfinished: z
      .array(z.object({ partial_file: z.string(), pages_saved: z.number().int(), saved_at: z.string() }))
      .describe('Earlier discoveries of this address that were not completed'),
  }),
  async run({ url }, context) {
    const { startDiscovery } = await import('../discovery/start.ts');
    return answered(await startDiscovery(discoveryRoom(context), url));
  },
  text: withoutPicture,
});
