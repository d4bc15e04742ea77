import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { edits } from './edits.ts';
import { executionRoom, wizardsOf } from './execution-room.ts';
import { envelope, wizardId } from './wizard-argument.ts';

export const federalrunnerExecuteWizard = defineTool({
  name: 'federalrunner_execute_wizard',
  title: 'Execute a form wizard',
  description:
    'Execute a form wizard with user-provided data in a real browser and return its results, such as an aid estimate. Missing or invalid data is told at once.',
  effect: 'write',
  openWorld: true,
  scope: 'federalrunner:execute',
  perHour: 20,
  input: z.object({
    wizard_id: wizardId,
    user_data: z.looseObject({}).describe('By field id, e.g. {"birth_year": "2007", "state": "Illinois"}'),
    options: z
      .strictObject({
        return_screenshots: z.boolean().default(true).describe('Include screenshots in response'),
        screenshot_quality: z.number().int().min(1).max(100).default(80).describe('JPEG quality'),
        timeout_seconds: z.number().int().min(1).max(600).default(60).describe('Maximum execution time'),
      })
      .optional()
      .describe('How to execute it'),
  }),
  output: z.object({
    ...envelope,
    wizard_id: z.string(),
    execution_time_ms: z.number().int(),
    results: z.record(z.string(), z.string()),
    screenshots: z.array(
      z.object({
        page: z.union([z.number().int(), z.literal('results')]),
        title: z.string(),
        image: z.string().describe('Base64 JPEG'),
      }),
    ),
    pages_completed: z.number().int(),
    healed: z
      .array(
        z.object({
          field_id: z.string(),
          page: z.number().int(),
          from: z.string(),
          to: z.string(),
          rung: z.number().int(),
          proposal: z.string(),
          edit: edits,
        }),
      )
      .describe('What was found by another way than the first: an edit to the wizard file is proposed'),
    warnings: z.array(z.string()),
    run_id: z.string().describe('Of the record of this run'),
  }),
  async run({ wizard_id, user_data, options }, context) {
    const { executeWizard } = await import('../execution/execute.ts');
    const stored = await wizardsOf(context).read(wizard_id);
    const chosen = { return_screenshots: true, screenshot_quality: 80, timeout_seconds: 60, ...options };
    return executeWizard(executionRoom(context), stored, user_data, chosen);
  },
  text: ({ screenshots, ...rest }) =>
    JSON.stringify({ ...rest, screenshots: screenshots.map(({ page, title }) => ({ page, title })) }),
});
