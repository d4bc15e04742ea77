import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { addFiles, createTestFolder, lcovRecord } from '../test-support/lcov-test-support.ts';
import {
  commit,
  git,
  measurePatch,
  numberedLines,
  repo,
  setUpRepository,
  useRepository,
  writeLcovReport,
} from '../test-support/repository-test-support.ts';

beforeEach(setUpRepository);

describe('a repository of another user', () => {
  it('has its submodules ignored', async () => {
    const inner = await createTestFolder({ 'x.ts': numberedLines(5) });
    const top = repo;
    useRepository(inner);
    git('init', '-q', '-b', 'main');
    commit('inner');
    useRepository(top);
    git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'sub');
    commit('with a submodule');
    git('branch', '-f', 'main');
    git('config', 'diff.submodule', 'diff');
    await addFiles(repo, { 'sub/x.ts': numberedLines(5, [2]) });
    useRepository(join(top, 'sub'));
    commit('changed');
    useRepository(top);
    await addFiles(repo, { 'sub/x.ts': numberedLines(5, [2, 3]) });
    await writeLcovReport(`${lcovRecord('sub/x.ts', 1, 1, 1)}${lcovRecord('without-extension', 1)}`);
    expect(await measurePatch()).toMatchObject({ percent: null, files: [], withoutData: [] });
    git('config', 'diff.submodule', 'short');
    expect(await measurePatch()).toMatchObject({ percent: null, files: [], withoutData: [] });
  });

  it('is opened if its owner is trusted; the error says how to trust it', async () => {
    vi.stubEnv('GIT_TEST_ASSUME_DIFFERENT_OWNER', '1');
    await expect(measurePatch()).rejects.toMatchObject({
      code: 'GIT_NOT_TRUSTED',
      message: expect.stringMatching(
        new RegExp(`"${repo}"; if you do, run: git config --global --add safe\\.directory ${repo}$`),
      ),
    });
  });
});

describe('the base', () => {
  it('is the main branch of the remote before the local one', async () => {
    await writeLcovReport('');
    git('update-ref', 'refs/remotes/origin/master', 'main');
    expect((await measurePatch()).base).toBe('origin/master');
    git('update-ref', 'refs/remotes/origin/main', 'main');
    expect((await measurePatch()).base).toBe('origin/main');
    git('update-ref', 'refs/remotes/origin/develop', 'main');
    git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/develop');
    expect((await measurePatch()).base).toBe('origin/HEAD');
  });

  it('is required if there is no main branch', async () => {
    git('branch', '-q', '-D', 'main');
    await expect(measurePatch()).rejects.toMatchObject({
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
    await expect(measurePatch({ base })).rejects.toMatchObject({
      kind: 'bad_input',
      code: 'GIT_UNKNOWN_BASE',
      message: expect.stringContaining(`Unknown base ${JSON.stringify(base)}`),
    });
  });

  it('must share history with HEAD', async () => {
    git('checkout', '-q', '--orphan', 'other');
    commit('unrelated');
    await expect(measurePatch()).rejects.toMatchObject({
      code: 'GIT_NO_MERGE_BASE',
      message: expect.stringContaining('share no history'),
    });
  });

  it('must be within the history of a shallow clone', async () => {
    await addFiles(repo, { 'src/a.ts': numberedLines(10, [1]) });
    commit('second');
    const origin = repo;
    useRepository(await createTestFolder());
    git('clone', '-q', '--depth', '1', '--no-single-branch', '-b', 'work', `file://${origin}`, '.');
    git('update-ref', 'refs/heads/orphan', git('commit-tree', '-m', 'x', 'HEAD^{tree}').trim());
    await expect(measurePatch({ base: 'orphan' })).rejects.toThrow(/clone is shallow; .*git fetch --unshallow/);
  });
});

describe('patch coverage', () => {
  it('fails without a repository', async () => {
    useRepository(await createTestFolder());
    await expect(measurePatch()).rejects.toMatchObject({
      code: 'GIT_NOT_REPOSITORY',
      message: `Not in a git repository: "${repo}"; give repoPath`,
    });
    await expect(measurePatch({ repository: 'a\0b' })).rejects.toMatchObject({
      kind: 'bad_input',
      code: 'GIT_NOT_REPOSITORY',
      message: expect.stringContaining('a\\u0000b'),
    });
    await expect(measurePatch({ repository: join(repo, 'none') })).rejects.toMatchObject({
      code: 'GIT_NOT_REPOSITORY',
    });
  });

  it('fails without commits', async () => {
    useRepository(await createTestFolder());
    git('init', '-q');
    await expect(measurePatch()).rejects.toMatchObject({ code: 'GIT_NO_COMMITS' });
  });

  it('fails without git', async () => {
    vi.stubEnv('PATH', '/nowhere');
    await expect(measurePatch()).rejects.toMatchObject({ kind: 'unavailable', code: 'GIT_MISSING' });
  });

  it('fails without a report', async () => {
    await expect(measurePatch()).rejects.toThrow('LCOV file not found at path coverage/lcov.info');
  });

  it('fails in a damaged repository', async () => {
    await writeLcovReport('');
    await rename(join(repo, '.git/objects'), join(repo, '.git/objects-away'));
    await writeFile(join(repo, '.git/HEAD'), 'nonsense');
    await expect(measurePatch()).rejects.toMatchObject({ code: expect.stringMatching(/^GIT_/) });
  });

  it('stops when cancelled', async () => {
    await expect(measurePatch({ signal: AbortSignal.abort('no') })).rejects.toBe('no');
  });
});
