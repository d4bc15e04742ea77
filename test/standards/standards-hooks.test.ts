import { spawnSync } from 'node:child_process';
import { chmod, lstat, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { connectHttp, startHttp } from '../support/assay.ts';
import { newFolder } from '../support/folders.ts';
import { isolatedGit, newRepo, type Repo, repoAt } from '../support/git/repos.ts';
import { junit } from '../support/standards/governed-repo.ts';
import { governed, hookFile, hooksServer, spec, tryCommit, tryGit } from '../support/standards/hooks.ts';

const { hooks } = hooksServer();
const states = ({ hooks: all }: { hooks: { hook: string; state: string }[] }) =>
  Object.fromEntries(all.map(({ hook, state }) => [hook, state]));
const all = (state: string) => ({ 'pre-commit': state, 'commit-msg': state, 'post-commit': state, 'pre-push': state });

async function writeHook(repo: Repo, name: string, script: string): Promise<void> {
  await repo.write(`.git/hooks/${name}`, script);
  await chmod(hookFile(repo, name), 0o755);
}

describe('caws_hooks', () => {
  test('installs four POSIX hooks, recognises them and removes them', async () => {
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

  test('distinguishes edited, not executable and foreign hooks', async () => {
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

  test('runs an existing hook first, accepts its refusal and restores it on removal', async () => {
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
    expect((await hooks(repo, 'remove')).hooks[0].done).toContain('restored');
    expect(await readFile(hookFile(repo, 'pre-commit'), 'utf8')).toBe(own);
    expect((await readdir(join(repo.path, '.git/hooks'))).filter((name) => !name.endsWith('.sample'))).toEqual([
      'pre-commit',
    ]);
  });

  test('passes the input of git to a chained pre-push hook and keeps it when force replaces it', async () => {
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

  test('keeps the hooks of husky 9 and their failures', async () => {
    await using repo = await governed();
    repo.git('config', 'core.hooksPath', '.husky/_');
    const dispatcher =
      'team=$(dirname "$(dirname "$0")")/$(basename "$0")\n[ -f "$team" ] || exit 0\nsh -e "$team" "$@"\nexit $?\n';
    const stub = `#!/usr/bin/env sh\n. "${'$'}{0%/*}/h"\n`;
    await repo.put({ '.husky/_/h': dispatcher, '.husky/_/pre-commit': stub, '.husky/pre-commit': 'exit 7\n' });
    await chmod(join(repo.path, '.husky/_/pre-commit'), 0o755);
    await repo.put({ 'src/a.js': 'export const a = 2;\n' });
    expect(tryCommit(repo, 'feat: two', '-a').status).not.toBe(0);
    await hooks(repo, 'install');
    expect(tryCommit(repo, 'feat: two', '-a').status).not.toBe(0);
    await repo.put({ '.husky/pre-commit': 'echo "$#" > .git/team.txt\n' });
    expect(tryCommit(repo, 'feat: two', '-a').stderr).toBe('');
    expect(await readFile(join(repo.path, '.git/team.txt'), 'utf8')).toBe('0\n');
    await hooks(repo, 'remove');
    expect(await readFile(join(repo.path, '.husky/_/pre-commit'), 'utf8')).toBe(stub);
  });

  test('installs into core.hooksPath and into the shared folder of work trees', async () => {
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

  test('checks commits against the spec of a subfolder', async () => {
    await using repo = await newRepo({ 'part/.caws/working-spec.yaml': spec, 'part/src/a.js': '1\n', 'b.txt': '1\n' });
    await hooks({ ...repo, path: join(repo.path, 'part') }, 'install');
    await repo.put({ 'part/other.txt': '1\n', 'b.txt': '2\n' });
    repo.git('add', 'b.txt');
    expect(tryCommit(repo, 'fix: b').stderr).toBe('');
    repo.git('add', '-A');
    const { stderr } = tryCommit(repo, 'fix: other');
    expect(stderr).toContain('"other.txt" is not in the scope');
    // The text is for people, so it is not JSON.
    expect(stderr).toMatch(/^pre-commit refuses:\n/);
  });

  test('writes no hooks over HTTP if the operator allows only the work tree', async () => {
    await using repo = await governed();
    await using outside = await newFolder();
    const tree = join(outside.path, 'tree');
    repo.git('worktree', 'add', '-q', '--detach', tree);
    await using server = await startHttp({ args: ['--toolsets', 'standards', '--folders', tree], env: isolatedGit });
    await using guest = await connectHttp('modern', server);
    const { isError, content } = await guest.callTool({
      name: 'caws_hooks',
      arguments: { subcommand: 'install', workingDirectory: tree },
    });
    expect([isError, JSON.stringify(content)]).toEqual([true, expect.stringContaining('EACCES')]);
    const fixed = await guest.callTool({ name: 'caws_diagnose', arguments: { fix: true, workingDirectory: tree } });
    expect(JSON.stringify(fixed.structuredContent)).toContain('outside the folders');
    expect((await readdir(join(repo.path, '.git/hooks'))).filter((name) => !name.endsWith('.sample'))).toEqual([]);
  });

  test('rejects a hooks folder that other repositories share', async () => {
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

  test('fails outside of a git work tree', async () => {
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
