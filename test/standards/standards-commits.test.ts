import { spawnSync } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newFolder } from '../support/folders.ts';
import { newRepo, type Repo, repoAt } from '../support/git/repos.ts';
import { governed, hookFile, hooksServer, spec, tryCommit, tryGit } from '../support/standards/hooks.ts';

const { call, hooks } = hooksServer();

/** Split, so that secret scanners do not report this file. */
const looksLikeKey = ['AKIA', 'IOSFODNN7ABCDEFG'].join('');

describe('Conventional Commits', () => {
  const policy = `version: 1
commits: { convention: conventional, types: [feat, fix], scopes: [core, cli], max_summary: 40 }
`;
  let repo: Repo;
  let count = 100;
  beforeAll(async () => {
    repo = await governed();
    await hooks(repo, 'install');
    await repo.put({ '.caws/policy.yaml': policy });
    repo.git('add', '-A');
    expect(tryCommit(repo, 'feat(core): check commit messages').stderr).toBe('');
  });
  afterAll(async () => repo[Symbol.asyncDispose]());

  const commitWith = async (...args: string[]) => {
    await repo.put({ 'src/a.js': `export const a = ${++count};\n` });
    repo.git('add', '-A');
    return tryGit(repo, ['commit', '-q', ...args]);
  };

  test.each(['feat(core): add a', 'fix!: rename b', 'fix(cli)!: drop c\n\nBREAKING CHANGE: c is no longer read'])(
    'accepts %j',
    async (message) => {
      const { status, stderr } = await commitWith('-m', message);
      expect([status, stderr]).toEqual([0, '']);
    },
  );

  test.each([
    ['Books are not bookings', 'the subject "Books are not bookings" is not "type(scope): summary"'],
    ['feat:no space', 'the subject "feat:no space" is not "type(scope): summary"'],
    ['feature: add a', 'the type "feature" of "feature: add a" is not one of feat, fix (.caws/policy.yaml)'],
    ['feat(web): add a', 'the scope "web" of "feat(web): add a" is not one of core, cli (.caws/policy.yaml)'],
  ])('rejects %j and shows a valid subject', async (message, reason) => {
    const { status, stderr } = await commitWith('-m', message);
    expect([status, stderr]).toEqual([1, expect.stringContaining(reason)]);
    expect(stderr).toContain('write for example "fix(core): describe the change"');
  });

  test('rejects a subject that is longer than the policy allows', async () => {
    const { status, stderr } = await commitWith('-m', `feat: ${'a'.repeat(35)}`);
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining('has 41 characters, and .caws/policy.yaml allows 40'),
    ]);
  });

  test('accepts the messages that git writes: merge, revert, fixup and squash', async () => {
    expect((await commitWith('-m', 'fix: before')).status).toBe(0);
    for (const kind of ['--fixup=HEAD', '--squash=HEAD']) {
      const { status, stderr } = await commitWith(kind, '--no-edit');
      expect([kind, status, stderr]).toEqual([kind, 0, '']);
    }
    const reverted = tryGit(repo, ['revert', '--no-edit', 'HEAD']);
    expect([reverted.status, reverted.stderr]).toEqual([0, '']);
    repo.git('branch', 'side', 'HEAD~1');
    repo.git('checkout', '-q', 'side');
    await repo.put({ 'src/b.js': 'export const b = 1;\n' });
    repo.git('add', '-A');
    expect(tryCommit(repo, 'feat: add b').stderr).toBe('');
    const merged = tryGit(repo, ['merge', '-q', '--no-ff', '--no-edit', 'main']);
    expect([merged.status, merged.stderr]).toEqual([0, '']);
  });

  test('reports a convention that is not known as an error of the policy', async () => {
    await using other = await governed();
    await other.put({ '.caws/policy.yaml': 'commits: { convention: gitmoji }\n' });
    const { problems } = await call('caws_validate', { workingDirectory: other.path });
    expect(problems).toMatchObject([{ file: '.caws/policy.yaml', path: '/commits/convention' }]);
  });
});

describe('a commit', () => {
  let repo: Repo;
  beforeAll(async () => {
    repo = await governed();
    await hooks(repo, 'install');
  });
  afterAll(async () => repo[Symbol.asyncDispose]());

  const addToIndex = async (files: Record<string, string>) => {
    repo.git('reset', '-q', '--hard');
    await repo.put(files);
    repo.git('add', '-A');
  };

  test('is accepted in scope and rejected out of scope', async () => {
    await addToIndex({ 'src/b.js': 'export const b = 1;\n' });
    const made = tryCommit(repo, 'feat: more');
    expect([made.status, made.stderr]).toEqual([0, '']);
    await addToIndex({ 'docs/x.md': 'x\n' });
    const refused = tryCommit(repo, 'feat: more');
    expect([refused.status, refused.stderr]).toEqual([
      1,
      expect.stringContaining(
        '\n  "docs/x.md" is not in the scope of FEAT-0001: unstage it (git restore --staged), or add it to scope.in in .caws/working-spec.yaml\n',
      ),
    ]);
  });

  test('is rejected if its subject names another spec', async () => {
    await addToIndex({ 'src/b.js': 'export const b = 3;\n' });
    const refused = tryCommit(repo, 'feat: FEAT-0002 other work');
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('names FEAT-0002')]);
  });

  test('can be checked before it is made', async () => {
    await addToIndex({ 'src/b.js': 'export const b = 4;\n' });
    expect(await hooks(repo, 'status', { check: 'pre-commit' })).toMatchObject({
      success: true,
      output: 'pre-commit: no problem found',
    });
  });

  test.each([
    ['a file that the scope takes out', { 'src/secret/x.js': 'x\n' }, 'excluded from the scope'],
    [
      'a secret',
      { 'src/key.js': `const a = "${looksLikeKey}";\n` },
      '"src/key.js" line 1 looks like an AWS access key',
    ],
    ['too many lines', { 'src/big.js': 'x();\n'.repeat(5001) }, 'of 5000 lines'],
    ['a file that git does not compare', { 'src/huge.js': 'x();\n'.repeat(7_000_000) }, '7000000 of 5000 lines'],
    [
      'a secret next to an endless diff',
      { 'src/made.js': 'x();\n'.repeat(4_000_000), 'src/key.js': `const a = "${looksLikeKey}";\n` },
      '"src/key.js" line 1 looks like an AWS access key',
    ],
    [
      'a spec that is not valid',
      { '.caws/working-spec.yaml': spec.replace('risk_tier: 3', 'risk_tier: 9') },
      'must be 1, 2 or 3',
    ],
    ['a name with quotes and a line end', { 'a"b\nc.txt': '' }, '"a\\"b\\nc.txt"'],
  ])('with %s is rejected with a reason', async (_, files, reason) => {
    await addToIndex(files);
    expect(await hooks(repo, 'status', { check: 'pre-commit' })).toMatchObject({
      success: false,
      error: expect.stringContaining(reason),
    });
  });

  test('does not count .caws files against the budget', async () => {
    await addToIndex({ '.caws/notes.md': 'x\n'.repeat(6000) });
    expect(await hooks(repo, 'status', { check: 'pre-commit' })).toMatchObject({ success: true });
  });

  test('counts a huge file as staged, not as in the work tree', async () => {
    await addToIndex({ 'src/huge.js': 'x();\n'.repeat(7_000_000) });
    await repo.put({ 'src/huge.js': 'x();\n' });
    expect(await hooks(repo, 'status', { check: 'pre-commit' })).toMatchObject({
      error: expect.stringContaining('7000000 of 5000 lines'),
    });
  });

  test('passes out of scope under a waiver until it expires', async () => {
    const waiver = (expires: string) => `id: WV-0001
title: Documents on the way
reason: other
description: They go along this once
gates: [scope_boundary]
created_at: '2026-01-01T00:00:00Z'
expires_at: '${expires}'
approved_by: the lead
impact_level: low
mitigation_plan: Looked at by hand
status: active
`;
    await addToIndex({ 'docs/x.md': 'x\n', '.caws/waivers/WV-0001.yaml': waiver('2999-01-01T00:00:00Z') });
    expect(await hooks(repo, 'status', { check: 'pre-commit' })).toMatchObject({ success: true });
    await addToIndex({ 'docs/x.md': 'x\n', '.caws/waivers/WV-0001.yaml': waiver('2026-01-02T00:00:00Z') });
    expect(await hooks(repo, 'status', { check: 'pre-commit' })).toMatchObject({ success: false });
  });

  test('of a merge is checked for its own changes only', async () => {
    await using other = await governed();
    other.git('checkout', '-q', '-b', 'work');
    await other.commit('feat: here', { 'src/a.js': 'here\n' });
    other.git('checkout', '-q', 'main');
    await other.commit('docs: there', { 'src/a.js': 'there\n', 'docs/far.md': 'x\n' });
    other.git('checkout', '-q', 'work');
    expect(tryGit(other, ['merge', '-q', 'main']).status).toBe(1);
    await other.put({ 'src/a.js': 'both\n' });
    other.git('add', '-A');
    expect(await hooks(other, 'status', { check: 'pre-commit' })).toMatchObject({ success: true });
    await other.put({ 'docs/far.md': 'changed on the way\n' });
    other.git('add', '-A');
    expect((await hooks(other, 'status', { check: 'pre-commit' })).error).toContain('docs/far.md');
  });

  test('that removes the spec is rejected', async () => {
    repo.git('reset', '-q', '--hard');
    repo.git('rm', '-q', '.caws/working-spec.yaml');
    for (const check of ['pre-commit', 'pre-push'])
      expect((await hooks(repo, 'status', { check })).error).toContain('was removed');
  });

  test('is checked by the index, not by the work tree', async () => {
    repo.git('reset', '-q', '--hard');
    await repo.put({
      'src/a.js': 'export const a = 2;\n',
      'outside.txt': 'x\n',
      'src/c.js': `const k = "${looksLikeKey}";\n`,
    });
    expect(tryCommit(repo, 'fix: a', '--only', 'src/a.js').stderr).toBe('');
    repo.git('add', 'src/c.js');
    await repo.put({ 'src/c.js': 'clean\n' });
    expect(tryCommit(repo, 'fix: c').stderr).toContain('"src/c.js" line 1');
    await repo.put({ 'outside.txt': null });
  });

  test.each([
    ['', 'no subject'],
    ['feat: FEAT-0002 other work', 'names FEAT-0002'],
    ['feat: more\n\nSpec: FEAT-0009', 'trailer Spec names "FEAT-0009"'],
    ['feat: FEAT-0001 more, in UTF-8', undefined],
    ['#12 is fixed', undefined],
    ['Revert "feat: FEAT-0002 other work"', undefined],
    ['feat: more\n# FEAT-0002 in a comment\n\nFollows FEAT-0003.\n\nSpec: FEAT-0001', undefined],
  ])('with the message %j', async (message, complaint) => {
    await addToIndex({});
    await repo.write('.git/COMMIT_EDITMSG', message);
    const asked = await hooks(repo, 'status', { check: 'commit-msg', messageFile: '.git/COMMIT_EDITMSG' });
    if (complaint === undefined) expect(asked).toMatchObject({ success: true });
    else expect(asked.error).toContain(complaint);
  });

  test('reads the message file only from its own folders', async () => {
    for (const messageFile of ['/etc/passwd', '../x', undefined])
      expect(await hooks(repo, 'status', { check: 'commit-msg', ...(messageFile && { messageFile }) })).toMatchObject({
        success: false,
        code: 'EINVAL',
      });
  });

  test('is rejected if the program is not found', async () => {
    await using other = await governed();
    await hooks(other, 'install');
    const file = hookFile(other, 'pre-commit');
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll(process.execPath, '/nowhere/node'));
    await mkdir(join(other.path, 'bin'));
    await other.put({ 'src/a.js': '1\n' });
    other.git('add', 'src');
    // A PATH with what git and the shell need, but neither assay nor npx.
    for (const name of ['git', 'sh', 'dirname', 'cat', 'grep'])
      await symlink(
        spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim(),
        join(other.path, 'bin', name),
      );
    const { status, stderr } = tryGit(other, ['commit', '-m', 'x'], { PATH: join(other.path, 'bin') });
    expect(status).not.toBe(0);
    expect(stderr).toContain('assay was not found, so nothing was checked');
  });

  test('needs no spec if there never was one, on a detached head and before the first commit', async () => {
    await using plain = await newRepo();
    await hooks(plain, 'install');
    await plain.put({ 'anything.txt': '1\n' });
    plain.git('add', '-A');
    expect(tryCommit(plain, 'first').stderr).toBe('');
    plain.git('checkout', '-q', '--detach');
    await plain.put({ 'anything.txt': '2\n' });
    expect(tryCommit(plain, 'second', '-a').stderr).toBe('');
  });

  test('is recorded if there is a chain', async () => {
    await using other = await governed();
    await call('caws_provenance', { subcommand: 'init', workingDirectory: other.path });
    await hooks(other, 'install');
    await other.put({ 'src/a.js': '2\n' });
    expect(tryCommit(other, 'fix: a', '-a').stderr).toBe('');
    const { entries } = await call('caws_provenance', { subcommand: 'show', workingDirectory: other.path });
    expect(entries[0].commit).toMatchObject({ id: other.git('rev-parse', 'HEAD'), subject: 'fix: a' });
  });
});

describe('a push', () => {
  const junit = (failures: string) =>
    `<testsuites><testsuite name="s"><testcase name="A1: works" time="0.1">${failures}</testcase></testsuite></testsuites>`;

  test('passes with evidence, fails without it, and may always delete a branch', async () => {
    await using remote = await newFolder();
    repoAt(remote).git('init', '-q', '--bare');
    await using repo = await governed();
    await hooks(repo, 'install');
    repo.git('checkout', '-q', '-b', 'work');
    await repo.put({ 'src/a.js': 'export const a = 5;\n' });
    expect(tryCommit(repo, 'feat: five', '-a').stderr).toBe('');
    await repo.put({ 'reports/junit.xml': junit('<failure/>') });
    const refused = tryGit(repo, ['push', '-q', remote.path, 'work']);
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('test_results: 0 passed, 1 failed')]);
    await repo.put({ 'reports/junit.xml': junit('') });
    expect(tryGit(repo, ['push', '-q', remote.path, 'work']).stderr).toBe('');
    await repo.put({ 'reports/junit.xml': junit('<failure/>') });
    expect(tryGit(repo, ['push', '-q', remote.path, ':work']).status).toBe(0);
  });
});
