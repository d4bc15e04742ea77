import { spawnSync } from 'node:child_process';
import { chmod, lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gitEnvironment } from '../src/platform/git-environment.ts';
import { type Connection, connectHttp, connectStdio, startHttp } from './support/assay.ts';
import { type Folder, newFolder } from './support/folders.ts';
import { junit } from './support/governed-repo.ts';
import { isolatedGit, newRepo, type Repo, repoAt } from './support/repos.ts';

let client: Connection;
beforeAll(async () => {
  client = await connectStdio('modern', { args: ['--toolsets', 'standards'], env: isolatedGit });
});
afterAll(async () => client[Symbol.asyncDispose]());

// biome-ignore lint/suspicious/noExplicitAny: each tool has its own result, and the tests say which
async function call(name: string, args: Record<string, unknown>): Promise<any> {
  const result = await client.callTool({ name, arguments: args });
  const [content] = result.content;
  return result.structuredContent ?? JSON.parse(content?.type === 'text' ? content.text : '');
}

const hooks = (folder: Folder, subcommand: string, wishes = {}) =>
  call('caws_hooks', { subcommand, workingDirectory: folder.path, ...wishes });
const states = ({ hooks: all }: { hooks: { hook: string; state: string }[] }) =>
  Object.fromEntries(all.map(({ hook, state }) => [hook, state]));
const all = (state: string) => ({ 'pre-commit': state, 'commit-msg': state, 'post-commit': state, 'pre-push': state });

const spec = `id: FEAT-0001
title: Something to be built
risk_tier: 3
mode: feature
blast_radius: { modules: [core] }
operational_rollback_slo: 5m
scope: { in: [src/], out: [src/secret/] }
invariants: [It works]
acceptance: [{ id: A1, given: a, when: b, then: c }]
non_functional: {}
contracts: []
`;

const governed = () =>
  newRepo({ '.caws/working-spec.yaml': spec, '.gitignore': 'reports/\n', 'src/a.js': 'export const a = 1;\n' });

/** Git as its user runs it, hooks and all. */
function tryGit(repo: Folder, args: string[], env: Record<string, string> = {}) {
  return spawnSync('git', args, {
    cwd: repo.path,
    encoding: 'utf8',
    env: { ...gitEnvironment(), ...isolatedGit, ...env },
  });
}
const tryCommit = (repo: Folder, message: string, ...args: string[]) =>
  tryGit(repo, ['commit', '-q', '-m', message, ...args]);
const hookFile = (repo: Folder, name: string) => join(repo.path, '.git/hooks', name);

async function writeHook(repo: Repo, name: string, script: string): Promise<void> {
  await repo.write(`.git/hooks/${name}`, script);
  await chmod(hookFile(repo, name), 0o755);
}

/** In parts, or this file would be taken for one that leaks a key. */
const looksLikeKey = ['AKIA', 'IOSFODNN7ABCDEFG'].join('');

describe('caws_hooks', () => {
  test('installs four hooks that any shell can read, knows them again, and takes them away', async () => {
    await using repo = await governed();
    expect(states(await hooks(repo, 'status'))).toEqual(all('missing'));
    const installed = await hooks(repo, 'install');
    expect(installed).toMatchObject({ success: true, subcommand: 'install', active: 4 });
    expect(installed.output).toContain('Successfully installed 4 git hooks');
    for (const name of Object.keys(all(''))) {
      expect(spawnSync('sh', ['-n', hookFile(repo, name)]).status, name).toBe(0);
      expect((await lstat(hookFile(repo, name))).mode & 0o111).not.toBe(0);
    }
    const before = await readFile(hookFile(repo, 'pre-commit'), 'utf8');
    const again = await hooks(repo, 'install');
    expect(again.hooks[0].done).toBe('was active already');
    expect(await readFile(hookFile(repo, 'pre-commit'), 'utf8')).toBe(before);
    expect(states(await hooks(repo, 'status'))).toEqual(all('active'));
    expect((await hooks(repo, 'remove')).output).toContain('Removed 4 git hooks');
    expect(states(await hooks(repo, 'status'))).toEqual(all('missing'));
    expect((await hooks(repo, 'remove')).output).toContain('Removed 0 git hooks');
  });

  test('tells apart what is edited, not executable and somebody else’s', async () => {
    await using repo = await governed();
    await hooks(repo, 'install');
    await writeFile(hookFile(repo, 'pre-commit'), `${await readFile(hookFile(repo, 'pre-commit'), 'utf8')}exit 0\n`);
    await chmod(hookFile(repo, 'commit-msg'), 0o644);
    await writeHook(repo, 'pre-push', '#!/bin/sh\nexit 0\n');
    expect(states(await hooks(repo, 'status'))).toEqual({
      'pre-commit': 'edited',
      'commit-msg': 'not_executable',
      'post-commit': 'active',
      'pre-push': 'foreign',
    });
    expect(states(await hooks(repo, 'install'))).toEqual({ ...all('active'), 'pre-commit': 'edited' });
    expect(states(await hooks(repo, 'install', { force: true }))).toEqual(all('active'));
  });

  test('runs the hook that was there first, lets it refuse, and puts it back', async () => {
    await using repo = await governed();
    const own = '#!/bin/sh\necho "own $*" >> ran.txt\n[ ! -f refuse ]\n';
    await writeHook(repo, 'pre-commit', own);
    await hooks(repo, 'install');
    await repo.put({ 'src/a.js': 'export const a = 2;\n' });
    repo.git('add', 'src');
    expect(tryCommit(repo, 'fix: a').status).toBe(0);
    expect(await readFile(join(repo.path, 'ran.txt'), 'utf8')).toBe('own \n');
    await repo.put({ refuse: '', 'src/a.js': 'export const a = 3;\n' });
    repo.git('add', 'src');
    expect(tryCommit(repo, 'fix: a').status).not.toBe(0);
    expect((await hooks(repo, 'remove')).hooks[0].done).toContain('back');
    expect(await readFile(hookFile(repo, 'pre-commit'), 'utf8')).toBe(own);
    expect((await readdir(join(repo.path, '.git/hooks'))).filter((name) => !name.endsWith('.sample'))).toEqual([
      'pre-commit',
    ]);
  });

  test('gives a chained pre-push what git gave, and replaces by force without losing anything', async () => {
    await using remote = await newFolder();
    await using repo = await governed();
    repoAt(remote).git('init', '-q', '--bare');
    await writeHook(repo, 'pre-push', '#!/bin/sh\ncat > .git/pushed.txt\nexit 9\n');
    await hooks(repo, 'install', { backup: true });
    expect(tryGit(repo, ['push', '-q', remote.path, 'main']).status).not.toBe(0);
    expect(await readFile(join(repo.path, '.git/pushed.txt'), 'utf8')).toMatch(
      /^refs\/heads\/main [0-9a-f]{40} refs\/heads\/main 0{40}\n$/,
    );
    expect((await readdir(join(repo.path, '.git/hooks'))).some((name) => /^pre-push\.backup-/.test(name))).toBe(true);
    await hooks(repo, 'remove');
    await hooks(repo, 'install', { force: true });
    const untested = tryGit(repo, ['push', '-q', remote.path, 'main']);
    expect([untested.status, untested.stderr]).toEqual([1, expect.stringContaining('test_results: Not known')]);
    await repo.put({ 'reports/junit.xml': junit({ A1: 'passed' }) });
    expect(tryGit(repo, ['push', '-q', remote.path, 'main']).status).toBe(0);
    await hooks(repo, 'remove');
    expect(await readFile(hookFile(repo, 'pre-push'), 'utf8')).toContain('exit 9');
  });

  test('goes where git looks: core.hooksPath, and the shared folder of work trees', async () => {
    await using repo = await governed();
    repo.git('config', 'core.hooksPath', '.githooks');
    const { folder, notes } = await hooks(repo, 'install');
    expect([folder, notes.join()]).toEqual([join(repo.path, '.githooks'), expect.stringContaining('core.hooksPath')]);
    expect((await readdir(join(repo.path, '.githooks'))).sort()).toEqual(Object.keys(all('')).sort());
    await hooks(repo, 'remove');
    repo.git('config', '--unset', 'core.hooksPath');
    await using tree = await newFolder();
    repo.git('worktree', 'add', '-q', join(tree.path, 'tree'), '-b', 'side');
    const side = { ...tree, path: join(tree.path, 'tree') };
    expect((await hooks(side, 'install')).folder).toBe(join(repo.path, '.git/hooks'));
    await writeFile(join(side.path, 'src/a.js'), 'export const a = 4;\n');
    await writeFile(join(side.path, 'other.txt'), '');
    tryGit(side, ['add', '-A']);
    expect(tryCommit(side, 'feat: b').stderr).toContain('other.txt');
    tryGit(side, ['rm', '-qf', 'other.txt']);
    expect(tryCommit(side, 'feat: b').stderr).toBe('');
  });

  test('holds commits to the spec of a part of the repository', async () => {
    await using repo = await newRepo({ 'part/.caws/working-spec.yaml': spec, 'part/src/a.js': '1\n', 'b.txt': '1\n' });
    await hooks({ ...repo, path: join(repo.path, 'part') }, 'install');
    await repo.put({ 'part/other.txt': '1\n', 'b.txt': '2\n' });
    repo.git('add', 'b.txt');
    expect(tryCommit(repo, 'fix: b').stderr).toBe('');
    repo.git('add', '-A');
    const { stderr } = tryCommit(repo, 'fix: other');
    expect(stderr).toContain('"other.txt" is not in the scope');
    // Whoever commits is a person, or reads like one.
    expect(stderr).toMatch(/^pre-commit refuses:\n/);
  });

  test('writes no hooks for a caller over HTTP where the operator named only the work tree', async () => {
    await using repo = await governed();
    await using place = await newFolder();
    const tree = join(place.path, 'tree');
    repo.git('worktree', 'add', '-q', '--detach', tree);
    await using server = await startHttp({ args: ['--toolsets', 'standards', '--folders', tree], env: isolatedGit });
    await using guest = await connectHttp('modern', server);
    const { isError, content } = await guest.callTool({
      name: 'caws_hooks',
      arguments: { subcommand: 'install', workingDirectory: tree },
    });
    expect([isError, JSON.stringify(content)]).toEqual([true, expect.stringContaining('EACCES')]);
    const fixed = await guest.callTool({ name: 'caws_diagnose', arguments: { fix: true, workingDirectory: tree } });
    expect(JSON.stringify(fixed.structuredContent)).toContain('outside of the folders');
    expect((await readdir(join(repo.path, '.git/hooks'))).filter((name) => !name.endsWith('.sample'))).toEqual([]);
  });

  test('leaves hooks alone that other repositories share', async () => {
    await using shared = await newFolder();
    await using repo = await governed();
    repo.git('config', 'core.hooksPath', shared.path);
    expect((await hooks(repo, 'install', { force: true })).error).toContain('outside');
    repo.git('config', '--unset', 'core.hooksPath');
    repo.git('config', 'core.hooksPath', 'linked');
    await symlink(shared.path, join(repo.path, 'linked'));
    expect((await hooks(repo, 'install')).error).toContain('outside');
    expect(await readdir(shared.path)).toEqual([]);
  });

  test('says what is missing where there is no git', async () => {
    await using folder = await newFolder();
    expect(await hooks(folder, 'install')).toMatchObject({
      success: false,
      code: 'ENOENT',
      command: 'caws hooks install',
    });
    await using bare = await newFolder();
    repoAt(bare).git('init', '-q', '--bare');
    expect(await hooks(bare, 'install')).toMatchObject({ success: false });
  });
});

describe('a commit', () => {
  let repo: Repo;
  beforeAll(async () => {
    repo = await governed();
    await hooks(repo, 'install');
  });
  afterAll(async () => repo[Symbol.asyncDispose]());

  const stage = async (files: Record<string, string>) => {
    repo.git('reset', '-q', '--hard');
    await repo.put(files);
    repo.git('add', '-A');
  };

  test('in scope is made, out of scope it is not', async () => {
    await stage({ 'src/b.js': 'export const b = 1;\n' });
    const made = tryCommit(repo, 'feat: more');
    expect([made.status, made.stderr]).toEqual([0, '']);
    await stage({ 'docs/x.md': 'x\n' });
    const refused = tryCommit(repo, 'feat: more');
    expect([refused.status, refused.stderr]).toEqual([
      1,
      expect.stringContaining(
        '\n  "docs/x.md" is not in the scope of FEAT-0001: unstage it (git restore --staged), or add it to scope.in in .caws/working-spec.yaml\n',
      ),
    ]);
  });

  test('under the wrong name is not made', async () => {
    await stage({ 'src/b.js': 'export const b = 3;\n' });
    const refused = tryCommit(repo, 'feat: FEAT-0002 other work');
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('names FEAT-0002')]);
  });

  test('can be asked about before it is made', async () => {
    await stage({ 'src/b.js': 'export const b = 4;\n' });
    expect(await hooks(repo, 'status', { check: 'pre-commit' })).toMatchObject({
      success: true,
      output: 'pre-commit: nothing stands in the way',
    });
  });

  test.each([
    ['a file that the scope takes out', { 'src/secret/x.js': 'x\n' }, 'taken out of the scope'],
    [
      'a secret',
      { 'src/key.js': `const a = "${looksLikeKey}";\n` },
      '"src/key.js" line 1 looks like an AWS access key',
    ],
    ['too many lines', { 'src/big.js': 'x();\n'.repeat(5001) }, 'lines of 5000'],
    ['a file that git does not compare', { 'src/huge.js': 'x();\n'.repeat(7_000_000) }, '7000000 lines of 5000'],
    [
      'a secret beside a diff without end',
      { 'src/made.js': 'x();\n'.repeat(4_000_000), 'src/key.js': `const a = "${looksLikeKey}";\n` },
      '"src/key.js" line 1 looks like an AWS access key',
    ],
    [
      'a spec that is not valid',
      { '.caws/working-spec.yaml': spec.replace('risk_tier: 3', 'risk_tier: 9') },
      'must be 1, 2 or 3',
    ],
    ['a name with quotes and a line end', { 'a"b\nc.txt': '' }, '"a\\"b\\nc.txt"'],
  ])('with %s is refused, with the reason', async (_, files, reason) => {
    await stage(files);
    expect(await hooks(repo, 'status', { check: 'pre-commit' })).toMatchObject({
      success: false,
      error: expect.stringContaining(reason),
    });
  });

  test('is not charged for the files that it is governed by', async () => {
    await stage({ '.caws/notes.md': 'x\n'.repeat(6000) });
    expect(await hooks(repo, 'status', { check: 'pre-commit' })).toMatchObject({ success: true });
  });

  test('is judged by a huge file as it is staged, whatever lies there since', async () => {
    await stage({ 'src/huge.js': 'x();\n'.repeat(7_000_000) });
    await repo.put({ 'src/huge.js': 'x();\n' });
    expect(await hooks(repo, 'status', { check: 'pre-commit' })).toMatchObject({
      error: expect.stringContaining('7000000 lines of 5000'),
    });
  });

  test('out of scope passes under a waiver, as long as it lasts', async () => {
    const waiver = (expires: string) => `id: WV-0001
title: Documents on the way
reason: other
description: They go along this once
gates: [scope_boundary]
created_at: '2026-01-01T00:00:00Z'
expires_at: '${expires}'
approved_by: somebody
impact_level: low
mitigation_plan: Looked at by hand
status: active
`;
    await stage({ 'docs/x.md': 'x\n', '.caws/waivers/WV-0001.yaml': waiver('2999-01-01T00:00:00Z') });
    expect(await hooks(repo, 'status', { check: 'pre-commit' })).toMatchObject({ success: true });
    await stage({ 'docs/x.md': 'x\n', '.caws/waivers/WV-0001.yaml': waiver('2026-01-02T00:00:00Z') });
    expect(await hooks(repo, 'status', { check: 'pre-commit' })).toMatchObject({ success: false });
  });

  test('that ends a merge answers for its own changes, not for those it brings', async () => {
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

  test('that takes the spec away is refused', async () => {
    repo.git('reset', '-q', '--hard');
    repo.git('rm', '-q', '.caws/working-spec.yaml');
    for (const check of ['pre-commit', 'pre-push'])
      expect((await hooks(repo, 'status', { check })).error).toContain('was taken away');
  });

  test('is judged by what it holds, not by what lies around', async () => {
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
    ['#12 is mended', undefined],
    ['Revert "feat: FEAT-0002 other work"', undefined],
    ['feat: more\n# FEAT-0002 in a comment\n\nFollows FEAT-0003.\n\nSpec: FEAT-0001', undefined],
  ])('with the message %j', async (message, complaint) => {
    await stage({});
    await repo.write('.git/COMMIT_EDITMSG', message);
    const asked = await hooks(repo, 'status', { check: 'commit-msg', messageFile: '.git/COMMIT_EDITMSG' });
    if (complaint === undefined) expect(asked).toMatchObject({ success: true });
    else expect(asked.error).toContain(complaint);
  });

  test('has its message read from its own folder only', async () => {
    for (const messageFile of ['/etc/passwd', '../x', undefined])
      expect(await hooks(repo, 'status', { check: 'commit-msg', ...(messageFile && { messageFile }) })).toMatchObject({
        success: false,
        code: 'EINVAL',
      });
  });

  test('is refused when the program cannot be found', async () => {
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

  test('needs no spec where there never was one, on a detached head, and before the first commit', async () => {
    await using plain = await newRepo();
    await hooks(plain, 'install');
    await plain.put({ 'anything.txt': '1\n' });
    plain.git('add', '-A');
    expect(tryCommit(plain, 'first').stderr).toBe('');
    plain.git('checkout', '-q', '--detach');
    await plain.put({ 'anything.txt': '2\n' });
    expect(tryCommit(plain, 'second', '-a').stderr).toBe('');
  });

  test('is recorded where a chain was begun', async () => {
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

  test('goes through with evidence, not against it; taking a branch away needs none', async () => {
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
