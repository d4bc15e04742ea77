import { Failure } from '../../platform/errors.ts';
import type { Project } from '../spec/project.ts';
import { loadWorkingSpec, type WorkingSpec } from '../spec/working-spec.ts';
import type { Analysis } from './analysis.ts';
import { analyzePatterns } from './analyze-patterns.ts';
import { assessBudget } from './assess-budget.ts';
import { findSimilar } from './find-similar.ts';

type Subcommand = 'assess-budget' | 'analyze-patterns' | 'find-similar';

export async function runAnalysis(
  subcommand: Subcommand,
  project: Project,
  specFile: string,
  signal: AbortSignal,
): Promise<Analysis> {
  if (!project.repository) {
    const said = 'there is no git repository here, so no history';
    return { status: 'insufficient_data', lines: [`insufficient_data: ${said}`], data: {} };
  }
  if (subcommand === 'analyze-patterns') return analyzePatterns(project, signal);
  const spec = await validSpec(project.root, specFile);
  return subcommand === 'assess-budget' ? assessBudget(project, spec) : findSimilar(project, spec);
}

async function validSpec(root: string, specFile: string): Promise<WorkingSpec> {
  const { spec, file } = await loadWorkingSpec(root, specFile);
  if (spec) return spec;
  throw new Failure('bad_input', 'EINVAL', `The working spec ${file} is not valid; caws_validate names what is wrong`);
}
