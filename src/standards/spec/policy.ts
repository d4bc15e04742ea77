import { createHash } from 'node:crypto';
import * as z from 'zod';
import { readProjectFileIfExists } from './project-file.ts';
import { createProblem, findMistypedKeys, problemsFromIssues } from './spec-problems.ts';
import type { RiskTier, WorkingSpec } from './working-spec.ts';
import { parseYaml, type SpecProblem, type YamlSource } from './yaml-source.ts';

export const policyFile = '.caws/policy.yaml';

/** The gates that a policy may configure and a waiver may name. */
export const gateNames = [
  'spec_completeness',
  'budget_limit',
  'scope_boundary',
  'test_results',
  'acceptance_criteria',
  'coverage_threshold',
  'patch_coverage',
  'mutation_threshold',
  'contract_compliance',
  'security_scan',
  'todo_detection',
  'provenance_chain',
  'weakening_check',
] as const;
export type GateName = (typeof gateNames)[number];
/** `block` fails the change, `warn` only reports, `skip` does not measure. */
export type GateMode = 'block' | 'warn' | 'skip';

interface TierRules {
  max_files: number;
  max_loc: number;
  /** Percent of branches and of lines; of lines only if a report has no branches. */
  coverage_threshold: number;
  mutation_threshold: number;
  contracts_required: boolean;
}

/** What the commit-msg hook asks of a subject, from the key `commits` of the policy. */
export interface CommitRules {
  types: readonly string[];
  /** Undefined allows any scope. A scope is never required. */
  scopes: readonly string[] | undefined;
  /** Longest subject, in characters. */
  maxSummary: number;
}

export interface Policy {
  tiers: Readonly<Record<RiskTier, TierRules>>;
  gates: Readonly<Record<GateName, GateMode>>;
  /** Branch, tag or commit that a change is counted from; default: the main branch. */
  base: string | undefined;
  /** More locations of reports, as globs relative to the project. */
  reports: { tests: string[]; coverage: string[]; mutation: string[] };
  /** Files whose change is always reported as a high risk. */
  protectedPaths: string[];
  /** Files that any change may touch, whatever the scope. */
  ungoverned: string[];
  /** Undefined if the policy sets no limit. */
  maxWaiverDays: number | undefined;
  /** Undefined if commit messages are not checked, which is the default. */
  commits: CommitRules | undefined;
  /** Whether a waiver counts that the change itself brings. */
  acceptsOwnWaivers: boolean;
  /** Who can approve that a change weakens rules or tests. */
  approvers: readonly Approver[];
  /** What a report is worth that no attested run made: `block` keeps gates unknown, `warn` only says so. */
  unattested: 'block' | 'warn' | 'accept';
  tests: TestCommand;
}

/** The command that an attested run starts. */
interface TestCommand {
  /** Program and arguments; undefined if the policy names none. */
  command: readonly string[] | undefined;
  timeoutSeconds: number;
  /** Names of more environment variables that the tests get. */
  environment: readonly string[];
}

export interface Approver {
  name: string;
  /** The address of their commits: they cannot approve a change that contains one. */
  email: string | undefined;
  /** Ed25519 public key: base64 of its DER form, or PEM. */
  publicKey: string;
}

export interface LoadedPolicy {
  policy: Policy;
  problems: SpecProblem[];
  /** Undefined if there is no file and the defaults apply. */
  file: string | undefined;
  sha256: string | undefined;
}

const percent = z
  .number('must be a number')
  .min(0, 'must be 0 or more')
  .max(100, 'must be 100 or less')
  // 0.9 and 90 both mean 90 %: a threshold below one percent makes no sense.
  .transform((given) => (given <= 1 ? given * 100 : given));
const count = z.number('must be a number').int('must be a whole number').min(1, 'must be at least 1');
const globs = z.array(z.string('must be a text').min(1, 'must not be empty'), 'must be a list');

const words = z.array(z.string('must be a text').min(1, 'must not be empty'), 'must be a list');

const tierSchema = z.object({
  max_files: count.optional(),
  max_loc: count.optional(),
  coverage_threshold: percent.optional(),
  mutation_threshold: percent.optional(),
  contracts_required: z.boolean('must be true or false').optional(),
});

const gateSchema = z.object(
  {
    enabled: z.boolean('must be true or false').optional(),
    mode: z.enum(['block', 'warn', 'skip'], 'must be block, warn or skip').optional(),
  },
  'must be a map with enabled or mode',
);

const policySchema = z.object({
  version: z.literal(1, 'must be 1').optional(),
  risk_tiers: z
    .object(
      { '1': tierSchema.optional(), '2': tierSchema.optional(), '3': tierSchema.optional() },
      'must be a map of the tiers 1, 2 and 3',
    )
    .optional(),
  gates: z.record(z.string(), gateSchema).optional(),
  base: z.string('must be a text').min(1, 'must not be empty').optional(),
  reports: z
    .object(
      { tests: globs.optional(), coverage: globs.optional(), mutation: globs.optional() },
      'must be a map with tests, coverage and mutation',
    )
    .optional(),
  protected_paths: globs.optional(),
  non_governed_zones: globs.optional(),
  waiver_approval: z
    .looseObject({
      max_duration_days: count.optional(),
      in_change: z.enum(['approved', 'accept'], 'must be approved or accept').optional(),
    })
    .optional(),
  approvers: z
    .array(
      z.object({
        name: z.string('must be a text').min(1, 'must not be empty'),
        email: z.string('must be a text').optional(),
        public_key: z.string('must be a text').min(1, 'must not be empty'),
      }),
      'must be a list of name and public_key',
    )
    .optional(),
  evidence: z
    .object(
      { unattested: z.enum(['block', 'warn', 'accept'], 'must be block, warn or accept').optional() },
      'must be a map with unattested',
    )
    .optional(),
  tests: z
    .object(
      {
        command: words.min(1, 'must name a program').optional(),
        timeout_seconds: count.optional(),
        environment: words.optional(),
      },
      'must be a map with command, timeout_seconds and environment',
    )
    .optional(),
  commits: z
    .object(
      {
        convention: z.literal('conventional', 'must be conventional'),
        types: words.min(1, 'must name at least one type').optional(),
        scopes: words.optional(),
        max_summary: count.optional(),
      },
      'must be a map with convention: conventional',
    )
    .optional(),
});

/** The types of the Conventional Commits specification and of its best-known preset. */
const defaultCommitTypes = [
  'feat',
  'fix',
  'perf',
  'refactor',
  'style',
  'test',
  'docs',
  'build',
  'ci',
  'chore',
  'revert',
];
const DEFAULT_MAX_SUMMARY = 72;
const DEFAULT_TEST_SECONDS = 1800;

const defaultTiers: Readonly<Record<RiskTier, TierRules>> = {
  1: { max_files: 25, max_loc: 1000, coverage_threshold: 90, mutation_threshold: 70, contracts_required: true },
  2: { max_files: 50, max_loc: 2000, coverage_threshold: 80, mutation_threshold: 50, contracts_required: true },
  3: { max_files: 100, max_loc: 5000, coverage_threshold: 70, mutation_threshold: 30, contracts_required: false },
};

const warnByDefault: readonly GateName[] = ['todo_detection'];

/** These files change the rules for everything else, or what runs on other machines. */
const defaultProtectedPaths = [
  '.caws/policy.yaml',
  '.caws/waivers/**',
  '.caws/provenance/**',
  '.github/**',
  '.gitlab-ci.yml',
  '.husky/**',
  '.githooks/**',
  '**/{package-lock.json,pnpm-lock.yaml,yarn.lock,Cargo.lock,go.sum,poetry.lock,uv.lock,Gemfile.lock}',
  '**/migrations/**',
  '**/{auth,authentication,authorization,security,payments,billing}/**',
];

export const defaultPolicy: Policy = buildPolicy({});

/** Loads the policy of a project. The defaults replace a missing or invalid file; its problems are listed. */
export async function loadPolicy(root: string): Promise<LoadedPolicy> {
  const file = await readProjectFileIfExists(root, policyFile, { what: 'the policy' });
  if (!file) return { policy: defaultPolicy, problems: [], file: undefined, sha256: undefined };
  return { ...checkPolicy(file.text), file: file.path, sha256: createHash('sha256').update(file.text).digest('hex') };
}

export function checkPolicy(yaml: string): Pick<LoadedPolicy, 'policy' | 'problems'> {
  const source = parseYaml(yaml, policyFile);
  if (source.problems.length > 0) return { policy: defaultPolicy, problems: source.problems };
  const parsed = policySchema.safeParse(source.value ?? {});
  const known = Object.keys(policySchema.shape);
  const mistypedKeys = findMistypedKeys(source.value, known, source);
  if (!parsed.success) {
    return {
      policy: defaultPolicy,
      problems: [...problemsFromIssues(parsed.error.issues, source.value, source), ...mistypedKeys],
    };
  }
  const policy = buildPolicy(parsed.data);
  return {
    policy,
    problems: [...mistypedKeys, ...findLooseTiers(policy, source), ...findUnknownGates(parsed.data, source)],
  };
}

function buildPolicy(given: z.output<typeof policySchema>): Policy {
  const tier = (number: RiskTier): TierRules => {
    const rules = given.risk_tiers?.[number] ?? {};
    const set = Object.entries(rules).filter(([, value]) => value !== undefined);
    return { ...defaultTiers[number], ...Object.fromEntries(set) };
  };
  const mode = (name: GateName): GateMode => {
    const gate = given.gates?.[name];
    if (gate?.enabled === false) return 'skip';
    return gate?.mode ?? (warnByDefault.includes(name) ? 'warn' : 'block');
  };
  return {
    tiers: { 1: tier(1), 2: tier(2), 3: tier(3) },
    gates: {
      spec_completeness: mode('spec_completeness'),
      budget_limit: mode('budget_limit'),
      scope_boundary: mode('scope_boundary'),
      test_results: mode('test_results'),
      acceptance_criteria: mode('acceptance_criteria'),
      coverage_threshold: mode('coverage_threshold'),
      patch_coverage: mode('patch_coverage'),
      mutation_threshold: mode('mutation_threshold'),
      contract_compliance: mode('contract_compliance'),
      security_scan: mode('security_scan'),
      todo_detection: mode('todo_detection'),
      provenance_chain: mode('provenance_chain'),
      weakening_check: mode('weakening_check'),
    },
    base: given.base,
    reports: {
      tests: given.reports?.tests ?? [],
      coverage: given.reports?.coverage ?? [],
      mutation: given.reports?.mutation ?? [],
    },
    protectedPaths: given.protected_paths ?? defaultProtectedPaths,
    ungoverned: given.non_governed_zones ?? [],
    maxWaiverDays: given.waiver_approval?.max_duration_days,
    commits: given.commits && {
      types: given.commits.types ?? defaultCommitTypes,
      scopes: given.commits.scopes,
      maxSummary: given.commits.max_summary ?? DEFAULT_MAX_SUMMARY,
    },
    acceptsOwnWaivers: given.waiver_approval?.in_change === 'accept',
    approvers: (given.approvers ?? []).map(({ name, email, public_key }) => ({ name, email, publicKey: public_key })),
    unattested: given.evidence?.unattested ?? 'block',
    tests: {
      command: given.tests?.command,
      timeoutSeconds: given.tests?.timeout_seconds ?? DEFAULT_TEST_SECONDS,
      environment: given.tests?.environment ?? [],
    },
  };
}

/** A riskier tier must not have looser rules. */
function findLooseTiers({ tiers }: Policy, source: YamlSource): SpecProblem[] {
  return (
    [
      [1, 2],
      [2, 3],
    ] as const
  ).flatMap(([riskier, safer]) =>
    (['max_files', 'max_loc', 'coverage_threshold', 'mutation_threshold'] as const).flatMap((name) => {
      const isBudget = name.startsWith('max_');
      const [strict, loose] = [tiers[riskier][name], tiers[safer][name]];
      if (isBudget ? strict <= loose : strict >= loose) return [];
      const message = `Tier ${riskier} is looser than tier ${safer}: ${name} is ${strict} against ${loose}`;
      const fix = 'Tiers must not get looser with risk: 1 is the strictest';
      return [createProblem(source, 'error', 'tiers.loose', ['risk_tiers', String(riskier), name], message, fix)];
    }),
  );
}

function findUnknownGates({ gates = {} }: z.output<typeof policySchema>, source: YamlSource): SpecProblem[] {
  const known: readonly string[] = gateNames;
  return Object.entries(gates)
    .filter(([name]) => !known.includes(name))
    .map(([name, gate]) => {
      const blocks = gate.enabled !== false && (gate.mode ?? 'block') === 'block';
      const message = `Unknown gate ${JSON.stringify(name)}: it is not measured`;
      const fix = `Known gates: ${gateNames.join(', ')}`;
      return createProblem(
        source,
        blocks && gate.mode === 'block' ? 'error' : 'warning',
        'gates.unknown',
        ['gates', name],
        message,
        fix,
      );
    });
}

export interface Budget {
  files: number;
  lines: number;
  /** The source of each number. */
  from: { files: 'policy' | 'spec'; lines: 'policy' | 'spec' };
}

/** The budget of a change: the smaller of the policy's limit for its tier and the spec's own, plus what waivers add. */
export function computeBudget(
  { tiers }: Policy,
  { risk_tier, change_budget }: Pick<WorkingSpec, 'risk_tier' | 'change_budget'>,
  added: { files: number; lines: number } = { files: 0, lines: 0 },
): Budget {
  const { max_files, max_loc } = tiers[risk_tier];
  const files = Math.min(max_files, change_budget?.max_files ?? max_files);
  const lines = Math.min(max_loc, change_budget?.max_loc ?? max_loc);
  return {
    files: files + added.files,
    lines: lines + added.lines,
    from: { files: files < max_files ? 'spec' : 'policy', lines: lines < max_loc ? 'spec' : 'policy' },
  };
}
