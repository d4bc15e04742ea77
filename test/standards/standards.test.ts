import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { newRepo, type Repo } from '../support/git/repos.ts';
import { governedRepo, junit, putAtBase, specText, sumCoverage } from '../support/standards/governed-repo.ts';
import { standardsServer, waiver } from '../support/standards/standards.ts';

const { call } = standardsServer();

describe('caws_iterate', () => {
  test('ranks missing criteria and derives its confidence from the evidence', async () => {
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

  test('reports the errors of an invalid spec first', async () => {
    await using repo = await governedRepo({ title: 'x' });
    const { iteration } = (await call('caws_iterate', repo)).data;
    expect(iteration).toMatchObject({
      confidence: 0,
      next_steps: [expect.stringMatching(/working-spec\.yaml:2:1: error: title/)],
    });
  });

  test('checks the described state as claims', async () => {
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
  test('reports GOOD, FAIR or POOR from the measurements', async () => {
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

  test('reports branch, budget, waivers and the age of the evidence', async () => {
    await using repo = await governedRepo();
    await putAtBase(repo, { '.caws/waivers/WV-0001.yaml': stringify(waiver()) });
    const { data } = await call('caws_status', repo);
    expect(data.output).toMatch(/Git: work at [0-9a-f]{10}; 2 files changed since main/);
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
  test('finds nothing in a healthy project and repairs safe problems once', async () => {
    await using repo = await governedRepo();
    await repo.put({ '.caws/policy.yaml': null });
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

  test('repairs the tier and keeps comments, marks an expired waiver and ignores reports', async () => {
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
      { what: 'risk_tier corrected', before: '9', after: '3' },
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

  test('returns the shape of the specification', async () => {
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
  ])('reports %s as a reason', async (_, files, kind, risk) => {
    await using repo = await governedRepo();
    await repo.put(files);
    const before = await monitor(repo, { action: 'code_edited', files: ['test/sum.test.js'] });
    const after = await monitor(repo, { action: 'code_edited', files: Object.keys(files) });
    if (kind !== 'budget') expect(kinds(before)).not.toContain(kind);
    expect(kinds(after)).toContain(kind);
    expect(after).toMatchObject({ risk_level: risk, quality_impact: 'implementation_change' });
    expect(JSON.stringify(after)).not.toContain('ghp_');
  });

  test('reads the report after a test run', async () => {
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

  test('uses the tier of the caller without a spec and reports a difference with one', async () => {
    await using repo = await newRepo({ 'src/a.js': 'x\n', 'test/a.test.js': 'x\n' });
    const monitorWithTier = (tier: number) =>
      monitor(repo, { action: 'file_saved', files: ['src/a.js'], context: { project_tier: tier } });
    expect(kinds(await monitorWithTier(1))).toEqual(['test_unchanged', 'tier', 'no_spec']);
    expect(kinds(await monitorWithTier(3))).toEqual(['test_unchanged', 'no_spec']);
    await using governed = await governedRepo();
    const context = { project_tier: 3, change_size: 9000 };
    expect(kinds(await monitor(governed, { action: 'file_saved', files: ['src/sum.js'], context }))).toEqual([
      'change_size',
      'tier',
      'tier_claim',
    ]);
  });
});
