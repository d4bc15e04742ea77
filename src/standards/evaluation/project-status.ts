import { Failure } from '../../platform/errors.ts';
import { type HooksReport, readHooksStatus } from '../hooks/installed-hooks.ts';
import { pluralize } from '../pluralize.ts';
import type { GovernedProject } from '../spec/project.ts';
import { quoteIfUnsafe } from '../spec/project-file.ts';
import type { LoadedWaiver } from '../spec/waivers.ts';
import type { Criterion } from './criterion.ts';
import { type EvaluationOptions, evaluateProject, type ProjectEvaluation } from './evaluate.ts';
import { budgetWithWaivers, countChange } from './gates.ts';

type Health = 'GOOD' | 'FAIR' | 'POOR';

export interface StatusReport {
  health: Health;
  /** What keeps the health from being better. */
  reasons: string[];
  lines: string[];
  projectEvaluation: ProjectEvaluation | undefined;
  hooks: { active: number; of: number } | undefined;
}

const DAY_MS = 86_400_000;

/**
 * Reports the health of a project. POOR: a gate blocks, or there is no valid spec. FAIR: a gate failed without blocking, is
 * waived or unknown, or a hook does not run. GOOD: evidence shows that all applicable gates are met.
 */
export async function reportStatus(
  project: GovernedProject,
  specFile: string,
  { program, ...when }: EvaluationOptions & { program: readonly string[] },
): Promise<StatusReport> {
  const [projectEvaluation, hooks] = await Promise.all([
    tryEvaluate(project, specFile, when),
    tryReadHooks(project, program),
  ]);
  const gitLines = formatGitLines(project, projectEvaluation);
  const hookLine = hooks ? [`Hooks: ${hooks.active} of ${hooks.hooks.length} active`] : [];
  const counted = hooks && { active: hooks.active, of: hooks.hooks.length };
  if (!projectEvaluation) {
    const reason = `no working spec at ${quoteIfUnsafe(specFile)}: create one with caws_init`;
    return {
      health: 'POOR',
      reasons: [reason],
      lines: [`Spec: ${reason}`, ...gitLines, ...hookLine],
      projectEvaluation,
      hooks: counted,
    };
  }
  const { evaluation, governance } = projectEvaluation;
  const reasons = [
    ...evaluation.criteria.filter(({ status }) => status !== 'passed' && status !== 'not_applicable').map(formatReason),
    ...(hooks && hooks.active > 0 && hooks.active < hooks.hooks.length
      ? [`only ${hooks.active} of ${hooks.hooks.length} hooks run`]
      : []),
  ];
  const health = evaluation.overall_status !== 'quality_passed' ? 'POOR' : reasons.length > 0 ? 'FAIR' : 'GOOD';
  const lines = [
    ...formatSpecLines(projectEvaluation),
    ...gitLines,
    `Quality: ${evaluation.quality_score} (${evaluation.message})`,
    ...evaluation.criteria.map(formatCriterion),
    ...formatWaiverLines(governance.waivers, when.nowMs),
    ...hookLine,
    ...evaluation.next_actions.slice(0, 3).map((action, index) => `${index === 0 ? 'Next' : '    '}: ${action}`),
  ];
  return { health, reasons, lines, projectEvaluation, hooks: counted };
}

async function tryEvaluate(
  project: GovernedProject,
  specFile: string,
  when: EvaluationOptions,
): Promise<ProjectEvaluation | undefined> {
  try {
    return await evaluateProject(project, specFile, when);
  } catch (error) {
    // Only a missing spec file causes ENOENT here.
    if (error instanceof Failure && error.code === 'ENOENT' && error.kind === 'not_found') return undefined;
    throw error;
  }
}

async function tryReadHooks(project: GovernedProject, program: readonly string[]): Promise<HooksReport | undefined> {
  if (!project.repository) return undefined;
  try {
    return await readHooksStatus(project, program);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

function formatReason({ name, status, feedback }: Criterion): string {
  return `${name} ${status}: ${feedback}`;
}

function formatSpecLines({ evaluation: { spec, problems } }: ProjectEvaluation): string[] {
  if (!spec)
    return [
      `Spec: invalid, ${pluralize(problems.filter(({ severity }) => severity === 'error').length, 'error')}: see caws_validate`,
    ];
  return [`Spec: ${spec.id} (tier ${spec.tier}, ${spec.mode}): ${quoteIfUnsafe(spec.title)}`];
}

function formatGitLines({ repository }: GovernedProject, projectEvaluation: ProjectEvaluation | undefined): string[] {
  if (!repository) return ['Git: not a repository'];
  const { branch, head, shallow } = repository;
  const where = `${branch ?? 'detached head'} at ${head?.slice(0, 10) ?? 'no commit yet'}${shallow ? ', shallow clone' : ''}`;
  const changes = projectEvaluation?.measured?.evidence.changes;
  if (!changes || !projectEvaluation?.measured) return [`Git: ${where}`];
  if ('reason' in changes) return [`Git: ${where}; ${changes.reason}`];
  const { files, added, removed, base } = changes;
  const untracked = files.filter(({ kind }) => kind === 'untracked').length;
  const counted = countChange(changes);
  const budget = budgetWithWaivers(projectEvaluation.governance, projectEvaluation.measured.spec);
  return [
    `Git: ${where}; ${pluralize(files.length, 'file')} changed since ${base} (+${added} -${removed}), ${untracked} of them untracked`,
    `Budget: ${counted.files.length} of ${budget.files} files, ${counted.lines} of ${budget.lines} lines`,
  ];
}

const statusMarks: Record<Criterion['status'], string> = {
  passed: '✅',
  failed: '❌',
  unknown: '❔',
  waived: '⏳',
  not_applicable: '➖',
};

function formatCriterion(criterion: Criterion): string {
  const { status, name, feedback, waiver, evidence } = criterion;
  const numbers = formatNumbers(criterion);
  const age = evidence[0] ? ` [${quoteIfUnsafe(evidence[0].path)}, ${formatAge(evidence[0].age_seconds)} old]` : '';
  return `${statusMarks[status]} ${name}: ${numbers === '' ? '' : `${numbers}; `}${feedback}${waiver ? ` (waived by ${waiver.id} until ${waiver.expires_at})` : ''}${age}`;
}

/** Empty if the threshold is 0 or unknown: the feedback already has the number. */
function formatNumbers({ id, actual, threshold, unit }: Criterion): string {
  if (actual === null || !threshold) return '';
  if (!unit.startsWith('%')) return `${actual} of ${threshold} ${unit}`;
  return id === 'budget_limit' ? `${actual} ${unit}` : `${actual} ${unit}, ${threshold} % needed`;
}

function formatAge(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`;
}

function formatWaiverLines(waivers: readonly LoadedWaiver[], nowMs: number): string[] {
  return waivers
    .filter(({ state }) => state === 'active')
    .map(({ waiver }) => {
      const days = Math.floor((Date.parse(waiver.expires_at) - nowMs) / DAY_MS);
      return `Waiver ${waiver.id}: ${waiver.gates.map(quoteIfUnsafe).join(', ')} for ${pluralize(days, 'more day')} (${quoteIfUnsafe(waiver.approved_by)})`;
    });
}
