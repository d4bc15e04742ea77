import { readdir, readFile, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newFolder } from '../support/folders.ts';
import { newRepo, repoAt } from '../support/git/repos.ts';
import { governedRepo, soundReports, specText } from '../support/standards/governed-repo.ts';
import { criterion, standardsServer } from '../support/standards/standards.ts';

const { call, evaluate } = standardsServer();

describe('a hostile repository', () => {
  const tools = ['caws_status', 'caws_evaluate', 'caws_iterate', 'caws_validate', 'caws_diagnose'];

  test('with a spec that links out of the project is rejected without showing its content', async () => {
    await using repo = await newRepo({ 'a.txt': '' });
    await repo.put({ '.caws/keep': '' });
    await symlink('/etc/passwd', join(repo.path, '.caws/working-spec.yaml'));
    for (const tool of tools) {
      const { text } = await call(tool, repo);
      expect(text, tool).toMatch(/symbolic link/);
      expect(text, tool).not.toMatch(/root:/);
    }
  });

  test('with a .caws folder that links elsewhere gets nothing written', async () => {
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

  test('with unusual file names is counted correctly and runs none of them', async () => {
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

  test('with renamed, binary and deleted files is counted correctly', async () => {
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

  test('keeps its index unchanged', async () => {
    await using repo = await governedRepo();
    await utimes(join(repo.path, 'api.yaml'), 1, 1);
    const index = await readFile(join(repo.path, '.git/index'));
    await evaluate(repo);
    expect((await readFile(join(repo.path, '.git/index'))).equals(index)).toBe(true);
  });

  test('without git, without a commit, with a detached head, shallow or with a submodule gets a clear result', async () => {
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

  test('with a file of 200 MB is measured without loading it into memory', async () => {
    await using repo = await governedRepo();
    await repo.put({ 'src/huge.txt': Buffer.alloc(200 * 1024 * 1024, 'a line of text\n'), ...soundReports });
    repo.git('add', '-A');
    const evaluation = await evaluate(repo);
    expect(criterion(evaluation, 'budget_limit')).toMatchObject({
      status: 'failed',
      details: expect.arrayContaining([expect.stringMatching(/huge\.txt: \+13981014 -0 \(too large to compare\)/)]),
    });
  });

  test('with a spec that expands or nests without limit is rejected', async () => {
    const bomb = `a: &a [x, x, x, x, x, x, x, x, x]\n${'bcdefghi'
      .split('')
      .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghi'[index]}`).join(', ')}]`)
      .join('\n')}\n`;
    for (const yaml of [bomb, `id: ${'['.repeat(100_000)}`, '- '.repeat(50_000), `${'{a: '.repeat(5000)}`]) {
      await using repo = await newRepo({ '.caws/working-spec.yaml': yaml });
      expect((await call('caws_validate', repo)).data).toMatchObject({ success: false, code: 'EINVAL' });
    }
  });

  test('with hostile reports gets no evidence from them, and the server keeps running', async () => {
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
