import * as z from 'zod';
import { untrusted } from '../../platform/text/untrusted-schema.ts';
import { defineTool } from '../../tool/tool.ts';
import { evaluateProject } from '../evaluation/evaluate.ts';
import { planIteration } from '../evaluation/iteration.ts';
import { openProject } from '../spec/project.ts';
import { evaluationOptions } from './evaluation-options.ts';
import { runCommand } from './run-command.ts';
import { specFile } from './spec-file.ts';
import { workingDirectory } from './working-directory.ts';

export const cawsIterate = defineTool({
  name: 'caws_iterate',
  title: 'Next steps to finish a change',
  description:
    'What to do or work on next, when stuck: suggests the next development steps, what is left, remains or is still missing to finish a change, feature or task. Failing gates to tackle first, what they need to pass; checks claims that work is done.',
  effect: 'read',
  scope: 'standards:read',
  local: 'files',
  input: z.object({
    specFile,
    currentState: z
      .string()
      .max(20_000)
      .optional()
      .describe('What you believe is done, in prose, e.g. "A1 is implemented and tested"'),
    workingDirectory,
  }),
  output: z.object({
    success: z.boolean(),
    iteration: z.object({
      guidance: untrusted(z.string(), { max: 4_000 }),
      next_steps: untrusted(z.array(z.string()), { max: 2_000 }),
      confidence: z.number().describe('Share of the criteria that the evidence shows as met, by weight, 0 to 1'),
      focus_areas: untrusted(z.array(z.string()), { max: 2_000 }),
      claims: z.array(
        z.object({
          claim: untrusted(z.string(), { max: 2_000 }),
          verdict: z.enum(['confirmed', 'contradicted', 'unproven']),
          evidence: untrusted(z.string(), { max: 2_000 }),
        }),
      ),
      unknown: untrusted(z.array(z.string()), { max: 2_000 }).describe('Ids of the criteria without evidence'),
    }),
  }),
  run: (args, context) =>
    runCommand('caws iterate', context, async (within) => {
      const project = await openProject(args.workingDirectory, within);
      const { evaluation } = await evaluateProject(project, args.specFile, evaluationOptions(within));
      return { success: true, iteration: planIteration(evaluation, args.currentState) };
    }),
});
