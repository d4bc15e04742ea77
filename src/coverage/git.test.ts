import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { commit, enter, git, lines, patch, repo, setUpRepository, writeReport } from './repository-test-support.ts';
import { addFiles, folderWith, record } from './test-support.ts';

beforeEach(setUpRepository);

describe('a repository of a stranger', () => {
  it('has its submodules left alone', async () => {
    const inner = await folderWith({ 'x.ts': lines(5) });
    const top = repo;
    enter(inner);
    git('init', '-q', '-b', 'main');
    commit('inner');
    enter(top);
    git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'sub');
    commit('with a submodule');
    git('branch', '-f', 'main');
    git('config', 'diff.submodule', 'diff');
    await addFiles(repo, { 'sub/x.ts': lines(5, [2]) });
    enter(join(top, 'sub'));
    commit('changed');
    enter(top);
    await addFiles(repo, { 'sub/x.ts': lines(5, [2, 3]) });
    await writeReport(`${record('sub/x.ts', 1, 1, 1)}${record('without-extension', 1)}`);
    expect(await patch()).toMatchObject({ percent: null, files: [], withoutData: [] });
    git('config', 'diff.submodule', 'short');
    expect(await patch()).toMatchObject({ percent: null, files: [], withoutData: [] });
  });

  it('is opened when its owner is trusted, and the failure says how', async () => {
    vi.stubEnv('GIT_TEST_ASSUME_DIFFERENT_OWNER', '1');
    await expect(patch()).rejects.toMatchObject({
      code: 'GIT_NOT_TRUSTED',
      message: expect.stringMatching(
        new RegExp(`"${repo}"; if you do, run: git config --global --add safe\\.directory ${repo}$`),
      ),
    });
  });
});

describe('the base', () => {
  it('is the main branch of the remote before the local one', async () => {
    await writeReport('');
    git('update-ref', 'refs/remotes/origin/master', 'main');
    expect((await patch()).base).toBe('origin/master');
    git('update-ref', 'refs/remotes/origin/main', 'main');
    expect((await patch()).base).toBe('origin/main');
    git('update-ref', 'refs/remotes/origin/develop', 'main');
    git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/develop');
    expect((await patch()).base).toBe('origin/HEAD');
  });

  it('must be given when there is no usual one', async () => {
    git('branch', '-q', '-D', 'main');
    await expect(patch()).rejects.toMatchObject({
      code: 'GIT_NO_BASE',
      message: expect.stringContaining('give a branch'),
    });
  });

  it.each([
    'nowhere',
    '',
    '-',
    '--output=/tmp/evil',
    '-O/etc/passwd',
    'main..work',
    'main:src/a.ts',
    'a\0b',
    '--all',
    '^main',
  ])('cannot be %j', async (base) => {
    await expect(patch({ base })).rejects.toMatchObject({
      kind: 'bad_input',
      code: 'GIT_UNKNOWN_BASE',
      message: expect.stringContaining(`Unknown base ${JSON.stringify(base)}`),
    });
  });

  it('must share history with the work', async () => {
    git('checkout', '-q', '--orphan', 'other');
    commit('unrelated');
    await expect(patch()).rejects.toMatchObject({
      code: 'GIT_NO_MERGE_BASE',
      message: expect.stringContaining('share no history'),
    });
  });

  it('must be within the history of a shallow clone', async () => {
    await addFiles(repo, { 'src/a.ts': lines(10, [1]) });
    commit('second');
    const origin = repo;
    enter(await folderWith());
    git('clone', '-q', '--depth', '1', '--no-single-branch', '-b', 'work', `file://${origin}`, '.');
    git('update-ref', 'refs/heads/orphan', git('commit-tree', '-m', 'x', 'HEAD^{tree}').trim());
    await expect(patch({ base: 'orphan' })).rejects.toThrow(/clone is shallow; .*git fetch --unshallow/);
  });
});

describe('without', () => {
  it('a repository', async () => {
    enter(await folderWith());
    await expect(patch()).rejects.toMatchObject({
      code: 'GIT_NOT_REPOSITORY',
      message: `Not in a git repository: "${repo}"; give repoPath`,
    });
    await expect(patch({ repository: 'a\0b' })).rejects.toMatchObject({
      kind: 'bad_input',
      code: 'GIT_NOT_REPOSITORY',
      message: expect.stringContaining('a\\u0000b'),
    });
    await expect(patch({ repository: join(repo, 'none') })).rejects.toMatchObject({ code: 'GIT_NOT_REPOSITORY' });
  });

  it('commits', async () => {
    enter(await folderWith());
    git('init', '-q');
    await expect(patch()).rejects.toMatchObject({ code: 'GIT_NO_COMMITS' });
  });

  it('git', async () => {
    vi.stubEnv('PATH', '/nowhere');
    await expect(patch()).rejects.toMatchObject({ kind: 'unavailable', code: 'GIT_MISSING' });
  });

  it('a report', async () => {
    await expect(patch()).rejects.toThrow('LCOV file not found at path coverage/lcov.info');
  });

  it('a whole repository', async () => {
    await writeReport('');
    await rename(join(repo, '.git/objects'), join(repo, '.git/objects-away'));
    await writeFile(join(repo, '.git/HEAD'), 'nonsense');
    await expect(patch()).rejects.toMatchObject({ code: expect.stringMatching(/^GIT_/) });
  });

  it('patience', async () => {
    await expect(patch({ signal: AbortSignal.abort('no') })).rejects.toBe('no');
  });
});
