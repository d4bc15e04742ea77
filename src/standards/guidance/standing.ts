import { Failure } from '../../platform/errors.ts';
import { evaluateProject, type Judgement } from '../evaluation/evaluate.ts';
import { howMany } from '../how-many.ts';
import type { Project } from '../spec/project.ts';
import { defaultSpecFile } from '../spec/working-spec.ts';
import type { Need } from './workflows.ts';

/** Whether a need is met; undefined where there is no evidence either way. */
interface Finding {
  met: boolean | undefined;
  said: string;
}

export type Standing = Record<Need, Finding>;

/** Where the work stands, as far as its files and git show. */
export async function standingOf(project: Project, signal: AbortSignal): Promise<Standing> {
  try {
    return findings(await evaluateProject(project, defaultSpecFile, { nowMs: Date.now(), signal }));
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'ENOENT') throw error;
    const said = 'there is no working spec yet';
    const unknown = { met: undefined, said };
    return {
      spec: { met: false, said },
      criteria: { met: false, said },
      red: unknown,
      green: unknown,
      change: unknown,
      passed: { met: false, said },
    };
  }
}

function findings({ evaluation, measured }: Judgement): Standing {
  if (!measured) {
    const said = evaluation.message;
    const unknown = { met: undefined, said };
    return {
      spec: { met: false, said },
      criteria: unknown,
      red: unknown,
      green: unknown,
      change: unknown,
      passed: { met: false, said },
    };
  }
  const { spec, facts } = measured;
  const failed = facts.tests.cases?.filter(({ status }) => status === 'failed');
  const green = failed === undefined ? undefined : failed.length === 0 && (facts.tests.cases?.length ?? 0) > 0;
  const tests =
    failed === undefined
      ? facts.tests.reason
      : `the last report has ${howMany(failed.length, 'failing test')} of ${facts.tests.cases?.length ?? 0}`;
  const untested = facts.acceptance?.filter(({ status }) => status === 'untested').map(({ id }) => id) ?? [];
  const blocking = evaluation.criteria.filter((criterion) => criterion.blocking).map(({ id }) => id);
  return {
    spec: { met: true, said: `${spec.id} is valid` },
    criteria: {
      met: spec.acceptance.length > 0,
      said: `${spec.id} has ${howMany(spec.acceptance.length, 'acceptance criterion', 'acceptance criteria')}${untested.length > 0 ? `; no test names ${untested.join(', ')}` : ''}`,
    },
    red: { met: failed && failed.length > 0, said: tests },
    green: { met: green, said: tests },
    change:
      'reason' in facts.changes
        ? { met: undefined, said: facts.changes.reason }
        : {
            met: facts.changes.files.length > 0,
            said: `${howMany(facts.changes.files.length, 'file')} changed since ${facts.changes.base}`,
          },
    passed: {
      met: evaluation.overall_status === 'quality_passed',
      said: blocking.length === 0 ? 'no gate blocks' : `gates that block: ${blocking.join(', ')}`,
    },
  };
}
