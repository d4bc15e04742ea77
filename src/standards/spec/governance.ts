import { join } from 'node:path';
import { type LoadedPolicy, loadPolicy } from './policy.ts';
import { statsOf } from './project-file.ts';
import { problem } from './spec-problems.ts';
import { type LoadedWaiver, loadWaivers } from './waivers.ts';
import { type LoadedSpec, loadWorkingSpec } from './working-spec.ts';
import type { Problem } from './yaml-source.ts';

/** What a project is held to: its spec, its policy and its waivers, and everything that is wrong with them. */
export interface Governance {
  loaded: LoadedSpec;
  policy: LoadedPolicy;
  waivers: LoadedWaiver[];
  /** Of all the files together; errors make the spec invalid. */
  problems: Problem[];
}

export async function loadGovernance(root: string, specFile: string, nowMs: number): Promise<Governance> {
  const [loaded, policy, { waivers, problems }] = await Promise.all([
    loadWorkingSpec(root, specFile),
    loadPolicy(root),
    loadWaivers(root, nowMs),
  ]);
  const notes = problems.map<Problem>((one) => ({
    ...one,
    severity: 'warning',
    message: `It waives nothing: ${one.message}`,
  }));
  const together = [
    ...unknownWaivers(loaded, waivers),
    ...(await missingContracts(root, loaded)),
    ...wideBudget(loaded, policy),
  ];
  return { loaded, policy, waivers, problems: [...loaded.problems, ...together, ...policy.problems, ...notes] };
}

function unknownWaivers({ spec, source }: LoadedSpec, waivers: readonly LoadedWaiver[]): Problem[] {
  return (spec?.waiver_ids ?? []).flatMap((id, index) => {
    const found = waivers.find(({ waiver }) => waiver.id === id);
    if (found?.state === 'active') return [];
    const path = ['waiver_ids', index];
    return found
      ? [
          problem(
            source,
            'warning',
            'waiver.over',
            path,
            `${id} is ${found.state}, and waives nothing`,
            'Take it out of waiver_ids',
          ),
        ]
      : [
          problem(
            source,
            'error',
            'waiver.missing',
            path,
            `There is no waiver ${id} in .caws/waivers`,
            'Create it with caws_waiver_create, or take it out',
          ),
        ];
  });
}

async function missingContracts(root: string, { spec, source }: LoadedSpec): Promise<Problem[]> {
  const found = await Promise.all(
    (spec?.contracts ?? []).map(async ({ path }, index) => {
      if ((await statsOf(join(root, path)))?.isFile()) return [];
      const message = `There is no contract at ${JSON.stringify(path)}`;
      return [
        problem(
          source,
          'warning',
          'contract.missing',
          ['contracts', index, 'path'],
          message,
          'Write it before the code that keeps it',
        ),
      ];
    }),
  );
  return found.flat();
}

function wideBudget({ spec, source }: LoadedSpec, { policy }: LoadedPolicy): Problem[] {
  if (!spec?.change_budget) return [];
  const { max_files, max_loc } = policy.tiers[spec.risk_tier];
  const wide = spec.change_budget.max_files > max_files || spec.change_budget.max_loc > max_loc;
  if (!wide) return [];
  const message = `change_budget is wider than the policy of tier ${spec.risk_tier} (${max_files} files, ${max_loc} lines); the smaller number holds`;
  return [problem(source, 'warning', 'budget.wide', ['change_budget'], message)];
}
