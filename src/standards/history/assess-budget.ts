import { type Budget, computeBudget, loadPolicy } from '../spec/policy.ts';
import type { GovernedProject } from '../spec/project.ts';
import { createPathMatcher } from '../spec/scope.ts';
import type { WorkingSpec } from '../spec/working-spec.ts';
import { describeDistribution, roundTo } from './distribution.ts';
import type { HistoryAnalysis } from './history-analysis.ts';
import { type PastChange, readPastChanges } from './past-changes.ts';

/** Past changes that are needed for an estimate. */
const MIN_CHANGES = 8;

/** Compares the budget with the size of similar past changes. */
export async function assessBudget(project: GovernedProject, spec: WorkingSpec): Promise<HistoryAnalysis> {
  const { policy } = await loadPolicy(project.root);
  const budget = computeBudget(policy, spec);
  const all = await readPastChanges(project);
  const { changes, chosen } = selectComparable(all, spec);
  if (changes.length < MIN_CHANGES) {
    const counts = `${all.length} past changes, and at least ${MIN_CHANGES} are needed`;
    return {
      status: 'insufficient_data',
      lines: [`insufficient_data: ${counts}`],
      data: { changes: all.length, needed: MIN_CHANGES },
    };
  }
  const files = describeDistribution(changes.map(({ paths }) => paths.length));
  const lines = describeDistribution(changes.map((change) => change.lines));
  const over = changes.filter((change) => exceedsBudget(change, budget)).length;
  const overrun = roundTo(over / changes.length);
  return {
    status: 'ok',
    lines: [
      `${changes.length} of ${all.length} past changes compared: ${chosen}`,
      `files: median ${files.median}, 80 % took at most ${files.p80}, 95 % at most ${files.p95}, spread ${files.mad}`,
      `lines: median ${lines.median}, 80 % took at most ${lines.p80}, 95 % at most ${lines.p95}, spread ${lines.mad}`,
      `recommended: ${files.p80} files, ${lines.p80} lines`,
      `budget of ${spec.id}: ${budget.files} files, ${budget.lines} lines; ${over} of ${changes.length} (${Math.round(overrun * 100)} %) would have exceeded it`,
    ],
    data: {
      compared: changes.length,
      past_changes: all.length,
      chosen,
      files,
      lines,
      recommended: { max_files: files.p80, max_loc: lines.p80 },
      budget: { max_files: budget.files, max_loc: budget.lines },
      overrun_probability: overrun,
    },
  };
}

const exceedsBudget = ({ paths, lines }: PastChange, budget: Budget) =>
  paths.length > budget.files || lines > budget.lines;

/** Selects the most similar changes, if there are enough of them. */
function selectComparable(
  all: readonly PastChange[],
  spec: WorkingSpec,
): { changes: readonly PastChange[]; chosen: string } {
  const inScope = createPathMatcher(spec.scope.in);
  const touching = all.filter(({ paths }) => paths.some(inScope));
  const same = touching.filter(({ kind }) => kind === spec.mode);
  if (same.length >= MIN_CHANGES) return { changes: same, chosen: `mode ${spec.mode}, touching the scope` };
  const kind = all.filter((change) => change.kind === spec.mode);
  if (kind.length >= MIN_CHANGES) return { changes: kind, chosen: `mode ${spec.mode}` };
  if (touching.length >= MIN_CHANGES) return { changes: touching, chosen: 'touching the scope' };
  return { changes: all, chosen: 'all of them' };
}
