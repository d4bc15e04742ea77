import * as z from 'zod';
import { untrusted } from '../../platform/text/untrusted-schema.ts';
import { defineTool } from '../../tool/tool.ts';
import { discoveryContext, pageViewShape, selectorTypeSchema, sessionIdSchema } from './discovery-context.ts';
import { responseEnvelope, successResponse } from './tool-schemas.ts';

export const federalscoutExecuteActions = defineTool({
  name: 'federalscout_execute_actions',
  title: 'Fill in the form page being recorded',
  description:
    'Type, enter, fill, put or set example values (sample or test data) in the fields on the form page during discovery. Also choose, select or pick an option, tick a checkbox or radio button, press keys, upload files, in one batch.',
  effect: 'write',
  openWorld: true,
  scope: 'wizards:write',
  local: 'browsing',
  longReply: { rest: 'federalscout_get_page_info lists the rest of the page.' },
  input: z.object({
    session_id: sessionIdSchema,
    actions: z
      .array(
        z.strictObject({
          action: z
            .enum(['fill', 'select', 'check', 'uncheck', 'press', 'click', 'upload'])
            .describe('What to do with the element'),
          selector: z.string().min(1).max(2000).describe('Element: CSS selector, label or visible text'),
          value: z
            .string()
            .max(100_000)
            .optional()
            .describe('Text, option, ISO date, key or file path; several options one per line'),
          selector_type: selectorTypeSchema,
        }),
      )
      .min(1)
      .max(200)
      .describe('Actions, carried out in this order'),
  }),
  output: z.object({
    ...responseEnvelope,
    status: z.enum(['success', 'partial']).describe('success, or partial if at least one action failed'),
    success: z.boolean(),
    completed_count: z.number().int(),
    total_actions: z.number().int(),
    failed_actions: z.array(
      z.object({
        index: z.number().int().describe('Position of the failed action in the list of actions, from 1'),
        action: untrusted(z.string(), { max: 300 }),
        error: untrusted(z.string(), { max: 2_000 }),
        suggestion: untrusted(z.string()).optional(),
      }),
    ),
    errors: z
      .array(z.object({ message: untrusted(z.string()), field: untrusted(z.string(), { max: 300 }) }))
      .describe('Error messages of the page, with the field that each belongs to'),
    ...pageViewShape,
  }),
  async run({ session_id, actions }, context) {
    const { runActionsForResponse } = await import('../discovery/act/actions-response.ts');
    const discovery = discoveryContext(context);
    return discovery.sessions.use(session_id, discovery.owner, async (session) => {
      const answer = await runActionsForResponse(session, actions, discovery);
      return { ...successResponse(answer), status: answer.success ? ('success' as const) : ('partial' as const) };
    });
  },
});
