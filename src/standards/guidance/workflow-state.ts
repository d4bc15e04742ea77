import { Failure } from '../../platform/errors.ts';
import { type EvaluationOptions, evaluateProject, type ProjectEvaluation } from '../evaluation/evaluate.ts';
import { pluralize } from '../pluralize.ts';
import type { GovernedProject } from '../spec/project.ts';
import { defaultSpecFile } from '../spec/working-spec.ts';
import type { StepNeed } from './workflows.ts';

/** Whether a need is met; undefined without evidence. */
interface NeedState {
  met: boolean | undefined;
  observation: string;
}

export type WorkflowState = Record<StepNeed, NeedState>;

/** Reads which needs the files and git show as met. */
export async function readWorkflowState(project: GovernedProject, options: EvaluationOptions): Promise<WorkflowState> {
  try {
    return stateFromEvaluation(await evaluateProject(project, defaultSpecFile, options));
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'ENOENT') throw error;
    const observation = 'there is no working spec yet';
    const unknown = { met: undefined, observation };
    return {
      spec: { met: false, observation },
      criteria: { met: false, observation },
      red: unknown,
      green: unknown,
      change: unknown,
      passed: { met: false, observation },
    };
  }
}

function stateFromEvaluation({ evaluation, measured }: ProjectEvaluation): WorkflowState {
  if (!measured) {
    const observation = evaluation.message;
    const unknown = { met: undefined, observation };
    return {
      spec: { met: false, observation },
      criteria: unknown,
      red: unknown,
      green: unknown,
      change: unknown,
      passed: { met: false, observation },
    };
  }
  const { spec, evidence } = measured;
  const failed = evidence.tests.cases?.filter(({ status }) => status === 'failed');
  const green = failed === undefined ? undefined : failed.length === 0 && (evidence.tests.cases?.length ?? 0) > 0;
  const tests =
    failed === undefined
      ? evidence.tests.reason
      : `the last report has ${pluralize(failed.length, 'failing test')} of ${evidence.tests.cases?.length ?? 0}`;
  const untested = evidence.acceptance?.filter(({ status }) => status === 'untested').map(({ id }) => id) ?? [];
  const blocking = evaluation.criteria.filter((criterion) => criterion.blocking).map(({ id }) => id);
  return {
    spec: { met: true, observation: `${spec.id} is valid` },
    criteria: {
      met: spec.acceptance.length > 0,
      observation: `${spec.id} has ${pluralize(spec.acceptance.length, 'acceptance criterion', 'acceptance criteria')}${untested.length > 0 ? `; no test names ${untested.join(', ')}` : ''}`,
    },
    red: { met: failed && failed.length > 0, observation: tests },
    green: { met: green, observation: tests },
    change:
      'reason' in evidence.changes
        ? { met: undefined, observation: evidence.changes.reason }
        : {
            met: evidence.changes.files.length > 0,
            observation: `${pluralize(evidence.changes.files.length, 'file')} changed since ${evidence.changes.base}`,
          },
    passed: {
      met: evaluation.overall_status === 'quality_passed',
      observation: blocking.length === 0 ? 'no gate blocks' : `gates that block: ${blocking.join(', ')}`,
    },
  };
}
