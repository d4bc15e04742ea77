import { expect, test } from 'vitest';
import { governedRepo, junit } from '../../../test/support/standards/governed-repo.ts';
import { evaluateForCi } from '../index.ts';

test('passes a valid change with a summary and an empty SARIF log', async () => {
  await using repo = await governedRepo();
  const { verdict, verdictText, markdown, sarif } = await evaluateForCi({ cwd: repo.path });
  expect([verdict, verdictText]).toEqual(['passed', 'passed']);
  expect(markdown).toMatch(/^## Standards: ✅ passed\n/);
  expect(markdown).toMatch(/\| Coverage \| ✅ passed \| 100 \| 80 % of branches \|/);
  expect(JSON.parse(sarif)).toMatchObject({
    version: '2.1.0',
    runs: [{ results: [], properties: { overall_status: 'quality_passed' } }],
  });
});

test('lists unknown gates and fails without a test report in any tier', async () => {
  await using repo = await governedRepo({ risk_tier: 3 });
  await repo.put({ 'reports/mutation/mutation.json': null });
  const some = await evaluateForCi({ cwd: repo.path });
  expect([some.verdict, some.verdictText]).toEqual([
    'passed',
    'passed, as far as is known; not known: mutation_threshold',
  ]);
  expect(some.markdown).toMatch(/^## Standards: ✅ passed, as far as is known\n/);
  await repo.put({ 'reports/junit.xml': junit({ A1: 'failed', A2: 'passed' }) });
  expect((await evaluateForCi({ cwd: repo.path })).verdict).toBe('failed');
  await repo.put({ 'reports/junit.xml': null });
  const none = await evaluateForCi({ cwd: repo.path });
  expect([none.verdict, none.verdictText]).toEqual([
    'failed',
    'failed; not known: test_results, acceptance_criteria, mutation_threshold',
  ]);
  const levels = JSON.parse(none.sarif).runs[0].results.map((one: { ruleId: string; level: string }) => [
    one.ruleId,
    one.level,
  ]);
  expect(levels).toEqual([
    ['test_results', 'error'],
    ['acceptance_criteria', 'error'],
    ['mutation_threshold', 'warning'],
  ]);
});

test('describes requirements as text', async () => {
  await using repo = await governedRepo();
  const { markdown } = await evaluateForCi({ cwd: repo.path });
  expect(markdown).toContain('| Specification | ✅ passed | 0 | no errors |');
  expect(markdown).toContain('| Change budget | ✅ passed | 4 | at most 100 % of the budget |');
});

test('locates failures and escapes names', async () => {
  await using repo = await governedRepo();
  await repo.put({
    'docs/<b>|x.md': 'text\n',
    'src/key.txt': `a\nAKIA${'ABCD'.repeat(4)}\n`,
    'reports/junit.xml': junit({ 'A1 | &lt;img&gt;': 'failed' }),
  });
  const { verdict, markdown, sarif } = await evaluateForCi({ cwd: repo.path });
  expect(verdict).toBe('failed');
  expect(markdown).not.toContain('<img>');
  expect(markdown).toContain('\\|');
  const { results } = JSON.parse(sarif).runs[0];
  expect(results).toContainEqual(
    expect.objectContaining({
      ruleId: 'security_scan',
      level: 'error',
      locations: [{ physicalLocation: { artifactLocation: { uri: 'src/key.txt' }, region: { startLine: 2 } } }],
    }),
  );
  expect(JSON.stringify(results)).not.toContain('AKIAABCD');
});

test('locates the error of an invalid spec', async () => {
  await using repo = await governedRepo({ risk_tier: 8 });
  const { verdict, sarif } = await evaluateForCi({ cwd: repo.path });
  expect(verdict).toBe('failed');
  expect(JSON.parse(sarif).runs[0].results[0]).toMatchObject({
    level: 'error',
    locations: [
      { physicalLocation: { artifactLocation: { uri: '.caws/working-spec.yaml' }, region: { startLine: 3 } } },
    ],
  });
});
