import * as z from 'zod';
import { quote } from '../../platform/errors.ts';
import { untrusted } from '../../platform/text/untrusted-schema.ts';
import { defineTool } from '../../tool/tool.ts';
import { discoveryContext, sessionIdSchema } from './discovery-context.ts';
import { responseEnvelope, successResponse } from './tool-schemas.ts';

export const federalscoutSavePageMetadata = defineTool({
  name: 'federalscout_save_page_metadata',
  title: 'Save the recorded form page and its fields',
  description:
    'Save, store, keep, remember, record or add this page of the form (wizard) with its fields during discovery, when it is done, before moving on to the next page. Saving the same page number again replaces it.',
  effect: 'write',
  idempotent: true,
  scope: 'wizards:write',
  local: 'browsing',
  input: z.object({
    session_id: sessionIdSchema,
    page_metadata: z
      .looseObject({})
      .describe(
        'Page as federalscout_get_page_info proposes it; what is left out is taken from there: {page_number, page_title, url_pattern, fields: [{label, field_id, selector, field_type, interaction, required, example_value, notes}], continue_button: {text, selector}}',
      ),
  }),
  output: z.object({
    ...responseEnvelope,
    success: z.literal(true),
    total_pages_discovered: z.number().int(),
    message: untrusted(z.string()),
    warnings: untrusted(z.array(z.string())),
    partial_file: z.string(),
  }),
  async run({ session_id, page_metadata }, context) {
    const { savePage } = await import('../discovery/save/save-page.ts');
    const { sessions, owner, wizards } = discoveryContext(context);
    return sessions.use(session_id, owner, async (session) => {
      const { page, replaced, warnings, partialFile, added } = await savePage(session, page_metadata, wizards);
      const outcome = replaced ? 'was saved and replaces the earlier version' : 'was saved';
      const unseen =
        added.length > 0
          ? ` ${added.length} of them are from the proposal, because no reply has shown them: ${quote(added.join(', '), 200)}.`
          : '';
      const message = `Page ${page.page_number} with ${page.fields.length} fields ${outcome}.${unseen} Continue to the next page, or complete the discovery on the results page.`;
      const total = session.pages.size;
      return successResponse({
        success: true as const,
        total_pages_discovered: total,
        message,
        warnings,
        partial_file: partialFile,
      });
    });
  },
});
