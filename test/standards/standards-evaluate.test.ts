import { describe, expect, test } from 'vitest';
import type { Repo } from '../support/git/repos.ts';
import { governedRepo, junit, mutants, soundReports, sumCoverage } from '../support/standards/governed-repo.ts';
import { criterion, standardsServer } from '../support/standards/standards.ts';

const { evaluate } = standardsServer();

describe('caws_evaluate', () => {
  test('passes a change that meets its spec and lists the evidence', async () => {
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

  test('returns the same result twice, except for times', async () => {
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
      /excluded by scope\.out/,
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
      /api\.yaml: it is not a valid OpenAPI/,
    ],
    ['a contract that no longer exists', again({ 'api.yaml': null }), 'contract_compliance', 'failed', /no such file/],
    [
      'a secret on a changed line',
      again({ 'src/key.txt': `x\nAKIA${'ABCD'.repeat(4)}\n` }),
      'security_scan',
      'failed',
      /src\/key\.txt:2: an AWS access key/,
    ],
    [
      'a stub',
      again({ 'src/sum.js': '// TODO later\nexport const sum = 1;\n\n\n' }),
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
  ])('reports %s', async (_, change, id, status, detail) => {
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
});
