import * as z from 'zod';
import { Failure } from '../../platform/errors.ts';
import { defaultPolicy } from '../spec/policy.ts';
import type { WorkflowState } from './workflow-state.ts';
import { type StepNeed, type WorkflowType, workflows } from './workflows.ts';

export interface WorkflowGuidance {
  workflow_type: WorkflowType;
  current_step: number;
  total_steps: number;
  step_description: string;
  guidance: string;
  next_step: number | null;
  next_step_description: string | null;
  all_steps: string[];
  caws_recommendations: string[];
  /** Whether the evidence meets the preconditions of the step. */
  ready: 'yes' | 'no' | 'unknown';
  observations: string[];
}

/** The context that a caller may give; other keys are ignored. */
const contextSchema = z.object({
  complexity: z.enum(['low', 'medium', 'high']).optional().catch(undefined),
  project_tier: z.coerce
    .number()
    .pipe(z.union([z.literal(1), z.literal(2), z.literal(3)]))
    .optional()
    .catch(undefined),
  criterion: z
    .string()
    .regex(/^A\d+$/)
    .optional()
    .catch(undefined),
});

const needRemedies: Record<StepNeed, string> = {
  spec: 'First: create a valid working spec (caws_init, caws_validate)',
  criteria: 'First: add acceptance criteria to the spec',
  red: 'First: write the failing test and run it with a report, so that the failure is on record',
  green: 'First: run all tests with a report, and make them pass',
  change: 'First: make a change; there is none yet',
  passed: 'First: run caws_evaluate and fix what blocks',
};

export function guideWorkflow(
  workflow: WorkflowType,
  currentStep: number,
  context: Record<string, unknown>,
  state: WorkflowState | undefined,
): WorkflowGuidance {
  const steps = workflows[workflow];
  const step = steps[currentStep - 1];
  if (!step)
    throw new Failure(
      'bad_input',
      'EINVAL',
      `currentStep ${currentStep} is not a step of ${workflow}: give a whole number from 1 to ${steps.length}`,
    );
  const next = steps[currentStep];
  const knownContext = contextSchema.parse(context);
  const findings = step.needs.flatMap((need) => (state ? [{ need, ...state[need] }] : []));
  const unmet = findings.filter(({ met }) => met === false);
  const unknown = findings.filter(({ met }) => met === undefined);
  return {
    workflow_type: workflow,
    current_step: currentStep,
    total_steps: steps.length,
    step_description: step.name,
    guidance: [step.guidance, ...contextGuidance(knownContext)].join(' '),
    next_step: next ? currentStep + 1 : null,
    next_step_description: next?.name ?? null,
    all_steps: steps.map(({ name }) => name),
    caws_recommendations: [...unmet, ...unknown]
      .map(({ need }) => needRemedies[need])
      .concat(step.recommendations, tierRequirements(knownContext)),
    ready: unmet.length > 0 ? 'no' : unknown.length > 0 || !state ? 'unknown' : 'yes',
    observations: findings
      .map(({ observation }) => observation)
      .filter((text, index, all) => all.indexOf(text) === index),
  };
}

type KnownContext = z.output<typeof contextSchema>;

function contextGuidance({ complexity, criterion }: KnownContext): string[] {
  return [
    ...(criterion ? [`Keep to criterion ${criterion}; leave the others for later.`] : []),
    ...(complexity === 'high'
      ? [
          'The work is complex: split this step into parts that can be committed separately, and check the gates after each.',
        ]
      : []),
    ...(complexity === 'low' ? ['The work is simple: one commit should do.'] : []),
  ];
}

function tierRequirements({ project_tier: tier }: KnownContext): string[] {
  if (tier === undefined) return [];
  const { coverage_threshold, mutation_threshold, contracts_required, max_files, max_loc } = defaultPolicy.tiers[tier];
  const contracts = contracts_required ? ', with contracts' : '';
  return [
    `Tier ${tier}: ${coverage_threshold} % coverage, ${mutation_threshold} % mutation score, at most ${max_files} files and ${max_loc} lines${contracts}`,
  ];
}
