import { Failure } from '../../platform/errors.ts';
import { type EvaluationOptions, evaluateProject } from '../evaluation/evaluate.ts';
import type { GovernedProject } from '../spec/project.ts';
import { defaultSpecFile } from '../spec/working-spec.ts';
import type { GateFacts } from './chain-entry.ts';

/** Reads the current state of the gates with the digests of their evidence; null without a spec. */
export async function readGateFacts(project: GovernedProject, options: EvaluationOptions): Promise<GateFacts | null> {
  try {
    const { evaluation } = await evaluateProject(project, defaultSpecFile, options);
    const evidence = new Map(
      evaluation.criteria.flatMap((criterion) =>
        criterion.evidence.filter(({ sha256 }) => sha256 !== '').map(({ path, sha256 }) => [path, `sha256:${sha256}`]),
      ),
    );
    return {
      overall_status: evaluation.overall_status,
      quality_score: evaluation.quality_score,
      evidence: [...evidence].map(([path, digest]) => ({ path, digest })),
    };
  } catch (error) {
    if (error instanceof Failure && error.code === 'ENOENT') return null;
    throw error;
  }
}
