import * as z from 'zod';
import { untrusted } from '../../platform/text/untrusted-schema.ts';
import { defineTool } from '../../tool/tool.ts';
import { evaluateProject } from '../evaluation/evaluate.ts';
import type { Weakening } from '../integrity/weakening.ts';
import { openProject } from '../spec/project.ts';
import { evaluationOptions } from './evaluation-options.ts';
import { criterionSchema, problemSchema, specSummarySchema, weakeningSchema } from './evaluation-schemas.ts';
import { runCommand } from './run-command.ts';
import { specFile } from './spec-file.ts';
import { workingDirectory } from './working-directory.ts';

export const cawsEvaluate = defineTool({
  name: 'caws_evaluate',
  title: 'Evaluate a change: quality gates, ready to merge?',
  description:
    'Is the change (feature, pull request, work) done or finished, ready to merge or ship? Evaluate, grade or check that it satisfies (meets) working spec, acceptance criteria and definition of done. Quality gates passed or failed: tests, coverage, mutation, budget, scope, contracts, leaked secrets; weakened rules or tests; runs no tests itself.',
  effect: 'read',
  scope: 'standards:read',
  local: 'files',
  longReply: { offset: true, detail: true },
  input: z.object({ specFile, workingDirectory }),
  output: z.object({
    success: z.boolean(),
    evaluation: z.object({
      overall_status: z.enum(['quality_passed', 'quality_failed', 'spec_invalid']),
      quality_score: z
        .number()
        .describe('Weighted mean of the scores of the criteria, 0 to 1; unknown counts as 0, waived is left out'),
      message: untrusted(z.string(), { max: 4_000 }),
      criteria: z.array(criterionSchema),
      next_actions: untrusted(z.array(z.string()), { max: 2_000 }).describe('What to do next, most urgent first'),
      spec: specSummarySchema.optional(),
      problems: z.array(problemSchema).describe('Problems in the spec, the policy and the waivers'),
      weakenings: z
        .array(weakeningSchema)
        .describe('Rules, tests and thresholds that the change itself makes laxer, compared with its base commit'),
    }),
  }),
  run: (args, context) =>
    runCommand('caws evaluate', context, async (within) => {
      const project = await openProject(args.workingDirectory, within);
      const { evaluation } = await evaluateProject(project, args.specFile, evaluationOptions(within));
      return { success: true, evaluation: { ...evaluation, weakenings: evaluation.weakenings.map(presentWeakening) } };
    }),
});

function presentWeakening({ line, approvedBy, ...rest }: Weakening) {
  return { ...rest, ...(line !== undefined && { line }), ...(approvedBy !== undefined && { approved_by: approvedBy }) };
}
