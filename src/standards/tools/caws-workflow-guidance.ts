import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { guide } from '../guidance/guide.ts';
import { standingOf } from '../guidance/standing.ts';
import { workflowTypes } from '../guidance/workflows.ts';
import { openProject } from '../spec/project.ts';
import { asCommand } from './command.ts';

const place = z.object({ workingDirectory: z.string().min(1).optional().catch(undefined) });

export const cawsWorkflowGuidance = defineTool({
  name: 'caws_workflow_guidance',
  title: 'Guidance for a step of a workflow',
  description: 'Guidance for a step of a workflow: what to do, what is next, and whether the evidence lets it begin.',
  effect: 'read',
  scope: 'standards:read',
  local: 'files',
  input: z.object({
    workflowType: z.enum(workflowTypes).describe('Workflow'),
    currentStep: z.number().describe('From 1'),
    context: z.looseObject({}).optional().describe('complexity, project_tier, criterion, workingDirectory'),
  }),
  output: z.object({
    workflow_type: z.enum(workflowTypes),
    current_step: z.number(),
    total_steps: z.number(),
    step_description: z.string(),
    guidance: z.string(),
    next_step: z.number().nullable(),
    next_step_description: z.string().nullable(),
    all_steps: z.array(z.string()),
    caws_recommendations: z.array(z.string()),
    ready: z.enum(['yes', 'no', 'unknown']).describe('By the evidence in the project'),
    observations: z.array(z.string()),
  }),
  run: ({ workflowType, currentStep, context: told = {} }, context) =>
    asCommand('caws workflow-guidance', context, async (within) => {
      const first = guide(workflowType, currentStep, told, undefined);
      if (first.current_step === 1 && workflowType !== 'refactor') return { ...first, ready: 'yes' as const };
      const project = await openProject(place.parse(told).workingDirectory, within);
      return guide(workflowType, currentStep, told, await standingOf(project, within.signal));
    }),
});
