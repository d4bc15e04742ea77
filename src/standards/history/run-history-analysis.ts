import { Failure } from '../../platform/errors.ts';
import type { GovernedProject } from '../spec/project.ts';
import { loadWorkingSpec, type WorkingSpec } from '../spec/working-spec.ts';
import { analyzePatterns } from './analyze-patterns.ts';
import { assessBudget } from './assess-budget.ts';
import { findSimilarChanges } from './find-similar-changes.ts';
import type { HistoryAnalysis } from './history-analysis.ts';

type AnalysisSubcommand = 'assess-budget' | 'analyze-patterns' | 'find-similar';

export async function runHistoryAnalysis(
  subcommand: AnalysisSubcommand,
  project: GovernedProject,
  specFile: string,
  signal: AbortSignal,
): Promise<HistoryAnalysis> {
  if (!project.repository) {
    const reason = 'not a git repository, so there is no history';
    return { status: 'insufficient_data', lines: [`insufficient_data: ${reason}`], data: {} };
  }
  if (subcommand === 'analyze-patterns') return analyzePatterns(project, signal);
  const spec = await loadValidSpec(project.root, specFile);
  return subcommand === 'assess-budget' ? assessBudget(project, spec) : findSimilarChanges(project, spec);
}

async function loadValidSpec(root: string, specFile: string): Promise<WorkingSpec> {
  const { spec, file } = await loadWorkingSpec(root, specFile);
  if (spec) return spec;
  throw new Failure(
    'bad_input',
    'EINVAL',
    `The working spec ${file} is not valid; run caws_validate to see its problems`,
  );
}
