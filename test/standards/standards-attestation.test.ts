import { readdir, readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bin, runAssay } from '../support/assay.ts';
import { newFolder } from '../support/folders.ts';
import { newRepo, type Repo } from '../support/git/repos.ts';
import { governedRepo, putAtBase, soundReports, specText } from '../support/standards/governed-repo.ts';
import { criterion, standardsServer } from '../support/standards/standards.ts';

const { call, evaluate } = standardsServer();

const command = 'node --test --test-reporter=junit --test-reporter-destination=reports/junit.xml';
const policy = `gates:
  mutation_threshold: { mode: skip }
  coverage_threshold: { mode: skip }
  patch_coverage: { mode: skip }
tests: { command: [${command.split(' ').join(', ')}] }
`;
const sumTest = `import { equal, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { sum } from '../src/sum.js';
test('A1 adds two numbers', () => equal(sum(1, 2), 3));
test('A2 refuses a text', () => throws(() => sum('a', 1)));
`;

/** A change with real tests and a policy at the base that declares how they run. */
async function testedRepo(): Promise<Repo> {
  const repo = await governedRepo();
  await putAtBase(repo, { '.caws/policy.yaml': policy, 'package.json': '{"type":"module"}\n' });
  await repo.put({ reports: null, coverage: null, 'test/sum.test.js': sumTest, 'reports/keep': '' });
  return repo;
}

const testState = async (repo: Repo) => {
  const found = criterion(await evaluate(repo), 'test_results');
  return `${found?.status}: ${(found as { feedback?: string } | undefined)?.feedback}`;
};

describe('caws_run_tests', () => {
  test('runs the declared command and makes its reports count, until a file changes', async () => {
    await using repo = await testedRepo();
    const { data } = await call('caws_run_tests', repo);
    expect(data).toMatchObject({
      success: true,
      command: command.split(' '),
      exit_code: 0,
      tree: expect.stringMatching(/^[0-9a-f]{40}$/),
      reports: [{ path: 'reports/junit.xml' }],
      assurance: 'self-reported',
    });
    const passed = await evaluate(repo);
    expect(passed).toMatchObject({ overall_status: 'quality_passed' });
    expect(passed.criteria.find(({ id }: { id: string }) => id === 'test_results').evidence).toMatchObject([
      { path: 'reports/junit.xml', attested: true, assurance: 'self-reported' },
    ]);
    const then = new Date(Date.now() - 60_000);
    await repo.put({ 'src/sum.js': 'export const sum = () => 3;\n' });
    await utimes(join(repo.path, 'src/sum.js'), then, then);
    expect(await testState(repo)).toMatch(/^unknown: .*files changed after the run that wrote it/);
  });

  test('names the tree as git does', async () => {
    await using repo = await newRepo({
      'a.txt': 'a\n',
      'b/c.txt': 'c\n',
      'b.x': '',
      'package.json': '{"scripts":{"test":"node -e 0"}}',
    });
    const { data } = await call('caws_run_tests', repo);
    expect(data.tree).toBe(repo.git('rev-parse', 'HEAD^{tree}'));
  });

  test('does not accept a report that was written or edited by hand', async () => {
    await using repo = await testedRepo();
    await repo.put({ 'reports/junit.xml': soundReports['reports/junit.xml'] });
    expect(await testState(repo)).toMatch(/^unknown: .*no recorded test run wrote it/);
    await call('caws_run_tests', repo);
    const path = 'reports/junit.xml';
    const report = await readFile(join(repo.path, path), 'utf8');
    await repo.put({ [path]: report.replace('A1 adds', 'A1 adds exactly') });
    expect(await testState(repo)).toMatch(/^unknown: .*it changed after the run that wrote it/);
  });

  test('does not accept a record that another key signed', async () => {
    await using repo = await testedRepo();
    await using home = await newFolder();
    const other = await runAssay(['call', 'caws_run_tests'], { cwd: repo.path, env: { ASSAY_HOME: home.path } });
    expect(other.code).toBe(0);
    expect(await readdir(join(repo.path, '.caws/attestations'))).toHaveLength(2);
    expect(await testState(repo)).toMatch(/^unknown: .*no recorded test run wrote it/);
  });

  test('records nothing of a run that changes files', async () => {
    await using repo = await testedRepo();
    await putAtBase(repo, {
      '.caws/policy.yaml': 'tests: { command: [node, -e, "fs.writeFileSync(`left.txt`, `x`)"] }\n',
    });
    const { data } = await call('caws_run_tests', repo);
    expect(data).toMatchObject({ success: false, error: expect.stringMatching(/it left "left\.txt"/) });
  });

  test('runs the command of the base, not one that the change declares', async () => {
    await using repo = await testedRepo();
    await repo.put({ '.caws/policy.yaml': policy.replace(/command: .*\]/, 'command: [node, -e, "0"]') });
    expect((await call('caws_run_tests', repo)).data.command).toEqual(command.split(' '));
  });

  test('gives the command a clean environment', async () => {
    await using repo = await newRepo({ '.gitignore': 'out/\n', 'out/keep': '' });
    await repo.commit('chore: add rules', {
      '.caws/working-spec.yaml': specText(),
      '.caws/policy.yaml':
        'tests: { command: [node, -p, "Object.keys(process.env).sort().join()"], environment: [ASSAY_EXTRA] }\n',
    });
    const env = { NODE_OPTIONS: '--no-warnings', AWS_SECRET_ACCESS_KEY: 'x', ASSAY_EXTRA: 'y' };
    const { stdout } = await runAssay(['call', 'caws_run_tests'], { cwd: repo.path, env });
    const names = JSON.parse(stdout).output.trim().split(',');
    expect(names).toContain('PATH');
    expect(names).toContain('ASSAY_EXTRA');
    expect(names).not.toContain('NODE_OPTIONS');
    expect(names).not.toContain('AWS_SECRET_ACCESS_KEY');
  });
});

test('assay ci standards runs the tests itself, and --no-run does not', async () => {
  await using repo = await testedRepo();
  await using home = await newFolder();
  const ci = (...args: string[]) =>
    runAssay(['ci', 'standards', ...args], { cwd: repo.path, env: { ASSAY_HOME: home.path } });
  const without = await ci('--no-run');
  expect([without.code, without.stdout]).toEqual([1, expect.stringContaining('not known: test_results')]);
  const { code, stdout } = await ci();
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/Tests: "node --test .*" ended with code 0 .* wrote 1 report/),
  ]);
});

test.each([
  [
    'a report from the future',
    (repo: Repo) => utimes(join(repo.path, 'reports/junit.xml'), new Date(), new Date(Date.now() + 3_600_000)),
    /dated in the future/,
  ],
  [
    'tests that ran before the sources were written',
    (repo: Repo) =>
      repo.put({
        'reports/junit.xml': soundReports['reports/junit.xml'].replace(
          '<testsuite ',
          '<testsuite timestamp="2020-01-01T00:00:00Z" ',
        ),
      }),
    /before the newest source was written/,
  ],
  [
    'a report of another package',
    (repo: Repo) =>
      repo.put({ 'packages/b/reports/junit.xml': soundReports['reports/junit.xml'], 'reports/junit.xml': null }),
    /other packages \(packages\/b/,
  ],
])('names %s', async (_, change, reason) => {
  await using repo = await governedRepo();
  await change(repo);
  expect(await testState(repo)).toMatch(reason);
});

test('names a line of coverage beyond the end of its file', async () => {
  await using repo = await governedRepo();
  await repo.put({
    'coverage/lcov.info': soundReports['coverage/lcov.info'].replace('end_of_record', 'DA:400,1\nend_of_record'),
  });
  expect(criterion(await evaluate(repo), 'coverage_threshold')).toMatchObject({
    status: 'unknown',
    feedback: expect.stringMatching(/it has line 400 of src\/sum\.js, which has 5/),
  });
});

test('assay ci standards within the test command does not run the tests again', async () => {
  await using repo = await testedRepo();
  await using home = await newFolder();
  const script = `
    const fs = require('node:fs');
    fs.appendFileSync('reports/runs', 'x');
    if (fs.readFileSync('reports/runs', 'utf8').length < 3)
      require('node:child_process').spawnSync(process.execPath, [process.env.ASSAY_BIN, 'ci', 'standards']);`;
  await putAtBase(repo, {
    '.caws/policy.yaml': `${policy.replace(/^tests:.*/m, '')}tests: { command: [node, run.cjs], environment: [ASSAY_BIN] }\n`,
    'run.cjs': script,
  });
  await repo.put({ 'reports/keep': '' });
  await runAssay(['ci', 'standards'], { cwd: repo.path, env: { ASSAY_HOME: home.path, ASSAY_BIN: bin } });
  expect(await readFile(join(repo.path, 'reports/runs'), 'utf8')).toBe('x');
});
