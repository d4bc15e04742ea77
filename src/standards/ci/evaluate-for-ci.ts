import type { EvidenceKeys } from '../attestation/evidence-keys.ts';
import { type Evaluation, evaluateProject, listUnknownGates } from '../evaluation/evaluate.ts';
import { openProject } from '../spec/project.ts';
import { defaultSpecFile } from '../spec/working-spec.ts';
import { renderCiMarkdown } from './ci-markdown.ts';
import { renderCiSarif } from './ci-sarif.ts';

export interface CiEvaluation {
  /** An invalid spec counts as `failed`. */
  verdict: 'passed' | 'failed';
  /** The verdict as text, with the unknown gates. */
  verdictText: string;
  evaluation: Evaluation;
  markdown: string;
  sarif: string;
}

/** Evaluates a project and renders the result for a CI server. Throws a `Failure` if it cannot be evaluated at all. */
export async function evaluateForCi({
  cwd,
  workingDirectory,
  specFile = defaultSpecFile,
  signal = AbortSignal.timeout(30_000),
  keys,
}: {
  cwd: string;
  workingDirectory?: string | undefined;
  specFile?: string | undefined;
  signal?: AbortSignal | undefined;
  /** With which recorded test runs are verified. */
  keys?: EvidenceKeys | undefined;
}): Promise<CiEvaluation> {
  const project = await openProject(workingDirectory, { cwd, signal, checkPath: async () => {} });
  const { evaluation } = await evaluateProject(project, specFile, { nowMs: Date.now(), signal, keys });
  const verdict = evaluation.overall_status === 'quality_passed' ? 'passed' : 'failed';
  const unknown = listUnknownGates(evaluation.criteria);
  const unknownNote =
    unknown.length === 0
      ? ''
      : `${verdict === 'passed' ? ', as far as is known' : ''}; not known: ${unknown.join(', ')}`;
  return {
    verdict,
    verdictText: `${verdict}${unknownNote}`,
    evaluation,
    markdown: renderCiMarkdown(evaluation),
    sarif: renderCiSarif(evaluation),
  };
}
