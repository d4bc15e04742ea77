import * as z from 'zod';
import { Failure, quote } from '../../platform/errors.ts';
import { readProjectFile } from './project-file.ts';
import { checkSpecRules } from './spec-checks.ts';
import { findMistypedKeys, problemsFromIssues } from './spec-problems.ts';
import { parseYaml, type SpecProblem, type YamlSource } from './yaml-source.ts';

export const defaultSpecFile = '.caws/working-spec.yaml';
export const specModes = ['feature', 'refactor', 'fix', 'doc', 'chore'] as const;
const contractTypes = ['openapi', 'graphql', 'proto', 'pact', 'json-schema'] as const;

const text = z.string('must be a text').trim().min(1, 'must not be empty');
const texts = z.array(text, 'must be a list');
const positive = z.number('must be a number').int('must be a whole number').min(1, 'must be at least 1');
const tier = z.preprocess(
  (given) => (typeof given === 'string' && /^T?[1-3]$/i.test(given) ? Number(given.slice(-1)) : given),
  z.union([z.literal(1), z.literal(2), z.literal(3)], 'must be 1, 2 or 3'),
);

const acceptance = z.object({
  id: z.string('must be a text such as A1').regex(/^A\d+$/, 'must be A and a number, such as A1'),
  given: text,
  when: text,
  // biome-ignore lint/suspicious/noThenProperty: acceptance criteria are written given, when, then
  then: text,
  test_nodeids: texts.optional(),
});

/** A working spec as `.caws/working-spec.yaml` holds it. More keys are allowed; those that look mistyped get a warning. */
export const workingSpecSchema = z.object({
  id: z
    .string('must be a text such as FEAT-1234')
    .regex(/^[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*-\d+[a-z]*$/, 'must be PREFIX-NUMBER, such as FEAT-1234 or APC-01a'),
  title: z
    .string('must be a text')
    .trim()
    .min(8, 'must have at least 8 characters')
    .max(200, 'must have at most 200 characters'),
  risk_tier: tier,
  mode: z.enum(specModes, `must be one of ${specModes.join(', ')}`),
  blast_radius: z.object(
    { modules: texts, data_migration: z.boolean('must be true or false').optional() },
    'must be a map with modules',
  ),
  operational_rollback_slo: z
    .string('must be a text such as 5m')
    .regex(/^\d+(?:s|m|h|d)$/, 'must be a time such as 5m, 1h or 1d'),
  scope: z.object(
    { in: texts.min(1, 'must name at least one path'), out: texts.optional() },
    'must be a map with the lists in and out',
  ),
  invariants: texts,
  acceptance: z.array(acceptance, 'must be a list'),
  non_functional: z.object(
    {
      a11y: texts.optional(),
      perf: z.record(z.string(), z.number('must be a number').positive('must be above 0')).optional(),
      security: texts.optional(),
    },
    'must be a map with a11y, perf and security',
  ),
  contracts: z.array(
    z.object({
      type: z.enum(contractTypes, `must be one of ${contractTypes.join(', ')}`),
      path: text,
      description: text.optional(),
      version: text.optional(),
    }),
    'must be a list',
  ),
  change_budget: z
    .object({ max_files: positive, max_loc: positive }, 'must be a map with max_files and max_loc')
    .optional(),
  waiver_ids: z
    .array(z.string('must be a text').regex(/^WV-\d{4,}$/, 'must look like WV-0001'), 'must be a list')
    .optional(),
  threats: texts.optional(),
  observability: z.object({ logs: texts.optional(), metrics: texts.optional(), traces: texts.optional() }).optional(),
  migrations: texts.optional(),
  rollback: texts.optional(),
  experimental_mode: z
    .object({ enabled: z.boolean('must be true or false'), rationale: text, expires_at: text })
    .optional(),
});

export type WorkingSpec = z.output<typeof workingSpecSchema>;
export type RiskTier = WorkingSpec['risk_tier'];
export type AcceptanceCriterion = WorkingSpec['acceptance'][number];

/** A spec as read from its file; valid if `spec` is defined. */
export interface LoadedSpec {
  /** Relative to the project. */
  file: string;
  sha256: string;
  modifiedMs: number;
  spec: WorkingSpec | undefined;
  /** The parsed file, valid or not. */
  raw: unknown;
  problems: SpecProblem[];
  source: YamlSource;
}

/** Reads and checks a working spec. Throws a `Failure` if the file cannot be read; problems of its content are listed. */
export async function loadWorkingSpec(root: string, specFile = defaultSpecFile): Promise<LoadedSpec> {
  const {
    path,
    text: yaml,
    sha256,
    modifiedMs,
  } = await readProjectFile(root, specFile, {
    what: 'specFile',
    maxBytes: 512 * 1024,
  }).catch((error: unknown) => {
    throw error instanceof Failure && error.code === 'ENOENT'
      ? new Failure('not_found', 'ENOENT', `No working spec at ${quote(specFile)}; create one with caws_init`)
      : error;
  });
  return { ...checkWorkingSpec(yaml, path), sha256, modifiedMs };
}

/** Checks the text of a spec; `spec` is undefined if it has errors. */
export function checkWorkingSpec(
  yaml: string,
  file: string = defaultSpecFile,
): Pick<LoadedSpec, 'file' | 'spec' | 'raw' | 'problems' | 'source'> {
  const source = parseYaml(yaml, file);
  const raw = source.value;
  if (source.problems.length > 0) return { file, spec: undefined, raw, problems: source.problems, source };
  const parsed = workingSpecSchema.safeParse(raw ?? {});
  const problems = [
    ...(parsed.success ? [] : problemsFromIssues(parsed.error.issues, raw, source)),
    ...findMistypedKeys(raw, Object.keys(workingSpecSchema.shape), source),
    ...checkSpecRules(raw, source),
  ].sort((a, b) => a.line - b.line || a.column - b.column);
  const valid = parsed.success && problems.every(({ severity }) => severity !== 'error');
  return { file, spec: valid ? parsed.data : undefined, raw, problems, source };
}
