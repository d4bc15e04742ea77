import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { discoveryRoom, selectorType, sessionId, view, withoutPicture } from './discovery-room.ts';
import { answered, envelope } from './wizard-argument.ts';

export const federalscoutExecuteActions = defineTool({
  name: 'federalscout_execute_actions',
  title: 'Fill in the page being discovered',
  description:
    'Do a batch of actions on the current page of a form discovery: fill, select, check, press, click, upload. One that fails is told by its number; the others still run.',
  effect: 'write',
  openWorld: true,
  scope: 'wizards:write',
  local: 'browsing',
  input: z.object({
    session_id: sessionId,
    actions: z
      .array(
        z.strictObject({
          action: z.enum(['fill', 'select', 'check', 'uncheck', 'press', 'click', 'upload']).describe('What to do'),
          selector: z.string().min(1).max(2000).describe('CSS selector, label or text'),
          value: z
            .string()
            .max(100_000)
            .optional()
            .describe('Text, option, ISO date, key or file path; several options one to a line'),
          selector_type: selectorType,
        }),
      )
      .min(1)
      .max(200)
      .describe('In this order'),
  }),
  output: z.object({
    ...envelope,
    status: z.enum(['success', 'partial']).describe('partial: some action failed'),
    success: z.boolean(),
    completed_count: z.number().int(),
    total_actions: z.number().int(),
    failed_actions: z.array(
      z.object({
        index: z.number().int().describe('From 1'),
        action: z.string(),
        error: z.string(),
        suggestion: z.string().optional(),
      }),
    ),
    errors: z.array(z.object({ message: z.string(), field: z.string() })).describe('What the page says is wrong'),
    ...view,
  }),
  async run({ session_id, actions }, context) {
    const { actionsAnswer } = await import('../discovery/actions-answer.ts');
    const room = discoveryRoom(context);
    return room.shelf.use(session_id, room.owner, async (session) => {
      const answer = await actionsAnswer(session, actions, room);
      return { ...answered(answer), status: answer.success ? ('success' as const) : ('partial' as const) };
    });
  },
  text: withoutPicture,
});
