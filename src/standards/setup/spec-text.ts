import { stringify } from 'yaml';
import { Failure } from '../../platform/errors.ts';
import { checkPolicy, defaultPolicy, gateNames } from '../spec/policy.ts';
import { checkWorkingSpec, type WorkingSpec } from '../spec/working-spec.ts';
import type { DetectedProject } from './detect-project.ts';
import type { ProjectTemplate } from './templates/template.ts';
import type { NewFile } from './write-project-files.ts';

const specHeader = `# What this change is, and what it is held to. caws_validate checks this file, caws_evaluate the change.
# yaml-language-server: $schema=schemas/working-spec.schema.json
`;

/** The spec of a project that begins as a template says. */
export function renderSpecFromTemplate(name: string, { spec, extraInvariants = [] }: ProjectTemplate): string {
  return renderSpec({
    ...{ id: 'FEAT-0001', title: `First working version of ${name}`, mode: 'feature', ...spec },
    invariants: [...spec.invariants, ...extraInvariants],
  });
}

/**
 * The spec of a project that is there already: the kind's invariants and criteria, but its own folders and contracts.
 * Without a contract it is of tier 3, since nobody can be held to what is not written down.
 */
export function renderSpecFromProject(
  name: string,
  { spec }: ProjectTemplate,
  project: DetectedProject,
  added: readonly NewFile[],
): string {
  const { change_budget: _, non_functional, ...rest } = spec;
  const own = project.contracts;
  // What is written along with the spec is part of the change that it speaks of.
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

/** Whoever reads that a kind is of tier 2 should not wonder about a 3. */
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

/** As YAML, and never one that our own check would refuse. */
function renderSpec(spec: WorkingSpec): string {
  const { id, title, risk_tier, mode, ...rest } = spec;
  const text = specHeader + stringify({ id, title, risk_tier, mode, ...rest }, { lineWidth: 110 });
  const { problems } = checkWorkingSpec(text);
  const [first] = problems.filter(({ severity }) => severity === 'error');
  if (first)
    throw new Failure('internal', 'EINVAL', `The new spec would not be valid: ${first.message} (${first.path})`);
  return text;
}

/**
 * The policy that holds anyway, written down so that it can be changed. Where nothing measures mutants, their gate warns: one
 * that nobody can pass would only be switched off.
 */
export function renderPolicy({ hasMutationTool }: Pick<DetectedProject, 'hasMutationTool'>): string {
  const { tiers, gates, protectedPaths } = defaultPolicy;
  const text = `# What changes are held to, by risk tier. Tier 1 is the riskiest, and none may be looser than a safer one.
${hasMutationTool ? '' : '# mutation_threshold warns, since nothing measures mutants here yet; let it block when Stryker or the like does.\n'}${stringify(
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
  if (first) throw new Failure('internal', 'EINVAL', `The new policy would not be valid: ${first.message}`);
  return text;
}
