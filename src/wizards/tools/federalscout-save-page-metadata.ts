import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { discoveryRoom, sessionId } from './discovery-room.ts';
import { answered, envelope } from './wizard-argument.ts';

export const federalscoutSavePageMetadata = defineTool({
  name: 'federalscout_save_page_metadata',
  title: 'Save a discovered page',
  description:
    'Save discovered page metadata to session. What the open page shows of a field (options, other selectors) is added; saving a page number again replaces it.',
  effect: 'write',
  idempotent: true,
  scope: 'wizards:write',
  local: 'browsing',
  input: z.object({
    session_id: sessionId,
    page_metadata: z
      .looseObject({})
      .describe(
        'As proposed by get_page_info: {page_number, page_title, url_pattern, fields: [{label, field_id, selector, field_type, interaction, required, example_value, notes}], continue_button: {text, selector}}',
      ),
  }),
  output: z.object({
    ...envelope,
    success: z.literal(true),
    total_pages_discovered: z.number().int(),
    message: z.string(),
    warnings: z.array(z.string()),
    partial_file: z.string(),
  }),
  async run({ session_id, page_metadata }, context) {
    const { savePage } = await import('../discovery/save-page.ts');
    const { shelf, owner, home } = discoveryRoom(context);
    return shelf.use(session_id, owner, async (session) => {
      const { page, replaced, warnings, partialFile } = await savePage(session, page_metadata, home);
      const doing = replaced ? 'was saved again, in the place of what was there' : 'was saved';
      const message = `Page ${page.page_number} with ${page.fields.length} fields ${doing}. Go on to the next page, or complete the discovery at the results.`;
      const total = session.pages.size;
      return answered({
        success: true as const,
        total_pages_discovered: total,
        message,
        warnings,
        partial_file: partialFile,
      });
    });
  },
});
