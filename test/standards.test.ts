import { readdir, readFile, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { type Connection, connectStdio, runAssay } from './support/assay.ts';
import { type Folder, newFolder } from './support/folders.ts';
import {
  criterion as criterionOf,
  governedRepo,
  junit,
  mutants,
  openapi,
  passing,
  soundReports,
  specText,
  sumCoverage,
} from './support/governed-repo.ts';
import { isolatedGit, newRepo, type Repo, repoAt } from './support/repos.ts';

/** One server for all of these; every repository is a working directory of its own. */
let home: Folder;
let client: Connection;
beforeAll(async () => {
  home = await newFolder();
  client = await connectStdio('modern', { cwd: home.path, args: ['--toolsets', 'standards'], env: isolatedGit });
});
afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: each tool has its own result, and the tests say which
  data: any;
  text: string;
  isError: boolean;
}

async function call(name: string, repo: { path: string }, args: Record<string, unknown> = {}): Promise<Answer> {
  const result = await client.callTool({ name, arguments: { workingDirectory: repo.path, ...args } });
  const [content] = result.content;
  const text = content?.type === 'text' ? content.text : '';
  return { data: result.structuredContent, text, isError: result.isError === true };
}

async function evaluate(repo: { path: string }) {
  const { data } = await call('caws_evaluate', repo);
  return data.evaluation;
}

type Criterion = { id: string; status: string; blocking: boolean; actual: number | null; details: string[] };
const criterion = (evaluation: { criteria: Criterion[] }, id: string) =>
  evaluation.criteria.find((one) => one.id === id);

const waiver = (changes: Record<string, unknown> = {}) => ({
  id: 'WV-0001',
  title: 'No mutation tests yet',
  reason: 'infrastructure_limitation',
  description: 'The runner cannot do it',
  gates: ['mutation_threshold'],
  created_at: '2026-01-01T00:00:00.000Z',
  expires_at: '2099-01-01T00:00:00.000Z',
  approved_by: 'the lead',
  impact_level: 'low',
  mitigation_plan: 'Review by hand',
  status: 'active',
  ...changes,
});

describe('caws_validate', () => {
  test('says that a sound spec is valid, in the words of the specification', async () => {
    await using repo = await governedRepo();
    const { text, data, isError } = await call('caws_validate', repo);
    expect(text).toBe('Validation completed:\n✅ Working spec is valid');
    expect(isError).toBe(false);
    expect(data).toMatchObject({
      success: true,
      valid: true,
      problems: [],
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  const acceptance = (id: unknown) => [criterionOf(id, 'two numbers', 'their sum')];
  test.each<[what: string, changes: Record<string, unknown>, path: string, message: RegExp]>([
    ['a missing field', { mode: undefined }, '/mode', /Missing required field: mode/],
    ['an id without a number', { id: 'sum' }, '/id', /id must be PREFIX-NUMBER/],
    ['a title that says nothing', { title: 'sum' }, '/title', /at least 8 characters/],
    ['a tier out of range', { risk_tier: 4 }, '/risk_tier', /risk_tier must be 1, 2 or 3, got 4/],
    ['an unknown mode', { mode: 'feat' }, '/mode', /must be one of feature, refactor, fix, doc, chore/],
    ['an empty scope', { scope: { in: [] } }, '/scope/in', /at least one path/],
    [
      'a scope that takes out what it takes in',
      { scope: { in: ['src/a/'], out: ['src/'] } },
      '/scope/out/0',
      /takes out all of/,
    ],
    ['a scope that leaves the project', { scope: { in: ['../other'] } }, '/scope/in/0', /leads out of the project/],
    [
      'a criterion twice',
      { acceptance: [...acceptance('A1'), ...acceptance('A1')] },
      '/acceptance/1/id',
      /A1 stands twice/,
    ],
    ['a criterion with a bad id', { acceptance: acceptance('first') }, '/acceptance/0/id', /must be A and a number/],
    ['no contract in tier 2', { contracts: [] }, '/contracts', /Contracts required for Tier 1 and 2/],
    [
      'a contract of an unknown type',
      { contracts: [{ type: 'soap', path: 'a' }] },
      '/contracts/0/type',
      /must be one of openapi/,
    ],
    ['a rollback time in words', { operational_rollback_slo: 'soon' }, '/operational_rollback_slo', /must be a time/],
    ['a budget of nothing', { change_budget: { max_files: 0, max_loc: 5 } }, '/change_budget/max_files', /at least 1/],
    ['a waiver that is none', { waiver_ids: ['W1'] }, '/waiver_ids/0', /must look like WV-0001/],
    ['a waiver that is not there', { waiver_ids: ['WV-0404'] }, '/waiver_ids/0', /There is no waiver WV-0404/],
    [
      'performance in words',
      { non_functional: { perf: { lcp_ms: 'fast' } } },
      '/non_functional/perf/lcp_ms',
      /must be a number/,
    ],
  ])('names %s with its line', async (_, changes, path, message) => {
    await using repo = await newRepo({ '.caws/working-spec.yaml': specText(changes), 'api.yaml': openapi });
    const { isError, data, text } = await call('caws_validate', repo);
    expect(isError).toBe(true);
    expect(data).toMatchObject({ success: false, command: 'caws validate', code: 'EINVAL' });
    expect(JSON.parse(text)).toEqual(data);
    const problem = data.problems.find((one: { severity: string }) => one.severity === 'error');
    expect(problem.message).toMatch(message);
    expect(problem.path).toBe(path);
    const lines = specText(changes).split('\n');
    const key = path.split('/').findLast((part) => !/^\d+$/.test(part) && part !== '') ?? '';
    if (!/Missing/.test(problem.message))
      expect(lines.slice(Math.max(0, problem.line - 3), problem.line).join('\n')).toContain(key);
    expect(data.error).toContain(`.caws/working-spec.yaml:${problem.line}:${problem.column}: error:`);
  });

  test('tells every problem at once, those of the policy too, and suggests what to write', async () => {
    await using repo = await newRepo({
      '.caws/working-spec.yaml': specText({ risk_tier: 9, title: 'x', invarients: ['a'], invariants: undefined }),
      '.caws/policy.yaml': 'risk_tiers:\n  1: { max_files: 90 }\n  2: { max_files: 20 }\n',
      'api.yaml': openapi,
    });
    const { data } = await call('caws_validate', repo);
    const messages = data.problems.map(
      ({ file, line, message, suggestion }: Record<string, unknown>) => `${file}:${line} ${message} ${suggestion}`,
    );
    expect(messages).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/working-spec\.yaml:2 title must have at least 8/),
        expect.stringMatching(/working-spec\.yaml:3 risk_tier must be 1, 2 or 3, got 9 Write risk_tier/),
        expect.stringMatching(/Unknown field: invarients Did you mean invariants\?/),
        expect.stringMatching(/policy\.yaml:2 Tier 1 is looser than tier 2: max_files is 90 against 20/),
      ]),
    );
  });

  test.each([
    ['a tab', 'id: FEAT-0001\n\ttitle: x\n', 2],
    ['a key twice', 'id: FEAT-0001\nid: FEAT-0002\n', 2],
    ['an open bracket', 'scope:\n  in: [src\nmode: fix\n', 3],
  ])('names the line of YAML with %s', async (_, yaml, line) => {
    await using repo = await newRepo({ '.caws/working-spec.yaml': yaml });
    const { data } = await call('caws_validate', repo);
    expect(data.problems[0]).toMatchObject({ line, message: expect.stringMatching(/^Not valid YAML/) });
  });

  test('refuses a file that is missing, elsewhere, or no file', async () => {
    await using repo = await newRepo({ 'a.txt': '' });
    const codes = ['.caws/working-spec.yaml', '../../etc/passwd', '/etc/passwd', '.', 'a\0b'].map(async (specFile) => {
      const { data, isError } = await call('caws_validate', repo, { specFile });
      return [isError, data.success, data.code];
    });
    expect(await Promise.all(codes)).toEqual([
      [true, false, 'ENOENT'],
      [true, false, 'EINVAL'],
      [true, false, 'EINVAL'],
      [true, false, 'EINVAL'],
      [true, false, 'EINVAL'],
    ]);
  });
});

describe('caws_evaluate', () => {
  test('passes a change that is shown to meet its spec, and shows by what', async () => {
    await using repo = await governedRepo();
    const evaluation = await evaluate(repo);
    expect(evaluation).toMatchObject({
      overall_status: 'quality_passed',
      quality_score: 1,
      next_actions: [],
      problems: [],
    });
    expect(criterion(evaluation, 'coverage_threshold')).toMatchObject({
      status: 'passed',
      actual: 100,
      threshold: 80,
      evidence: [
        {
          path: 'coverage/lcov.info',
          sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
          state: 'fresh',
          age_seconds: expect.any(Number),
        },
      ],
    });
    expect(criterion(evaluation, 'mutation_threshold')).toMatchObject({ actual: 75, threshold: 50 });
    expect(criterion(evaluation, 'acceptance_criteria')).toMatchObject({ actual: 2, threshold: 2 });
  });

  test('says the same twice, apart from the times', async () => {
    await using repo = await governedRepo();
    const timeless = (evaluation: unknown) => JSON.stringify(evaluation).replaceAll(/"age_seconds":\d+/g, '');
    expect(timeless(await evaluate(repo))).toBe(timeless(await evaluate(repo)));
  });

  type Change = (repo: Repo) => Promise<unknown>;
  const put =
    (files: Record<string, string | null>): Change =>
    async (repo) =>
      repo.put(files);
  const again = (files: Record<string, string | null>): Change => put({ ...files, ...soundReports });

  test.each<[fact: string, change: Change, id: string, status: string, detail: RegExp]>([
    [
      'a file out of scope',
      again({ 'docs/a.md': 'text\n' }),
      'scope_boundary',
      'failed',
      /docs\/a\.md: not in scope\.in; undo or unstage it, or add it to scope\.in/,
    ],
    [
      'a file that scope.out names',
      again({ 'src/vendor/x.txt': 'text\n' }),
      'scope_boundary',
      'failed',
      /taken out by scope\.out/,
    ],
    [
      'more lines than the budget',
      again({ 'src/long.txt': 'line\n'.repeat(2001) }),
      'budget_limit',
      'failed',
      /src\/long\.txt: \+2001/,
    ],
    [
      'a failing test',
      put({ 'reports/junit.xml': junit({ A1: 'passed', A2: 'passed', other: 'failed' }) }),
      'test_results',
      'failed',
      /sum > other/,
    ],
    [
      'a criterion without a test',
      put({ 'reports/junit.xml': junit({ A1: 'passed' }) }),
      'acceptance_criteria',
      'failed',
      /A2: no test names it/,
    ],
    [
      'a criterion whose test is skipped',
      put({ 'reports/junit.xml': junit({ A1: 'passed', A2: 'skipped' }) }),
      'acceptance_criteria',
      'failed',
      /A2: its tests are skipped/,
    ],
    [
      'a test that names another spec',
      put({ 'reports/junit.xml': junit({ A1: 'passed', 'FEAT-0009 A2': 'passed' }) }),
      'acceptance_criteria',
      'failed',
      /A2: no test/,
    ],
    [
      'branches that did not run',
      put({ 'coverage/lcov.info': sumCoverage([1, 1, 1, 1], [1, 1, 0, 0]) }),
      'coverage_threshold',
      'failed',
      /src\/sum\.js: 2 of 4 branches did not run/,
    ],
    [
      'lines that did not run, though all branches did',
      put({ 'coverage/lcov.info': sumCoverage([1, 1, 0, 0]) }),
      'coverage_threshold',
      'failed',
      /src\/sum\.js:3-4/,
    ],
    [
      'changed lines that did not run',
      put({ 'coverage/lcov.info': sumCoverage([1, 1, 0, 0]) }),
      'patch_coverage',
      'failed',
      /src\/sum\.js:3-4/,
    ],
    [
      'a changed file that no test loads',
      again({ 'src/new.js': 'export const n = 1;\n' }),
      'patch_coverage',
      'failed',
      /src\/new\.js: no test loads it/,
    ],
    [
      'mutants that survive',
      put({ 'reports/mutation/mutation.json': mutants(['Killed', 'Survived', 'NoCoverage', 'Ignored']) }),
      'mutation_threshold',
      'failed',
      /src\/sum\.js:2 \(Arithmetic Survived\)/,
    ],
    [
      'a contract that is broken',
      again({ 'api.yaml': 'openapi: 3.0.3\n' }),
      'contract_compliance',
      'failed',
      /api\.yaml: it is no valid OpenAPI/,
    ],
    ['a contract that is gone', again({ 'api.yaml': null }), 'contract_compliance', 'failed', /no such file/],
    [
      'a secret on a changed line',
      again({ 'src/key.txt': `x\nAKIA${'ABCD'.repeat(4)}\n` }),
      'security_scan',
      'failed',
      /src\/key\.txt:2: an AWS access key/,
    ],
    [
      'a stub',
      again({ 'src/sum.js': '// TODO later\nexport const sum = 1;\n' }),
      'todo_detection',
      'failed',
      /src\/sum\.js:1/,
    ],
    ['no report of tests', put({ 'reports/junit.xml': null }), 'test_results', 'unknown', /^$/],
    [
      'a report that is no XML',
      put({ 'reports/junit.xml': '<testsuites><testsuite>' }),
      'test_results',
      'unknown',
      /^$/,
    ],
    [
      'a report without a test that ran',
      put({ 'reports/junit.xml': junit({ A1: 'skipped' }) }),
      'test_results',
      'unknown',
      /^$/,
    ],
    ['no report of coverage', put({ 'coverage/lcov.info': null }), 'coverage_threshold', 'unknown', /^$/],
  ])('answers differently for %s', async (_, change, id, status, detail) => {
    await using repo = await governedRepo();
    await change(repo);
    const evaluation = await evaluate(repo);
    const found = criterion(evaluation, id);
    expect(found).toMatchObject({ status });
    expect(found?.details.join('\n')).toMatch(detail);
    expect(evaluation.quality_score).toBeLessThan(1);
    // Stubs are only warned of, unless the policy says otherwise.
    expect(evaluation.overall_status).toBe(id === 'todo_detection' ? 'quality_passed' : 'quality_failed');
    expect(evaluation.next_actions.length).toBeGreaterThan(0);
  });

  test('takes a report that is older than the code for none, and says so', async () => {
    await using repo = await governedRepo();
    const past = new Date(Date.now() - 3_600_000);
    for (const report of Object.keys(soundReports)) await utimes(join(repo.path, report), past, past);
    const evaluation = await evaluate(repo);
    for (const id of ['test_results', 'acceptance_criteria', 'coverage_threshold', 'mutation_threshold']) {
      expect(criterion(evaluation, id)).toMatchObject({ status: 'unknown', blocking: true });
    }
    expect(criterion(evaluation, 'test_results')).toMatchObject({
      evidence: [{ state: 'stale', note: expect.stringMatching(/older than (src|test)\//) }],
    });
  });

  test('knows nothing of tests where a report broke off, or that of one package is old', async () => {
    await using repo = await governedRepo();
    await repo.put({ 'reports/more.xml': '<testsuites><testsuite><testcase name="A3"><fail' });
    expect(criterion(await evaluate(repo), 'test_results')).toMatchObject({
      status: 'unknown',
      blocking: true,
      feedback: expect.stringContaining('reports/more.xml cannot be read'),
    });
    await using both = await newRepo({
      '.caws/working-spec.yaml': specText({ scope: { in: ['packages/'] } }),
      '.gitignore': 'reports/\n',
      'api.yaml': openapi,
    });
    await both.put({ 'packages/a/src/a.js': '1\n', 'packages/b/src/b.js': '1\n' });
    await both.put({ 'packages/a/reports/junit.xml': passing, 'packages/b/reports/junit.xml': passing });
    expect(criterion(await evaluate(both), 'test_results')).toMatchObject({ status: 'passed' });
    const past = new Date(Date.now() - 3_600_000);
    await utimes(join(both.path, 'packages/b/reports/junit.xml'), past, past);
    expect(criterion(await evaluate(both), 'test_results')).toMatchObject({
      status: 'unknown',
      feedback: expect.stringContaining('packages/b/reports/junit.xml is older than packages/b/src/b.js'),
    });
    await both.put({ 'reports/junit.xml': passing });
    expect(criterion(await evaluate(both), 'test_results')).toMatchObject({ status: 'passed' });
  });

  test('does not let what is unknown pass in tier 2, lets some of it pass in tier 3, and never most of it', async () => {
    const withoutMutation = async (tier: number) => {
      await using repo = await governedRepo({ risk_tier: tier });
      await repo.put({ 'reports/mutation/mutation.json': null });
      return await evaluate(repo);
    };
    expect(await withoutMutation(2)).toMatchObject({ overall_status: 'quality_failed' });
    const low = await withoutMutation(3);
    expect(low.overall_status).toBe('quality_passed');
    expect(criterion(low, 'mutation_threshold')).toMatchObject({ status: 'unknown', blocking: false });
    await using bare = await governedRepo({ risk_tier: 3 });
    await bare.put({ reports: null, coverage: null });
    expect(await evaluate(bare)).toMatchObject({
      overall_status: 'quality_failed',
      message: expect.stringMatching(/Too little is known/),
    });
  });

  test.each(['test_results', 'acceptance_criteria'])(
    'does not pass without the evidence for %s in tier 3',
    async (id) => {
      await using repo = await governedRepo({ risk_tier: 3 });
      const other = id === 'test_results' ? 'acceptance_criteria' : 'test_results';
      await repo.put({ '.caws/policy.yaml': `gates:\n  ${other}: { mode: warn }\n`, 'reports/junit.xml': null });
      const bare = await evaluate(repo);
      expect(bare.overall_status).toBe('quality_failed');
      expect(criterion(bare, id)).toMatchObject({ status: 'unknown', blocking: true });
      expect(criterion(bare, other)).toMatchObject({ status: 'unknown', blocking: false });
      await repo.put({ '.caws/policy.yaml': `gates:\n  ${other}: { mode: warn }\n  ${id}: { mode: warn }\n` });
      expect(await evaluate(repo)).toMatchObject({
        overall_status: 'quality_passed',
        message: 'Quality standards met, as far as is known; not known: test_results, acceptance_criteria',
      });
    },
  );

  test('says of a finding that only blocks because most is not known that it does', async () => {
    await using repo = await governedRepo({ risk_tier: 3 });
    await repo.put({ 'coverage/lcov.info': null, 'reports/mutation/mutation.json': null });
    const some = criterion(await evaluate(repo), 'coverage_threshold');
    await repo.put({ 'reports/junit.xml': null });
    const most = criterion(await evaluate(repo), 'coverage_threshold');
    expect([some, most]).toMatchObject([
      { blocking: false, feedback: expect.not.stringContaining('most is not known') },
      { blocking: true, feedback: expect.stringContaining('blocks, since most is not known') },
    ]);
  });

  test('says where it looked for a report of tests, and how to write one', async () => {
    await using repo = await governedRepo();
    await repo.put({ 'reports/junit.xml': null });
    const said = {
      feedback: expect.stringMatching(/reports\/, test-results\/.*reports\.tests in .*pytest --junitxml=junit\.xml/),
    };
    expect(criterion(await evaluate(repo), 'test_results')).toMatchObject(said);
  });

  test('tells both shares of a coverage report, and which of them counts', async () => {
    await using repo = await governedRepo();
    const feedback = async (...report: Parameters<typeof sumCoverage>) => {
      await repo.put({ 'coverage/lcov.info': sumCoverage(...report) });
      return criterion(await evaluate(repo), 'coverage_threshold');
    };
    expect(await feedback([1, 1, 0, 0])).toMatchObject({
      actual: 50,
      unit: '% of lines',
      feedback: '2 of 4 lines ran, and 4 of 4 branches; the lower share counts',
    });
    expect(await feedback([1, 1, 1, 0], [1, 0])).toMatchObject({
      actual: 50,
      unit: '% of branches',
      feedback: '1 of 2 branches ran, and 3 of 4 lines; the lower share counts',
    });
    expect(await feedback([1, 1, 1, 1], [])).toMatchObject({
      actual: 100,
      feedback: '4 of 4 lines ran; the report knows no branches',
    });
  });

  test('counts one file as one file', async () => {
    await using repo = await governedRepo();
    await repo.put({ 'src/new.js': 'export const n = 1;\n', ...soundReports });
    expect(criterion(await evaluate(repo), 'patch_coverage')).toMatchObject({
      feedback: expect.stringContaining('; 1 changed file is not in the report'),
    });
  });

  test('honours a waiver while it is in force, and not a day longer', async () => {
    await using repo = await governedRepo();
    await repo.put({ 'reports/mutation/mutation.json': null });
    const withWaiver = async (changes: Record<string, unknown>) => {
      await repo.put({ '.caws/waivers/WV-0001.yaml': stringify(waiver(changes)) });
      const evaluation = await evaluate(repo);
      return [criterion(evaluation, 'mutation_threshold')?.status, evaluation.overall_status];
    };
    expect(await withWaiver({})).toEqual(['waived', 'quality_passed']);
    expect(await withWaiver({ expires_at: '2026-01-02T00:00:00.000Z' })).toEqual(['unknown', 'quality_failed']);
    expect(await withWaiver({ status: 'revoked' })).toEqual(['unknown', 'quality_failed']);
    expect(await withWaiver({ gates: ['coverage_threshold'] })).toEqual(['unknown', 'quality_failed']);
    expect(await withWaiver({ reason: 'because' })).toEqual(['unknown', 'quality_failed']);
  });

  test('lets a waiver add to the budget, and the smaller of spec and policy be the budget', async () => {
    await using repo = await governedRepo({ change_budget: { max_files: 1, max_loc: 100 } });
    expect(criterion(await evaluate(repo), 'budget_limit')).toMatchObject({ status: 'failed', actual: 200 });
    await repo.put({
      '.caws/waivers/WV-0001.yaml': stringify(waiver({ gates: ['budget_limit'], delta: { max_files: 1 } })),
    });
    expect(criterion(await evaluate(repo), 'budget_limit')).toMatchObject({ status: 'passed', actual: 100 });
  });

  test('goes by the policy: thresholds, modes and the base', async () => {
    await using repo = await governedRepo();
    await repo.put({ 'coverage/lcov.info': sumCoverage([1, 1, 1, 1], [1, 1, 1, 0]) });
    expect(criterion(await evaluate(repo), 'coverage_threshold')).toMatchObject({ status: 'failed', actual: 75 });
    await repo.put({ '.caws/policy.yaml': 'risk_tiers:\n  2: { coverage_threshold: 0.75 }\n' });
    expect(criterion(await evaluate(repo), 'coverage_threshold')).toMatchObject({ status: 'passed', threshold: 75 });
    await repo.put({ '.caws/policy.yaml': 'gates:\n  coverage_threshold: { mode: warn }\n' });
    expect(await evaluate(repo)).toMatchObject({ overall_status: 'quality_passed' });
    await repo.put({
      '.caws/policy.yaml': 'reports:\n  tests: [../x.xml, /etc/*, out/**/*.xml]\n',
      'reports/junit.xml': null,
    });
    expect(criterion(await evaluate(repo), 'test_results')).toMatchObject({ status: 'unknown' });
    await repo.put({ 'out/deep/er/a.xml': passing });
    expect(criterion(await evaluate(repo), 'test_results')).toMatchObject({ status: 'passed' });
    await repo.put({ '.caws/policy.yaml': 'base: elsewhere\n' });
    expect(criterion(await evaluate(repo), 'scope_boundary')).toMatchObject({ status: 'unknown', blocking: true });
    await repo.put({ '.caws/policy.yaml': 'base: [\n' });
    expect(await evaluate(repo)).toMatchObject({ overall_status: 'spec_invalid' });
  });

  test('calls an invalid spec what it is, and a missing one an error', async () => {
    await using repo = await governedRepo({ risk_tier: 7 });
    const { data, isError } = await call('caws_evaluate', repo);
    expect(isError).toBe(false);
    expect(data).toMatchObject({
      success: true,
      evaluation: {
        overall_status: 'spec_invalid',
        quality_score: 0,
        next_actions: [expect.stringMatching(/working-spec\.yaml:3:/)],
      },
    });
    const missing = await call('caws_evaluate', repo, { specFile: '.caws/other.yaml' });
    expect(missing.data).toMatchObject({ success: false, command: 'caws evaluate', code: 'ENOENT' });
  });

  test('asks a document for no tests, unless code comes with it', async () => {
    const doc = { mode: 'doc', risk_tier: 2, scope: { in: ['docs/', 'src/'] } };
    await using repo = await newRepo({ '.caws/working-spec.yaml': specText({ ...doc, contracts: [] }) });
    repo.git('checkout', '-q', '-b', 'work');
    await repo.put({ 'docs/a.md': 'text\n' });
    expect(await evaluate(repo)).toMatchObject({ overall_status: 'quality_passed' });
    await repo.put({ 'src/a.py': 'a = 1\n' });
    expect(await evaluate(repo)).toMatchObject({ overall_status: 'quality_failed' });
  });

  test('reads Python with JUnit and Cobertura, Go with JUnit and LCOV, Rust with TAP, all alike', async () => {
    const cobertura = (hits: number) =>
      `<?xml version="1.0"?><!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd"><coverage><sources><source>src</source></sources><packages><package><classes><class filename="sum.py"><lines><line number="1" hits="1"/><line number="2" hits="${hits}" branch="true" condition-coverage="${hits ? '100% (2/2)' : '50% (1/2)'}"/></lines></class></classes></package></packages></coverage>`;
    const spec = specText({ risk_tier: 3, contracts: [] });
    const measure = async (source: string, files: Record<string, string>) => {
      await using repo = await newRepo({ '.caws/working-spec.yaml': spec });
      repo.git('checkout', '-q', '-b', 'work');
      await repo.put({ [source]: 'one\ntwo\n' });
      await repo.put(files);
      const evaluation = await evaluate(repo);
      return ['test_results', 'coverage_threshold', 'patch_coverage'].map((id) => criterion(evaluation, id)?.actual);
    };
    expect(await measure('src/sum.py', { 'pytest-report.xml': passing, 'coverage.xml': cobertura(1) })).toEqual([
      0, 100, 100,
    ]);
    expect(await measure('src/sum.py', { 'pytest-report.xml': passing, 'coverage.xml': cobertura(0) })).toEqual([
      0, 50, 50,
    ]);
    expect(
      await measure('src/sum.go', {
        'junit.xml': passing,
        'lcov.info': 'SF:src/sum.go\nDA:1,1\nDA:2,0\nend_of_record\n',
      }),
    ).toEqual([0, 50, 50]);
    expect(
      await measure('src/sum.rs', { 'test.tap': 'TAP version 13\nok 1 - A1 adds\nnot ok 2 - A2 refuses\n1..2\n' }),
    ).toEqual([1, null, null]);
  });
});

test('assay ci standards ends with what it found and what it does not know', async () => {
  await using repo = await governedRepo({ risk_tier: 3 });
  const ci = async () => {
    const { code, stdout } = await runAssay(['ci', 'standards'], { cwd: repo.path, env: isolatedGit });
    return [code, stdout.trimEnd().split('\n').at(-1)];
  };
  expect(await ci()).toEqual([0, 'Standards: passed.']);
  await repo.put({ 'reports/mutation/mutation.json': null });
  const known = 'passed, as far as is known; not known: mutation_threshold (1 warning)';
  expect(await ci()).toEqual([0, `Standards: ${known}.`]);
  await repo.put({ 'reports/junit.xml': null });
  const unknown = 'failed; not known: test_results, acceptance_criteria, mutation_threshold (2 errors, 1 warning)';
  expect(await ci()).toEqual([1, `Standards: ${unknown}.`]);
});

describe('caws_iterate', () => {
  test('ranks what is missing, names it, and is as confident as the evidence', async () => {
    await using done = await governedRepo();
    const { iteration } = (await call('caws_iterate', done)).data;
    expect(iteration).toMatchObject({ confidence: 1, next_steps: [], focus_areas: [], unknown: [], claims: [] });
    await done.put({ 'reports/junit.xml': junit({ A1: 'failed' }), 'coverage/lcov.info': sumCoverage([1, 1, 0, 0]) });
    const { iteration: open } = (await call('caws_iterate', done)).data;
    expect(open.next_steps[0]).toMatch(/A1: its test fails/);
    expect(open.next_steps).toContainEqual(expect.stringMatching(/A2: no test names it/));
    expect(open.next_steps).toContainEqual(expect.stringMatching(/src\/sum\.js:3-4/));
    expect(open.confidence).toBeLessThan(0.7);
    expect(open.focus_areas).toContain('Acceptance criteria');
  });

  test('sends whoever has an invalid spec to its errors first', async () => {
    await using repo = await governedRepo({ title: 'x' });
    const { iteration } = (await call('caws_iterate', repo)).data;
    expect(iteration).toMatchObject({
      confidence: 0,
      next_steps: [expect.stringMatching(/working-spec\.yaml:2:1: error: title/)],
    });
  });

  test('treats what it is told as a claim', async () => {
    await using repo = await governedRepo();
    const claims = async (currentState: string) =>
      (await call('caws_iterate', repo, { currentState })).data.iteration.claims.map(
        ({ verdict }: { verdict: string }) => verdict,
      );
    expect(await claims('All tests pass. Coverage is 100 %. A1 works')).toEqual([
      'confirmed',
      'confirmed',
      'confirmed',
    ]);
    await repo.put({ 'reports/junit.xml': junit({ A1: 'failed', A2: 'passed' }) });
    expect(await claims('All tests pass; coverage is 60 %; A1 is done; everything is done')).toEqual(
      Array.from({ length: 4 }, () => 'contradicted'),
    );
    expect(await claims('Not done yet, the tests do not pass, I still need coverage')).toEqual([]);
    const { guidance } = (await call('caws_iterate', repo, { currentState: 'Tests pass' })).data.iteration;
    expect(guidance).toMatch(/You say "Tests pass", but test_results: 1 passed, 1 failed/);
  });
});

describe('caws_status', () => {
  test('is GOOD, FAIR or POOR by what was measured', async () => {
    await using repo = await governedRepo({ risk_tier: 3 });
    const health = async () => (await call('caws_status', repo)).data.output.split('\n')[0];
    expect(await health()).toBe('Project Health: GOOD');
    await repo.put({ 'reports/mutation/mutation.json': null });
    expect(await health()).toBe('Project Health: FAIR');
    await repo.put({ 'reports/junit.xml': junit({ A1: 'failed' }) });
    expect(await health()).toBe('Project Health: POOR');
    await repo.put({ '.caws/working-spec.yaml': null });
    expect((await call('caws_status', repo)).data).toMatchObject({
      success: true,
      health: 'POOR',
      reasons: [expect.stringMatching(/no working spec/)],
    });
  });

  test('tells branch, budget, waivers and the age of the evidence', async () => {
    await using repo = await governedRepo();
    await repo.put({ '.caws/waivers/WV-0001.yaml': stringify(waiver()) });
    const { data } = await call('caws_status', repo);
    expect(data.output).toMatch(/Git: work at [0-9a-f]{10}; 3 files changed since main/);
    expect(data.output).toMatch(/Budget: 2 of 50 files/);
    expect(data.output).toMatch(/Waiver WV-0001: mutation_threshold for \d+ more days/);
    expect(data.output).toMatch(/Coverage: 100 % of branches, 80 % needed;.*\[coverage\/lcov\.info, \d+ s old\]/);
    expect(data.output).toMatch(/Specification: \.caws\/working-spec\.yaml is valid$/m);
    expect(data.output).toMatch(/Change budget: 4 % of the budget; 2 of 50 files/);
    expect(data.output).toMatch(/Acceptance criteria: 2 of 2 criteria with a passing test;/);
    expect(data.waivers).toMatchObject([{ id: 'WV-0001', state: 'active' }]);
  });
});

describe('caws_diagnose', () => {
  test('finds nothing to repair where nothing is wrong, and repairs what is safe once', async () => {
    await using repo = await governedRepo();
    const look = await call('caws_diagnose', repo);
    expect(look.data).toMatchObject({ success: true, fixesApplied: false, fixes: [], healthy: false });
    expect(look.data.findings.map(({ check }: { check: string }) => check)).toEqual(['policy', 'git hooks']);
    await expect(readFile(join(repo.path, '.caws/policy.yaml'))).rejects.toThrow();

    const fixed = await call('caws_diagnose', repo, { fix: true });
    expect(fixed.data).toMatchObject({ fixesApplied: true, healthy: true, findings: [] });
    expect(fixed.data.fixes).toHaveLength(5);
    expect((await call('caws_validate', repo)).data).toMatchObject({ valid: true, problems: [] });
    expect((await call('caws_diagnose', repo, { fix: true })).data).toMatchObject({
      fixesApplied: false,
      fixes: [],
      healthy: true,
    });
  });

  test('mends the tier with its comments kept, marks an expired waiver, ignores reports', async () => {
    await using repo = await governedRepo();
    const spec = specText({ risk_tier: 9 }).replace('risk_tier: 9', 'risk_tier: 9 # low');
    await repo.put({
      '.caws/working-spec.yaml': spec,
      '.caws/policy.yaml': 'version: 1\n',
      '.caws/waivers/WV-0001.yaml': stringify(waiver({ expires_at: '2026-01-02T00:00:00.000Z' })),
      '.gitignore': '/reports/',
    });
    const { data } = await call('caws_diagnose', repo, { fix: true });
    expect(data.fixes).toMatchObject([
      { what: 'risk_tier mended', before: '9', after: '3' },
      ...['pre-commit', 'commit-msg', 'post-commit', 'pre-push'].map((hook) => ({
        file: expect.stringContaining(hook),
      })),
      { file: '.caws/waivers/WV-0001.yaml', after: 'status: expired' },
      { file: '.gitignore' },
    ]);
    expect(await readFile(join(repo.path, '.caws/working-spec.yaml'), 'utf8')).toContain('risk_tier: 3 # low');
    expect(await readFile(join(repo.path, '.gitignore'), 'utf8')).toBe('/reports/\n/coverage/\n');
    expect(await readFile(join(repo.path, '.caws/waivers/audit.jsonl'), 'utf8')).toMatch(
      /"waiver_expired","id":"WV-0001"/,
    );
  });
});

describe('caws_quality_monitor', () => {
  const monitor = async (repo: Repo, args: Record<string, unknown>) =>
    (await call('caws_quality_monitor', repo, args)).data;
  const kinds = ({ reasons }: { reasons: { kind: string }[] }) => reasons.map(({ kind }) => kind);

  test('answers in the shape of the specification', async () => {
    await using repo = await governedRepo();
    expect(await monitor(repo, { action: 'file_saved', files: ['src/sum.js'] })).toMatchObject({
      action: 'file_saved',
      files_affected: 1,
      quality_impact: 'code_change',
      recommendations: [expect.stringMatching(/caws_evaluate/)],
      risk_level: 'medium',
      reasons: [{ kind: 'tier', level: 'medium' }],
    });
  });

  test.each<[what: string, files: Record<string, string>, kind: string, risk: string]>([
    ['a file out of scope', { 'docs/a.md': 'x\n' }, 'out_of_scope', 'high'],
    ['a protected file', { 'package-lock.json': '{}\n' }, 'protected', 'high'],
    ['source without a test', { 'src/other.js': 'export const a = 1;\n' }, 'source_without_test', 'medium'],
    ['a skipped test', { 'test/other.test.js': "it.skip('A1', () => {});\n" }, 'skipped_test', 'medium'],
    ['a stub', { 'src/sum.js': "throw new Error('not implemented');\n" }, 'stub', 'medium'],
    ['a secret', { 'src/sum.js': `const key = 'ghp_${'a1B2'.repeat(9)}';\n` }, 'secret', 'high'],
    ['a change beyond its budget', { 'src/data.txt': 'x\n'.repeat(3000) }, 'budget', 'high'],
  ])('gives %s as a reason', async (_, files, kind, risk) => {
    await using repo = await governedRepo();
    await repo.put(files);
    const before = await monitor(repo, { action: 'code_edited', files: ['test/sum.test.js'] });
    const after = await monitor(repo, { action: 'code_edited', files: Object.keys(files) });
    if (kind !== 'budget') expect(kinds(before)).not.toContain(kind);
    expect(kinds(after)).toContain(kind);
    expect(after).toMatchObject({ risk_level: risk, quality_impact: 'implementation_change' });
    expect(JSON.stringify(after)).not.toContain('ghp_');
  });

  test('looks at the report after a run of tests', async () => {
    await using repo = await governedRepo();
    expect(await monitor(repo, { action: 'test_run' })).toMatchObject({
      quality_impact: 'validation_complete',
      risk_level: 'low',
      reasons: [],
    });
    await repo.put({ 'reports/junit.xml': junit({ A1: 'failed' }) });
    expect(await monitor(repo, { action: 'test_run' })).toMatchObject({
      risk_level: 'high',
      reasons: [{ kind: 'test_failed' }],
    });
    await repo.put({ 'reports/junit.xml': null });
    expect(kinds(await monitor(repo, { action: 'test_run' }))).toEqual(['no_evidence']);
  });

  test('uses what it is told where there is no spec, and doubts it where there is', async () => {
    await using repo = await newRepo({ 'src/a.js': 'x\n', 'test/a.test.js': 'x\n' });
    const told = (tier: number) =>
      monitor(repo, { action: 'file_saved', files: ['src/a.js'], context: { project_tier: tier } });
    expect(kinds(await told(1))).toEqual(['test_unchanged', 'tier', 'no_spec']);
    expect(kinds(await told(3))).toEqual(['test_unchanged', 'no_spec']);
    await using governed = await governedRepo();
    const context = { project_tier: 3, change_size: 9000 };
    expect(kinds(await monitor(governed, { action: 'file_saved', files: ['src/sum.js'], context }))).toEqual([
      'change_size',
      'tier',
      'tier_claim',
    ]);
  });
});

describe('caws_waiver_create', () => {
  const request = {
    title: 'Emergency security patch',
    reason: 'security_patch',
    description: 'Critical vulnerability requires immediate deployment',
    gates: ['mutation_threshold'],
    expiresAt: '2099-11-01T00:00:00Z',
    approvedBy: 'security-team',
    impactLevel: 'high',
    mitigationPlan: 'Manual testing completed, automated tests to follow',
  };

  test('is not there where its audit line cannot be written', async () => {
    await using repo = await governedRepo();
    await repo.put({ '.caws/waivers/audit.jsonl/taken': '' });
    expect((await call('caws_waiver_create', repo, request)).data).toMatchObject({ success: false, code: 'EINVAL' });
    expect(await readdir(join(repo.path, '.caws/waivers'))).toEqual(['audit.jsonl']);
  });

  test('turns a gate, is written with an audit line, and can be read', async () => {
    await using repo = await governedRepo();
    await repo.put({ 'reports/mutation/mutation.json': null });
    expect(await evaluate(repo)).toMatchObject({ overall_status: 'quality_failed' });
    const { text, data } = await call('caws_waiver_create', repo, request);
    expect(text).toBe(
      'Waiver created successfully:\nWV-0001 waives mutation_threshold until 2099-11-01T00:00:00.000Z\nFile: .caws/waivers/WV-0001.yaml',
    );
    expect(data).toMatchObject({ success: true, id: 'WV-0001', warnings: [] });
    expect(parse(await readFile(join(repo.path, data.file), 'utf8'))).toMatchObject({
      id: 'WV-0001',
      reason: 'security_patch',
      status: 'active',
      approved_by: 'security-team',
    });
    expect(JSON.parse(await readFile(join(repo.path, '.caws/waivers/audit.jsonl'), 'utf8'))).toMatchObject({
      event: 'waiver_created',
      id: 'WV-0001',
      approved_by: 'security-team',
    });
    expect(await evaluate(repo)).toMatchObject({ overall_status: 'quality_passed' });
  });

  test('gives many callers at once an id each', async () => {
    await using repo = await governedRepo();
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        call('caws_waiver_create', repo, { ...request, title: `Waiver ${index}` }),
      ),
    );
    const ids = made.map(({ data }) => data.id).sort();
    expect(ids).toEqual(Array.from({ length: 8 }, (_, index) => `WV-000${index + 1}`));
    const titles = await Promise.all(
      ids.map(async (id) => parse(await readFile(join(repo.path, `.caws/waivers/${id}.yaml`), 'utf8')).title),
    );
    expect(new Set(titles).size).toBe(8);
    expect((await readdir(join(repo.path, '.caws/waivers'))).filter((name) => !/^WV-000\d\.yaml$/.test(name))).toEqual([
      'audit.jsonl',
    ]);
  });

  test('accepts a gate that it does not know, with a warning that helps', async () => {
    await using repo = await governedRepo();
    const { data } = await call('caws_waiver_create', repo, {
      ...request,
      gates: ['mutation_score', 'coverage_treshold', 'beauty'],
    });
    expect(data.warnings).toEqual([
      expect.stringMatching(/"mutation_score".*did you mean mutation_threshold\?/),
      expect.stringMatching(/did you mean coverage_threshold\?/),
      expect.stringMatching(/"beauty".*known gates/),
    ]);
  });

  test.each([
    ['expiresAt', '2025-11-01T00:00:00Z', /not in the future/],
    ['expiresAt', 'tomorrow', /no ISO 8601 time/],
    ['expiresAt', '2099-13-45T00:00:00Z', /no ISO 8601 time/],
    ['reason', 'because', /reason/],
    ['impactLevel', 'galactic', /impactLevel/],
    ['gates', [], /gates/],
    ['title', '  ', /title/],
  ])('refuses %s %j', async (field, value, message) => {
    await using repo = await governedRepo();
    const { data, isError } = await call('caws_waiver_create', repo, { ...request, [field]: value });
    expect(isError).toBe(true);
    expect(data).toMatchObject({
      success: false,
      error: expect.stringMatching(message),
      command: expect.stringMatching(/^caws waiver/),
      code: 'EINVAL',
    });
    await expect(readdir(join(repo.path, '.caws/waivers'))).rejects.toThrow();
  });

  test('keeps to the longest time that a policy allows', async () => {
    await using repo = await governedRepo();
    await repo.put({ '.caws/policy.yaml': 'waiver_approval: { max_duration_days: 90 }\n' });
    expect((await call('caws_waiver_create', repo, request)).data).toMatchObject({
      code: 'EINVAL',
      error: expect.stringMatching(/allows 90/),
    });
  });
});

describe('resources', () => {
  test('are listed and templated, and give the spec and the waivers', async () => {
    await using repo = await governedRepo();
    await repo.put({
      '.caws/waivers/WV-0001.yaml': stringify(waiver({ expires_at: '2026-01-02T00:00:00.000Z' })),
      'packages/a b/.caws/working-spec.yaml': specText(),
    });
    await using local = await connectStdio('modern', { cwd: repo.path, args: ['--toolsets', 'standards'] });
    const { resources } = await local.listResources();
    expect(resources.map(({ uri, mimeType }) => [uri, mimeType])).toEqual([
      ['caws://working-spec/.caws/working-spec.yaml', 'application/yaml'],
      ['caws://working-spec/packages/a%20b/.caws/working-spec.yaml', 'application/yaml'],
      ['caws://waivers/WV-0001', 'application/json'],
    ]);
    const { resourceTemplates } = await local.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'caws://working-spec/{+path}',
      'caws://waivers/{id}',
    ]);
    const read = async (uri: string) => {
      const [content] = (await local.readResource({ uri })).contents;
      return content && 'text' in content ? content.text : '';
    };
    expect(await read('caws://working-spec/.caws/working-spec.yaml')).toBe(specText());
    expect(await read('caws://working-spec/packages/a%20b/.caws/working-spec.yaml')).toBe(specText());
    expect(JSON.parse(await read('caws://waivers/WV-0001'))).toMatchObject({
      title: 'No mutation tests yet',
      status: 'active',
      effective_status: 'expired',
    });
  });

  test('lead nowhere but to YAML in a .caws folder of the project', async () => {
    await using repo = await governedRepo();
    await repo.put({ 'secret.yaml': 'a: 1\n', '.caws/plain.txt': 'x' });
    await symlink('/etc/passwd', join(repo.path, '.caws/passwd.yaml'));
    await symlink('/etc', join(repo.path, 'linked'));
    await symlink('../secret.yaml', join(repo.path, '.caws/inner.yaml'));
    await using local = await connectStdio('modern', { cwd: repo.path, args: ['--toolsets', 'standards'] });
    const paths = [
      '/etc/passwd',
      '../../etc/passwd',
      '..%2F..%2Fetc%2Fpasswd',
      '.caws/..%2F..%2Fsecret.yaml',
      '.caws/../secret.yaml',
      '%252e%252e/secret.yaml',
      'secret.yaml',
      '.caws/plain.txt',
      '.caws/passwd.yaml',
      '.caws/inner.yaml',
      'linked/.caws/x.yaml',
      '.caws/working-spec.yaml%00',
      '.caws%5Cworking-spec.yaml',
      '%',
    ];
    for (const path of paths)
      await expect(local.readResource({ uri: `caws://working-spec/${path}` }), path).rejects.toThrow();
    for (const id of ['WV-1', 'WV-0404', '../policy', '..%2Fpolicy'])
      await expect(local.readResource({ uri: `caws://waivers/${id}` }), id).rejects.toThrow();
  });
});

describe('a hostile repository', () => {
  const tools = ['caws_status', 'caws_evaluate', 'caws_iterate', 'caws_validate', 'caws_diagnose'];

  test('whose spec is a link to elsewhere is told so, and nothing of it is shown', async () => {
    await using repo = await newRepo({ 'a.txt': '' });
    await repo.put({ '.caws/keep': '' });
    await symlink('/etc/passwd', join(repo.path, '.caws/working-spec.yaml'));
    for (const tool of tools) {
      const { text } = await call(tool, repo);
      expect(text, tool).toMatch(/symbolic link/);
      expect(text, tool).not.toMatch(/root:/);
    }
  });

  test('whose .caws folder leads elsewhere gets nothing written there', async () => {
    await using outside = await newFolder();
    await using repo = await newRepo({ 'a.txt': '' });
    await symlink(outside.path, join(repo.path, '.caws'));
    const { data } = await call('caws_diagnose', repo, { fix: true });
    const { isError } = await call('caws_waiver_create', repo, {
      title: 't',
      reason: 'other',
      description: 'd',
      gates: ['x'],
      expiresAt: '2099-01-01',
      approvedBy: 'a',
      impactLevel: 'low',
      mitigationPlan: 'm',
    });
    expect(isError || data.success === false).toBe(true);
    expect(await readdir(outside.path)).toEqual([]);
  });

  test('with names of every kind is counted right, and none of them is run', async () => {
    await using repo = await governedRepo();
    await repo.put({
      'odd\nname".js': 'a\n',
      '$(touch ran).js': 'a\n',
      '-rf': 'a\n',
      ':(exclude)x.js': 'a\n',
      "it's\t.js": 'a\n',
      'ünï.js': 'a\n',
      ...soundReports,
    });
    repo.git('add', '-A', '.');
    const scope = criterion(await evaluate(repo), 'scope_boundary');
    expect(scope?.actual).toBe(6);
    expect(scope?.details).toContainEqual(expect.stringMatching(/^"odd\\nname\\"\.js": not in scope\.in;/));
    await call('caws_quality_monitor', repo, {
      action: 'file_saved',
      files: ['odd\nname".js', '$(touch ran).js', '-rf', '../../x'],
    });
    expect((await readdir(repo.path)).includes('ran')).toBe(false);
  });

  test('with a renamed, a binary and a deleted file is counted right', async () => {
    await using repo = await newRepo({
      '.caws/working-spec.yaml': specText({
        contracts: [],
        risk_tier: 3,
        change_budget: { max_files: 100, max_loc: 100 },
      }),
      'src/old.txt': 'line\n'.repeat(50),
      'src/gone.txt': 'line\n'.repeat(7),
    });
    repo.git('checkout', '-q', '-b', 'work');
    repo.git('mv', 'src/old.txt', 'src/new.txt');
    await repo.put({ 'src/gone.txt': null, 'src/picture.bin': Buffer.from([0, 1, 2, 10, 10]) });
    await symlink('/etc/passwd', join(repo.path, 'src/link.txt'));
    expect(criterion(await evaluate(repo), 'budget_limit')).toMatchObject({
      actual: 7,
      feedback: expect.stringMatching(/^4 of 100 files .*, 7 of 100 lines/),
    });
  });

  test('with filters and hooks of its own has none of them run', async () => {
    await using repo = await governedRepo();
    await repo.put({ '.gitattributes': '*.js filter=evil diff=evil\n' });
    const touch = (name: string) => `touch ${join(home.path, name)}; cat`;
    repo.git('config', 'filter.evil.clean', touch('clean'));
    repo.git('config', 'diff.evil.textconv', touch('textconv'));
    repo.git('config', 'diff.external', touch('external'));
    repo.git('config', 'core.fsmonitor', touch('fsmonitor'));
    await call('caws_status', repo);
    await call('caws_quality_monitor', repo, { action: 'file_saved', files: ['src/sum.js'] });
    expect(await readdir(home.path)).toEqual([]);
  });

  test('is only looked at: its index stays as it is where a file was touched', async () => {
    await using repo = await governedRepo();
    await utimes(join(repo.path, 'api.yaml'), 1, 1);
    const index = await readFile(join(repo.path, '.git/index'));
    await evaluate(repo);
    expect((await readFile(join(repo.path, '.git/index'))).equals(index)).toBe(true);
  });

  test('without git, without a commit, with a detached head, shallow or with a submodule gets a clear answer', async () => {
    await using source = await governedRepo();
    await source.commit('work');
    const scopeIn = async (repo: { path: string }) => {
      const found = criterion(await evaluate(repo), 'scope_boundary');
      return [found?.status, found?.actual];
    };
    await using plain = await newFolder();
    await plain.write('.caws/working-spec.yaml', specText());
    expect(await scopeIn(plain)).toEqual(['unknown', null]);
    const bare = repoAt(plain);
    bare.git('init', '-q', '-b', 'main');
    expect(await scopeIn(bare)).toEqual(['passed', 0]);

    source.git('checkout', '-q', '--detach');
    expect(await scopeIn(source)).toEqual(['passed', 0]);
    expect((await call('caws_status', source)).data.output).toMatch(/Git: detached head at/);
    source.git('checkout', '-q', 'main');
    await source.commit('more', { 'src/more.txt': '' });
    await using clones = await newFolder();
    source.git(
      'clone',
      '-q',
      '--depth',
      '1',
      '--no-single-branch',
      `file://${source.path}`,
      join(clones.path, 'shallow'),
    );
    source.git('-C', join(clones.path, 'shallow'), 'checkout', '-q', 'work');
    const shallow = await call('caws_evaluate', { path: join(clones.path, 'shallow') });
    source.git('checkout', '-q', 'work');
    expect(criterion(shallow.data.evaluation, 'budget_limit')).toMatchObject({
      status: 'unknown',
      feedback: expect.stringMatching(/git fetch --unshallow/),
    });

    source.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', `file://${source.path}`, 'vendored');
    expect(criterion(await evaluate(source), 'scope_boundary')?.details).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^vendored: not in scope/),
        expect.stringMatching(/^\.gitmodules/),
      ]),
    );
  });

  test('with a file of 200 MB is held to its budget without being held in memory', async () => {
    await using repo = await governedRepo();
    await repo.put({ 'src/huge.txt': Buffer.alloc(200 * 1024 * 1024, 'a line of text\n'), ...soundReports });
    repo.git('add', '-A');
    const evaluation = await evaluate(repo);
    expect(criterion(evaluation, 'budget_limit')).toMatchObject({
      status: 'failed',
      details: expect.arrayContaining([expect.stringMatching(/huge\.txt: \+13981014 -0 \(too large to compare\)/)]),
    });
  });

  test('with a spec that unfolds without end, or is nested without end, is refused', async () => {
    const bomb = `a: &a [x, x, x, x, x, x, x, x, x]\n${'bcdefghi'
      .split('')
      .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghi'[index]}`).join(', ')}]`)
      .join('\n')}\n`;
    for (const yaml of [bomb, `id: ${'['.repeat(100_000)}`, '- '.repeat(50_000), `${'{a: '.repeat(5000)}`]) {
      await using repo = await newRepo({ '.caws/working-spec.yaml': yaml });
      expect((await call('caws_validate', repo)).data).toMatchObject({ success: false, code: 'EINVAL' });
    }
  });

  test('with reports that are hostile is not believed, and the server lives on', async () => {
    await using repo = await governedRepo();
    await repo.put({
      'reports/junit.xml': `<!DOCTYPE x [<!ENTITY a "b">]><testsuites><testsuite><testcase name="&a;A1"/></testsuite></testsuites>`,
      'reports/deep.xml': `<testsuites>${'<testsuite>'.repeat(10_000)}`,
      'reports/mutation/mutation.json': '{"schemaVersion":"1","files":{"__proto__":{"mutants":5}}}',
      'coverage/lcov.info': 'SF:../../../etc/passwd\nDA:1,1\nend_of_record\n',
    });
    const evaluation = await evaluate(repo);
    expect(evaluation.overall_status).toBe('quality_failed');
    expect(criterion(evaluation, 'test_results')?.status).toBe('unknown');
    expect(criterion(evaluation, 'mutation_threshold')?.status).toBe('unknown');
  });
});
