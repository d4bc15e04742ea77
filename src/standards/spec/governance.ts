import { join } from 'node:path';
import { type LoadedPolicy, loadPolicy } from './policy.ts';
import { lstatIfExists } from './project-file.ts';
import { createProblem } from './spec-problems.ts';
import { type LoadedWaiver, loadWaivers } from './waivers.ts';
import { type LoadedSpec, loadWorkingSpec } from './working-spec.ts';
import type { SpecProblem } from './yaml-source.ts';

/** The rules of a project: spec, policy and waivers, with all their problems. */
export interface Governance {
  loaded: LoadedSpec;
  policy: LoadedPolicy;
  waivers: LoadedWaiver[];
  /** Of all files together; errors make the spec invalid. */
  problems: SpecProblem[];
}

export async function loadGovernance(root: string, specFile: string, nowMs: number): Promise<Governance> {
  const [loaded, policy, { waivers, problems }] = await Promise.all([
    loadWorkingSpec(root, specFile),
    loadPolicy(root),
    loadWaivers(root, nowMs),
  ]);
  const notes = problems.map<SpecProblem>((one) => ({
    ...one,
    severity: 'warning',
    message: `It waives nothing: ${one.message}`,
  }));
  const together = [
    ...findUnknownWaivers(loaded, waivers),
    ...(await findMissingContracts(root, loaded)),
    ...findWideBudget(loaded, policy),
  ];
  return { loaded, policy, waivers, problems: [...loaded.problems, ...together, ...policy.problems, ...notes] };
}

function findUnknownWaivers({ spec, source }: LoadedSpec, waivers: readonly LoadedWaiver[]): SpecProblem[] {
  return (spec?.waiver_ids ?? []).flatMap((id, index) => {
    const found = waivers.find(({ waiver }) => waiver.id === id);
    if (found?.state === 'active') return [];
    const path = ['waiver_ids', index];
    return found
      ? [
          createProblem(
            source,
            'warning',
            'waiver.over',
            path,
            `${id} is ${found.state} and waives nothing`,
            'Remove it from waiver_ids',
          ),
        ]
      : [
          createProblem(
            source,
            'error',
            'waiver.missing',
            path,
            `Waiver ${id} not found in .caws/waivers`,
            'Create it with caws_waiver_create, or remove it',
          ),
        ];
  });
}

async function findMissingContracts(root: string, { spec, source }: LoadedSpec): Promise<SpecProblem[]> {
  const found = await Promise.all(
    (spec?.contracts ?? []).map(async ({ path }, index) => {
      if ((await lstatIfExists(join(root, path)))?.isFile()) return [];
      const message = `No contract found at ${JSON.stringify(path)}`;
      return [
        createProblem(
          source,
          'warning',
          'contract.missing',
          ['contracts', index, 'path'],
          message,
          'Write it before the code that implements it',
        ),
      ];
    }),
  );
  return found.flat();
}

function findWideBudget({ spec, source }: LoadedSpec, { policy }: LoadedPolicy): SpecProblem[] {
  if (!spec?.change_budget) return [];
  const { max_files, max_loc } = policy.tiers[spec.risk_tier];
  const wide = spec.change_budget.max_files > max_files || spec.change_budget.max_loc > max_loc;
  if (!wide) return [];
  const message = `change_budget is wider than the policy of tier ${spec.risk_tier} (${max_files} files, ${max_loc} lines); the smaller number applies`;
  return [createProblem(source, 'warning', 'budget.wide', ['change_budget'], message)];
}
