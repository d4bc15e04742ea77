import * as z from 'zod';
import { untrusted } from '../../platform/text/untrusted-schema.ts';
import { pictureSchema } from '../../tool/picture.ts';
import { defineTool } from '../../tool/tool.ts';
import { proposedMetadataSchema } from '../discovery/read-page/restore-page-text.ts';
import { discoveryContext, sessionIdSchema } from './discovery-context.ts';
import { responseEnvelope, successResponse } from './tool-schemas.ts';

const text = untrusted(z.string(), { max: 300 });
const common = { id: text, name: text, class: text, visible: z.boolean(), value: text, label: text };

export const federalscoutGetPageInfo = defineTool({
  name: 'federalscout_get_page_info',
  title: 'Fields of the open form page',
  description:
    'Read, inspect, describe or analyse the current page (screen, step) of the form during discovery: which fields, inputs, questions, dropdown options, labels and buttons are on it. Proposes the metadata for federalscout_save_page_metadata.',
  effect: 'read',
  openWorld: true,
  scope: 'wizards:write',
  local: 'browsing',
  longReply: {
    offset: true,
    detail: 'full',
    rest: 'federalscout_save_page_metadata saves every proposed field and option, shown or not.',
  },
  input: z.object({
    session_id: sessionIdSchema,
    full: z.boolean().default(false).describe('Longer reply: up to 5,000 tokens'),
  }),
  output: z.object({
    ...responseEnvelope,
    screenshot: pictureSchema,
    current_url: untrusted(z.string(), { max: 2_000 }),
    page_title: text,
    elements: z.object({
      inputs: z.array(z.object({ type: text, ...common })),
      selects: z.array(z.object({ ...common, options: z.array(text) })),
      textareas: z.array(z.object(common)),
      buttons: z.array(z.object({ text, id: text, type: text, class: text, visible: z.boolean() })),
    }),
    proposed_page_metadata: proposedMetadataSchema.describe(
      'Proposed page_metadata for federalscout_save_page_metadata; correct it first if needed',
    ),
    remarks: z.array(untrusted(z.string())),
    errors: z
      .array(z.object({ message: untrusted(z.string()), field: text }))
      .describe('Error messages of the page, with the field that each belongs to'),
    dialogs: z.array(z.object({ name: text, modal: z.boolean() })).describe('Dialogs that are open on the page'),
  }),
  async run({ session_id }, context) {
    const { describePage } = await import('../discovery/read-page/page-info.ts');
    const { sessions, owner, attachScreenshot } = discoveryContext(context);
    return sessions.use(session_id, owner, async (session) =>
      successResponse({ ...(await describePage(session, attachScreenshot)) }),
    );
  },
  async noteReply({ session_id }, context, { data, shown, offset }) {
    const { addReply } = await import('../discovery/save/complete-proposal.ts');
    const { sessions, owner } = discoveryContext(context);
    const page = data.proposed_page_metadata;
    const number = Number(page['page_number']);
    await sessions.use(session_id, owner, async ({ proposals }) => {
      const reply = { value: shown['proposed_page_metadata'], skipped: offset };
      proposals.set(number, addReply(proposals.get(number), page, reply));
    });
  },
});
