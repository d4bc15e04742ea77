import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { runAssay } from '../support/assay.ts';
import { isolatedGit, newRepo } from '../support/git/repos.ts';
import {
  acceptsReports,
  governedRepo,
  openapi,
  passing,
  putAtBase,
  soundReports,
  specText,
  sumCoverage,
} from '../support/standards/governed-repo.ts';
import { criterion, standardsServer, waiver } from '../support/standards/standards.ts';

const { call, evaluate } = standardsServer();

describe('caws_evaluate', () => {
  test('ignores a report that is older than the code and says so', async () => {
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

  test('reports tests as unknown if a report is truncated or one package has a stale report', async () => {
    await using repo = await governedRepo();
    await repo.put({ 'reports/more.xml': '<testsuites><testsuite><testcase name="A3"><fail' });
    expect(criterion(await evaluate(repo), 'test_results')).toMatchObject({
      status: 'unknown',
      blocking: true,
      feedback: expect.stringContaining('reports/more.xml cannot be read'),
    });
    await using both = await newRepo({
      '.caws/working-spec.yaml': specText({ scope: { in: ['packages/'] } }),
      '.caws/policy.yaml': acceptsReports,
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

  test('blocks unknown gates in tier 2, and in tier 3 if most are unknown', async () => {
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
      await putAtBase(repo, { '.caws/policy.yaml': `${acceptsReports}gates:\n  ${other}: { mode: warn }\n` });
      await repo.put({ ...soundReports, 'reports/junit.xml': null });
      const bare = await evaluate(repo);
      expect(bare.overall_status).toBe('quality_failed');
      expect(criterion(bare, id)).toMatchObject({ status: 'unknown', blocking: true });
      expect(criterion(bare, other)).toMatchObject({ status: 'unknown', blocking: false });
      await putAtBase(repo, {
        '.caws/policy.yaml': `${acceptsReports}gates:\n  ${other}: { mode: warn }\n  ${id}: { mode: warn }\n`,
      });
      expect(await evaluate(repo)).toMatchObject({
        overall_status: 'quality_passed',
        message: 'Quality standards met, as far as is known; not known: test_results, acceptance_criteria',
      });
    },
  );

  test('marks findings that block only because most is unknown', async () => {
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

  test('says where it searched for test reports and how to write one', async () => {
    await using repo = await governedRepo();
    await repo.put({ 'reports/junit.xml': null });
    const expected = {
      feedback: expect.stringMatching(/reports\/, test-results\/.*reports\.tests of .*pytest --junitxml=junit\.xml/),
    };
    expect(criterion(await evaluate(repo), 'test_results')).toMatchObject(expected);
  });

  test('reports branch and line coverage and which of them counts', async () => {
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
      feedback: '4 of 4 lines ran; the report has no branches',
    });
  });

  test('counts a file once', async () => {
    await using repo = await governedRepo();
    await repo.put({ 'src/new.js': 'export const n = 1;\n', ...soundReports });
    expect(criterion(await evaluate(repo), 'patch_coverage')).toMatchObject({
      feedback: expect.stringContaining('; 1 changed file is not in the report'),
    });
  });

  test('applies a waiver until it expires', async () => {
    await using repo = await governedRepo();
    await repo.put({ 'reports/mutation/mutation.json': null });
    const withWaiver = async (changes: Record<string, unknown>) => {
      await putAtBase(repo, { '.caws/waivers/WV-0001.yaml': stringify(waiver(changes)) });
      const evaluation = await evaluate(repo);
      return [criterion(evaluation, 'mutation_threshold')?.status, evaluation.overall_status];
    };
    expect(await withWaiver({})).toEqual(['waived', 'quality_passed']);
    expect(await withWaiver({ expires_at: '2026-01-02T00:00:00.000Z' })).toEqual(['unknown', 'quality_failed']);
    expect(await withWaiver({ status: 'revoked' })).toEqual(['unknown', 'quality_failed']);
    expect(await withWaiver({ gates: ['coverage_threshold'] })).toEqual(['unknown', 'quality_failed']);
    expect(await withWaiver({ reason: 'because' })).toEqual(['unknown', 'quality_failed']);
  });

  test('adds waivers to the smaller budget of spec and policy', async () => {
    await using repo = await governedRepo({ change_budget: { max_files: 1, max_loc: 100 } });
    expect(criterion(await evaluate(repo), 'budget_limit')).toMatchObject({ status: 'failed', actual: 200 });
    await putAtBase(repo, {
      '.caws/waivers/WV-0001.yaml': stringify(waiver({ gates: ['budget_limit'], delta: { max_files: 1 } })),
    });
    expect(criterion(await evaluate(repo), 'budget_limit')).toMatchObject({ status: 'passed', actual: 100 });
  });

  test('applies thresholds, modes and base of the policy', async () => {
    await using repo = await governedRepo();
    await repo.put({ 'coverage/lcov.info': sumCoverage([1, 1, 1, 1], [1, 1, 1, 0]) });
    expect(criterion(await evaluate(repo), 'coverage_threshold')).toMatchObject({ status: 'failed', actual: 75 });
    await putAtBase(repo, { '.caws/policy.yaml': `${acceptsReports}risk_tiers:\n  2: { coverage_threshold: 0.75 }\n` });
    expect(criterion(await evaluate(repo), 'coverage_threshold')).toMatchObject({ status: 'passed', threshold: 75 });
    await putAtBase(repo, { '.caws/policy.yaml': `${acceptsReports}gates:\n  coverage_threshold: { mode: warn }\n` });
    expect(await evaluate(repo)).toMatchObject({ overall_status: 'quality_passed' });
    await putAtBase(repo, {
      '.caws/policy.yaml': `${acceptsReports}reports:\n  tests: [../x.xml, /etc/*, out/**/*.xml]\n`,
    });
    await repo.put({ 'reports/junit.xml': null });
    expect(criterion(await evaluate(repo), 'test_results')).toMatchObject({ status: 'unknown' });
    await repo.put({ 'out/deep/er/a.xml': passing });
    expect(criterion(await evaluate(repo), 'test_results')).toMatchObject({ status: 'passed' });
    await putAtBase(repo, { '.caws/policy.yaml': 'base: elsewhere\n' });
    expect(criterion(await evaluate(repo), 'scope_boundary')).toMatchObject({ status: 'unknown', blocking: true });
    await putAtBase(repo, { '.caws/policy.yaml': 'base: [\n' });
    expect(await evaluate(repo)).toMatchObject({ overall_status: 'spec_invalid' });
  });

  test('reports an invalid spec as spec_invalid and a missing one as an error', async () => {
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

  test('requires no tests in mode doc unless code changes', async () => {
    const doc = { mode: 'doc', risk_tier: 2, scope: { in: ['docs/', 'src/'] } };
    await using repo = await newRepo({ '.caws/working-spec.yaml': specText({ ...doc, contracts: [] }) });
    repo.git('checkout', '-q', '-b', 'work');
    await repo.put({ 'docs/a.md': 'text\n' });
    expect(await evaluate(repo)).toMatchObject({ overall_status: 'quality_passed' });
    await repo.put({ 'src/a.py': 'a = 1\n' });
    expect(await evaluate(repo)).toMatchObject({ overall_status: 'quality_failed' });
  });

  test('reads reports of Python, Go and Rust alike', async () => {
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

test('assay ci standards prints the verdict and the unknown gates', async () => {
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
