import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { evaluateProject } from '../evaluation/evaluate.ts';
import { openProject } from '../spec/project.ts';
import { asCommand } from './command.ts';
import { criterion, problem, specSummary } from './evaluation-result.ts';
import { specFile } from './spec-file.ts';
import { workingDirectory } from './working-directory.ts';

export const cawsEvaluate = defineTool({
  name: 'caws_evaluate',
  title: 'Evaluate a change',
  description:
    'Evaluate the change at hand against its working spec: budget, scope, tests, acceptance criteria, coverage, mutation, contracts, secrets, waivers. Each criterion with actual, threshold and evidence; reads reports, runs no tests.',
  effect: 'read',
  scope: 'standards:read',
  local: 'files',
  input: z.object({ specFile, workingDirectory }),
  output: z.object({
    success: z.boolean(),
    evaluation: z.object({
      overall_status: z.enum(['quality_passed', 'quality_failed', 'spec_invalid']),
      quality_score: z.number().describe('Weighted mean of the scores; unknown counts 0, waived is left out'),
      message: z.string(),
      criteria: z.array(criterion),
      next_actions: z.array(z.string()).describe('Most urgent first'),
      spec: specSummary.optional(),
      problems: z.array(problem).describe('Of spec, policy and waivers'),
    }),
  }),
  run: (args, context) =>
    asCommand('caws evaluate', context, async (within) => {
      const project = await openProject(args.workingDirectory, within);
      const when = { nowMs: Date.now(), signal: within.signal };
      const { evaluation } = await evaluateProject(project, args.specFile, when);
      return { success: true, evaluation };
    }),
});
