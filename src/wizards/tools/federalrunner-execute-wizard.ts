import * as z from 'zod';
import { untrusted, untrustedName } from '../../platform/text/untrusted-schema.ts';
import { pictureSchema } from '../../tool/picture.ts';
import { defineTool } from '../../tool/tool.ts';
import { executionContext } from './execution-context.ts';
import { jsonPatchSchema } from './json-patch-schema.ts';
import { ownerWizards } from './owner-wizards.ts';
import { responseEnvelope, wizardIdSchema } from './tool-schemas.ts';

export const federalrunnerExecuteWizard = defineTool({
  name: 'federalrunner_execute_wizard',
  title: 'Fill in and submit a form',
  description:
    'Fill in, fill out, complete or submit an online form or application (e.g. for a loan or student aid) for me or on behalf of a user. Runs or executes a wizard with personal data, details or answers on a (government) site in a real browser and returns the result, e.g. of an estimator.',
  effect: 'write',
  openWorld: true,
  scope: 'federalrunner:execute',
  perHour: 20,
  input: z.object({
    wizard_id: wizardIdSchema,
    user_data: z.looseObject({}).describe('Answers by field id, e.g. {"birth_year": "2007", "state": "Illinois"}'),
    options: z
      .strictObject({
        return_screenshots: z.boolean().default(true).describe('Return a screenshot of each page'),
        screenshot_quality: z.number().int().min(1).max(100).default(80).describe('JPEG quality in percent'),
        timeout_seconds: z.number().int().min(1).max(600).default(60).describe('Time limit in seconds'),
      })
      .optional()
      .describe('Options of the run: screenshots and time limit'),
  }),
  output: z.object({
    ...responseEnvelope,
    wizard_id: z.string(),
    execution_time_ms: z.number().int(),
    results: untrusted(z.record(z.string(), z.string()), { max: 2_000 }),
    screenshots: z.array(
      z.object({
        page: z.union([z.number().int(), z.literal('results')]),
        title: untrusted(z.string(), { max: 300 }),
        image: pictureSchema,
      }),
    ),
    pages_completed: z.number().int(),
    healed: z
      .array(
        z.object({
          field_id: untrustedName(z.string()),
          page: z.number().int(),
          from: untrusted(z.string(), { max: 2_000 }),
          to: untrusted(z.string(), { max: 2_000 }),
          rung: z.number().int(),
          proposal: untrusted(z.string(), { max: 2_000 }),
          edit: jsonPatchSchema,
        }),
      )
      .describe('Fields and buttons that a fallback locator found, with a proposed edit of the wizard file'),
    warnings: untrusted(z.array(z.string())),
    run_id: z.string().describe('Id of the record of this run'),
  }),
  async run({ wizard_id, user_data, options }, context) {
    const { executeWizard } = await import('../execution/run/execute-wizard.ts');
    const stored = await ownerWizards(context).read(wizard_id);
    const chosen = { return_screenshots: true, screenshot_quality: 80, timeout_seconds: 60, ...options };
    return executeWizard(executionContext(context), stored, user_data, chosen);
  },
});
