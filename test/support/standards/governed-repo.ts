import { stringify } from 'yaml';
import { newRepo, type Repo } from '../git/repos.ts';

type Fields = Record<string, unknown>;

/** Given something is added, it comes to something. */
export function criterion(id: unknown, given: string, outcome: string): Fields {
  return Object.fromEntries([
    ['id', id],
    ['given', given],
    ['when', 'they are added'],
    ['then', outcome],
  ]);
}

/** A valid spec in tier 2 for a change of `src/` and `test/`. */
const validSpec: Fields = {
  id: 'FEAT-0001',
  title: 'Add two numbers exactly',
  risk_tier: 2,
  mode: 'feature',
  blast_radius: { modules: ['sum'], data_migration: false },
  operational_rollback_slo: '5m',
  scope: { in: ['src/', 'test/', 'api.yaml'], out: ['src/vendor/'] },
  invariants: ['Sums are exact'],
  acceptance: [criterion('A1', 'two numbers', 'their sum'), criterion('A2', 'a text', 'an error')],
  non_functional: { a11y: [], perf: { api_p95_ms: 100 }, security: ['Input is checked'] },
  contracts: [{ type: 'openapi', path: 'api.yaml' }],
};

/** The valid spec with some fields changed; undefined removes a field. */
export function specText(changes: Fields = {}): string {
  const fields = Object.entries({ ...validSpec, ...changes }).filter(([, value]) => value !== undefined);
  return stringify(Object.fromEntries(fields), { aliasDuplicateObjects: false });
}

export const openapi = `openapi: 3.0.3
info: { title: Sums, version: '1' }
paths:
  /sum:
    get:
      responses:
        '200': { description: The sum }
`;

export function junit(tests: Record<string, 'passed' | 'failed' | 'skipped'>): string {
  const inside = { passed: '', failed: '<failure message="no"/>', skipped: '<skipped/>' };
  const cases = Object.entries(tests).map(([name, status]) => `<testcase name="${name}">${inside[status]}</testcase>`);
  return `<?xml version="1.0"?>\n<testsuites><testsuite name="sum">${cases.join('')}</testsuite></testsuites>\n`;
}

/** LCOV of `src/sum.js`: its four lines and four branches, hit or not. */
export function sumCoverage(lines: number[] = [1, 1, 1, 1], branches: number[] = [1, 1, 1, 1]): string {
  return [
    'SF:src/sum.js',
    ...lines.map((hit, index) => `DA:${index + 1},${hit}`),
    ...branches.map((hit, index) => `BRDA:2,0,${index},${hit}`),
    'end_of_record\n',
  ].join('\n');
}

export function mutants(statuses: string[]): string {
  const found = statuses.map((status, id) => ({
    id,
    mutatorName: 'Arithmetic',
    status,
    location: { start: { line: 2 } },
  }));
  return JSON.stringify({ schemaVersion: '1', thresholds: {}, files: { 'src/sum.js': { mutants: found } } });
}

export const passing = junit({ 'A1 adds two numbers': 'passed', 'A2 refuses a text': 'passed' });
const sum = 'export const sum = (a, b) => {\n  if (isNaN(a + b)) throw new Error(a);\n  return a + b;\n};\n';

/** The reports of a finished change. Written last, so that they are not older than the code. */
export const soundReports = {
  'reports/junit.xml': passing,
  'coverage/lcov.info': sumCoverage(),
  'reports/mutation/mutation.json': mutants(['Killed', 'Killed', 'Timeout', 'Survived']),
};

/** A policy for tests that write reports by hand. */
export const acceptsReports = 'evidence: { unattested: accept }\n';

/** The tests that the reports of the fixtures name. */
const sumTests = [
  "import { expect, test } from 'vitest';\nimport { sum } from '../src/sum.js';\n",
  ...['A1', 'A1 adds two numbers', 'FEAT-0001 A1'].map(
    (title) => `test('${title}', () => expect(sum(1, 2)).toBe(3));\n`,
  ),
  ...['A2', 'A2 refuses a text', 'other'].map((title) => `test('${title}', () => expect(() => sum('a')).toThrow());\n`),
].join('');

/** Commits files to the base of the work, as a merged change would. */
export async function putAtBase(repo: Repo, files: Parameters<Repo['put']>[0]): Promise<void> {
  await repo.put(files);
  repo.git('add', '-A', '--', ...Object.keys(files));
  repo.git('commit', '-q', '-m', 'chore: change the base', '--', ...Object.keys(files));
  repo.git('branch', '-f', 'main', 'HEAD');
}

/** A repository with work on a branch that meets its spec completely. */
export async function governedRepo(spec: Fields = {}, base: Record<string, string> = {}): Promise<Repo> {
  const repo = await newRepo({
    '.caws/policy.yaml': acceptsReports,
    ...base,
    '.caws/working-spec.yaml': specText(spec),
    '.gitignore': '/coverage/\n/reports/\n',
    'api.yaml': openapi,
    'src/sum.js': 'export const sum = 0;\n',
  });
  repo.git('checkout', '-q', '-b', 'work');
  await repo.put({ 'src/sum.js': sum, 'test/sum.test.js': sumTests });
  await repo.put(soundReports);
  return repo;
}
