import * as z from 'zod';
import { untrusted } from '../../platform/text/untrusted-schema.ts';
import { defineTool } from '../../tool/tool.ts';
import { guideWorkflow } from '../guidance/workflow-guidance.ts';
import { readWorkflowState } from '../guidance/workflow-state.ts';
import { workflowTypes } from '../guidance/workflows.ts';
import { openProject } from '../spec/project.ts';
import { evaluationOptions } from './evaluation-options.ts';
import { runCommand } from './run-command.ts';

const folderSchema = z.object({ workingDirectory: z.string().min(1).optional().catch(undefined) });

export const cawsWorkflowGuidance = defineTool({
  name: 'caws_workflow_guidance',
  title: 'Guide for TDD, refactoring or a feature',
  description:
    'Guide, help, teach or walk through a workflow step by step: test-driven development (TDD, red-green-refactor), safe refactoring, or implementing a feature. Explains the current step and the one that comes after it.',
  effect: 'read',
  scope: 'standards:read',
  local: 'files',
  input: z.object({
    workflowType: z.enum(workflowTypes).describe('Workflow to follow'),
    currentStep: z.number().describe('Number of the current step, starting at 1'),
    context: z
      .looseObject({})
      .optional()
      .describe(
        'Object with complexity (low, medium, high), project_tier (1 to 3), criterion (e.g. "A1"), workingDirectory',
      ),
  }),
  output: z.object({
    workflow_type: z.enum(workflowTypes),
    current_step: z.number(),
    total_steps: z.number(),
    step_description: z.string(),
    guidance: untrusted(z.string(), { max: 4_000 }),
    next_step: z.number().nullable(),
    next_step_description: z.string().nullable(),
    all_steps: z.array(z.string()),
    caws_recommendations: untrusted(z.array(z.string()), { max: 2_000 }),
    ready: z.enum(['yes', 'no', 'unknown']).describe('Whether the evidence in the project allows the next step'),
    observations: untrusted(z.array(z.string()), { max: 2_000 }),
  }),
  run: ({ workflowType, currentStep, context: given = {} }, context) =>
    runCommand('caws workflow-guidance', context, async (within) => {
      const first = guideWorkflow(workflowType, currentStep, given, undefined);
      if (first.current_step === 1 && workflowType !== 'refactor') return { ...first, ready: 'yes' as const };
      const project = await openProject(folderSchema.parse(given).workingDirectory, within);
      return guideWorkflow(
        workflowType,
        currentStep,
        given,
        await readWorkflowState(project, evaluationOptions(within)),
      );
    }),
});
