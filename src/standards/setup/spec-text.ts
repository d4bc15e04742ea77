import { stringify } from 'yaml';
import { Failure } from '../../platform/errors.ts';
import { checkPolicy, defaultPolicy, gateNames } from '../spec/policy.ts';
import { checkWorkingSpec, type WorkingSpec } from '../spec/working-spec.ts';
import type { DetectedProject } from './detect-project.ts';
import type { ProjectTemplate } from './templates/template.ts';
import type { NewFile } from './write-project-files.ts';

const specHeader = `# Scope, rules and acceptance criteria of this change. caws_validate checks this file, caws_evaluate the change.
# yaml-language-server: $schema=schemas/working-spec.schema.json
`;

/** Renders the spec of a new project from a template. */
export function renderSpecFromTemplate(name: string, { spec, extraInvariants = [] }: ProjectTemplate): string {
  return renderSpec({
    ...{ id: 'FEAT-0001', title: `First working version of ${name}`, mode: 'feature', ...spec },
    invariants: [...spec.invariants, ...extraInvariants],
  });
}

/**
 * Renders the spec of an existing project: invariants and criteria of its kind, but its own folders and contracts. Without
 * a contract it has tier 3, because tiers 1 and 2 require one.
 */
export function renderSpecFromProject(
  name: string,
  { spec }: ProjectTemplate,
  project: DetectedProject,
  added: readonly NewFile[],
): string {
  const { change_budget: _, non_functional, ...rest } = spec;
  const own = project.contracts;
  // Files that are written together with the spec are part of its change.
  const ours = added.map(({ path }) => path).filter((path) => !path.startsWith('.caws/'));
  const scope = [...new Set([...project.scope, ...ours])];
  return renderSpec({
    id: 'FEAT-0001',
    title: `Next change of ${name}`.padEnd(8, '.'),
    mode: 'feature',
    ...rest,
    // A bundle is what Node projects ship.
    non_functional: project.node ? non_functional : withoutBundle(non_functional),
    risk_tier: own.length > 0 ? spec.risk_tier : 3,
    scope: {
      in: project.exists ? scope : ['**'],
      out: project.generatedPaths.filter((path) => !scope.includes(path)),
    },
    contracts: own,
  });
}

/** Explains why the tier is lower than the one of the template. */
export function explainTier({ spec }: ProjectTemplate, { contracts }: Pick<DetectedProject, 'contracts'>): string[] {
  if (contracts.length > 0 || spec.risk_tier === 3) return [];
  return [
    `risk_tier 3, and no contracts: no OpenAPI, GraphQL or proto file was found, and tier ${spec.risk_tier} needs a contract; when there is one, name it in the spec and raise the tier`,
  ];
}

function withoutBundle({ perf, ...rest }: WorkingSpec['non_functional']): WorkingSpec['non_functional'] {
  const { bundle_size_kb: _, ...others } = perf ?? {};
  return Object.keys(others).length > 0 ? { ...rest, perf: others } : rest;
}

const reportDefect = 'Report this message as a defect of Assay, with the arguments of the call.';

/** Renders YAML. Throws if it would not pass validation. */
function renderSpec(spec: WorkingSpec): string {
  const { id, title, risk_tier, mode, ...rest } = spec;
  const text = specHeader + stringify({ id, title, risk_tier, mode, ...rest }, { lineWidth: 110 });
  const { problems } = checkWorkingSpec(text);
  const [first] = problems.filter(({ severity }) => severity === 'error');
  if (first)
    throw new Failure('internal', 'EINVAL', `The new spec would not be valid: ${first.message} (${first.path})`, {
      hint: reportDefect,
    });
  return text;
}

/**
 * Renders the default policy, so that it can be changed. Without a mutation tool the mutation gate only warns, because it
 * could never pass.
 */
export function renderPolicy({ hasMutationTool }: Pick<DetectedProject, 'hasMutationTool'>): string {
  const { tiers, gates, protectedPaths } = defaultPolicy;
  const text = `# Rules for changes by risk tier. Tier 1 is the riskiest; a tier must not be looser than a safer one.
${hasMutationTool ? '' : '# mutation_threshold only warns until a tool such as Stryker measures mutants; then set it to block.\n'}${stringify(
  {
    version: 1,
    risk_tiers: tiers,
    gates: Object.fromEntries(
      gateNames.map((name) => [
        name,
        { mode: name === 'mutation_threshold' && !hasMutationTool ? 'warn' : gates[name] },
      ]),
    ),
    protected_paths: protectedPaths,
    waiver_approval: { max_duration_days: 90 },
  },
  { lineWidth: 110 },
)}`;
  const [first] = checkPolicy(text).problems;
  if (first)
    throw new Failure('internal', 'EINVAL', `The new policy would not be valid: ${first.message}`, {
      hint: reportDefect,
    });
  return text;
}
