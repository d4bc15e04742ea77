import { Failure } from '../../platform/errors.ts';
import { type HooksReport, hooksStatus } from '../hooks/manage.ts';
import { howMany } from '../how-many.ts';
import type { Project } from '../spec/project.ts';
import { shown } from '../spec/project-file.ts';
import type { LoadedWaiver } from '../spec/waivers.ts';
import type { Criterion } from './criterion.ts';
import { evaluateProject, type Judgement, type When } from './evaluate.ts';
import { budgetOf, countedChange } from './gates.ts';

type Health = 'GOOD' | 'FAIR' | 'POOR';

export interface StatusReport {
  health: Health;
  /** Why it is not better. */
  reasons: string[];
  lines: string[];
  judgement: Judgement | undefined;
  hooks: { active: number; of: number } | undefined;
}

const DAY_MS = 86_400_000;

/**
 * The health of a project. POOR: something keeps the change from passing, or there is no valid spec. FAIR: something is
 * missed, waived or not known, or a hook does not run. GOOD: everything that applies is shown to be met.
 */
export async function statusOf(
  project: Project,
  specFile: string,
  { program, ...when }: When & { program: readonly string[] },
): Promise<StatusReport> {
  const [judgement, hooks] = await Promise.all([judged(project, specFile, when), hooksOf(project, program)]);
  const place = placeLines(project, judgement);
  const hookLine = hooks ? [`Hooks: ${hooks.active} of ${hooks.hooks.length} active`] : [];
  const counted = hooks && { active: hooks.active, of: hooks.hooks.length };
  if (!judgement) {
    const reason = `no working spec at ${shown(specFile)}: make one with caws_init`;
    return {
      health: 'POOR',
      reasons: [reason],
      lines: [`Spec: ${reason}`, ...place, ...hookLine],
      judgement,
      hooks: counted,
    };
  }
  const { evaluation, governance } = judgement;
  const reasons = [
    ...evaluation.criteria.filter(({ status }) => status !== 'passed' && status !== 'not_applicable').map(reasonOf),
    ...(hooks && hooks.active > 0 && hooks.active < hooks.hooks.length
      ? [`only ${hooks.active} of ${hooks.hooks.length} hooks run`]
      : []),
  ];
  const health = evaluation.overall_status !== 'quality_passed' ? 'POOR' : reasons.length > 0 ? 'FAIR' : 'GOOD';
  const lines = [
    ...specLines(judgement),
    ...place,
    `Quality: ${evaluation.quality_score} (${evaluation.message})`,
    ...evaluation.criteria.map(criterionLine),
    ...waiverLines(governance.waivers, when.nowMs),
    ...hookLine,
    ...evaluation.next_actions.slice(0, 3).map((action, index) => `${index === 0 ? 'Next' : '    '}: ${action}`),
  ];
  return { health, reasons, lines, judgement, hooks: counted };
}

async function judged(project: Project, specFile: string, when: When): Promise<Judgement | undefined> {
  try {
    return await evaluateProject(project, specFile, when);
  } catch (error) {
    // Only the spec itself is read by a name that may not be there.
    if (error instanceof Failure && error.code === 'ENOENT' && error.kind === 'not_found') return undefined;
    throw error;
  }
}

async function hooksOf(project: Project, program: readonly string[]): Promise<HooksReport | undefined> {
  if (!project.repository) return undefined;
  try {
    return await hooksStatus(project, program);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

function reasonOf({ name, status, feedback }: Criterion): string {
  return `${name} ${status}: ${feedback}`;
}

function specLines({ evaluation: { spec, problems } }: Judgement): string[] {
  if (!spec)
    return [
      `Spec: invalid, ${howMany(problems.filter(({ severity }) => severity === 'error').length, 'error')}: see caws_validate`,
    ];
  return [`Spec: ${spec.id} (tier ${spec.tier}, ${spec.mode}): ${shown(spec.title)}`];
}

function placeLines({ repository }: Project, judgement: Judgement | undefined): string[] {
  if (!repository) return ['Git: not a repository'];
  const { branch, head, shallow } = repository;
  const where = `${branch ?? 'detached head'} at ${head?.slice(0, 10) ?? 'no commit yet'}${shallow ? ', shallow clone' : ''}`;
  const changes = judgement?.measured?.facts.changes;
  if (!changes || !judgement?.measured) return [`Git: ${where}`];
  if ('reason' in changes) return [`Git: ${where}; ${changes.reason}`];
  const { files, added, removed, base } = changes;
  const untracked = files.filter(({ kind }) => kind === 'untracked').length;
  const counted = countedChange(changes);
  const budget = budgetOf(judgement.governance, judgement.measured.spec);
  return [
    `Git: ${where}; ${howMany(files.length, 'file')} changed since ${base} (+${added} -${removed}), ${untracked} of them untracked`,
    `Budget: ${counted.files.length} of ${budget.files} files, ${counted.lines} of ${budget.lines} lines`,
  ];
}

const marks: Record<Criterion['status'], string> = {
  passed: '✅',
  failed: '❌',
  unknown: '❔',
  waived: '⏳',
  not_applicable: '➖',
};

function criterionLine(criterion: Criterion): string {
  const { status, name, feedback, waiver, evidence } = criterion;
  const numbers = numbersOf(criterion);
  const age = evidence[0] ? ` [${shown(evidence[0].path)}, ${ageOf(evidence[0].age_seconds)} old]` : '';
  return `${marks[status]} ${name}: ${numbers === '' ? '' : `${numbers}; `}${feedback}${waiver ? ` (waived by ${waiver.id} until ${waiver.expires_at})` : ''}${age}`;
}

/** Where nothing is allowed, as where the budget is counted, the feedback says it all. */
function numbersOf({ id, actual, threshold, unit }: Criterion): string {
  if (actual === null || !threshold) return '';
  if (!unit.startsWith('%')) return `${actual} of ${threshold} ${unit}`;
  return id === 'budget_limit' ? `${actual} ${unit}` : `${actual} ${unit}, ${threshold} % needed`;
}

function ageOf(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`;
}

function waiverLines(waivers: readonly LoadedWaiver[], nowMs: number): string[] {
  return waivers
    .filter(({ state }) => state === 'active')
    .map(({ waiver }) => {
      const days = Math.floor((Date.parse(waiver.expires_at) - nowMs) / DAY_MS);
      return `Waiver ${waiver.id}: ${waiver.gates.map(shown).join(', ')} for ${howMany(days, 'more day')} (${shown(waiver.approved_by)})`;
    });
}
