import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { shortInfo } from '../discovery/short-info.ts';
import { discoveryRoom, sessionId } from './discovery-room.ts';
import { answered, envelope } from './wizard-argument.ts';

const text = z.string();
const common = { id: text, name: text, class: text, visible: z.boolean(), value: text, label: text };

export const federalscoutGetPageInfo = defineTool({
  name: 'federalscout_get_page_info',
  title: 'Describe the page being discovered',
  description:
    'Get detailed information about current page of a form discovery: every field with label, options and constraints, and page metadata ready to save.',
  effect: 'read',
  openWorld: true,
  scope: 'wizards:write',
  local: 'browsing',
  input: z.object({ session_id: sessionId }),
  output: z.object({
    ...envelope,
    screenshot: text.describe('Base64 JPEG; also attached as an image'),
    current_url: text,
    page_title: text,
    elements: z.object({
      inputs: z.array(z.object({ type: text, ...common })),
      selects: z.array(z.object({ ...common, options: z.array(text) })),
      textareas: z.array(z.object(common)),
      buttons: z.array(z.object({ text, id: text, type: text, class: text, visible: z.boolean() })),
    }),
    proposed_page_metadata: z
      .looseObject({})
      .describe('Can be passed to federalscout_save_page_metadata as it is, or corrected first'),
    remarks: z.array(text),
    errors: z.array(z.object({ message: text, field: text })).describe('What the page says is wrong'),
    dialogs: z.array(z.object({ name: text, modal: z.boolean() })).describe('Open on the page'),
  }),
  async run({ session_id }, context) {
    const { pageInfo } = await import('../discovery/page-info.ts');
    const { shelf, owner, show } = discoveryRoom(context);
    return shelf.use(session_id, owner, async (session) => answered({ ...(await pageInfo(session, show)) }));
  },
  text: shortInfo,
});
