import { rm, stat, symlink, utimes } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { addFiles, createTestFolder, lcovRecord } from '../test-support/lcov-test-support.ts';
import {
  commit,
  git,
  measurePatch,
  numberedLines,
  repo,
  setUpRepository,
  writeLcovReport,
} from '../test-support/repository-test-support.ts';
import { measurePatchCoverage } from './patch-coverage.ts';

beforeEach(setUpRepository);

describe('coverage of a change', () => {
  it('counts changed coverable lines: committed, staged, unstaged and untracked', async () => {
    await addFiles(repo, { 'src/a.ts': numberedLines(10, [2, 3]) });
    commit('second');
    await addFiles(repo, { 'src/b.ts': numberedLines(10, [5]) });
    git('add', 'src/b.ts');
    await addFiles(repo, {
      'src/b.ts': numberedLines(10, [5, 9]),
      'src/new.ts': numberedLines(3),
      'ignored.ts': numberedLines(3),
    });
    await writeLcovReport(
      lcovRecord('src/a.ts', 0, 1, 0, 0) +
        lcovRecord('src/b.ts', 0, 0, 0, 0, 1, 0, 0, 0, 1) +
        lcovRecord('src/new.ts', 0, 0, 1),
    );
    const result = await measurePatch();
    expect(result).toEqual({
      base: 'main',
      commit: git('rev-parse', 'main').trim(),
      percent: 57.1,
      lines: { found: 7, hit: 4 },
      files: [
        { path: 'src/new.ts', percent: 33.3, uncovered: 2, lines: '1-2' },
        { path: 'src/a.ts', percent: 50, uncovered: 1, lines: '3' },
        { path: 'src/b.ts', percent: 100, uncovered: 0, lines: '' },
      ],
      totalFiles: 3,
      withoutData: [],
      totalWithoutData: 0,
      stale: [],
      totalStale: 0,
    });
  });

  it('is null if no changed line is coverable', async () => {
    await addFiles(repo, { 'src/a.ts': numberedLines(12, [11, 12]) });
    await writeLcovReport(lcovRecord('src/a.ts', 0, 1));
    expect(await measurePatch()).toMatchObject({
      percent: null,
      lines: { found: 0, hit: 0 },
      files: [],
      totalFiles: 0,
    });
    git('checkout', '-q', '--', '.');
    expect(await measurePatch()).toMatchObject({ percent: null, files: [] });
  });

  it('starts at the merge base, not at the tip of the base', async () => {
    await addFiles(repo, { 'src/a.ts': numberedLines(10, [1]) });
    commit('on the branch');
    git('checkout', '-q', 'main');
    await addFiles(repo, { 'src/b.ts': numberedLines(10, [1, 2, 3]) });
    commit('on main');
    git('checkout', '-q', 'work');
    await writeLcovReport(lcovRecord('src/a.ts', 1) + lcovRecord('src/b.ts', 0, 0, 0));
    expect(await measurePatch()).toMatchObject({ percent: 100, totalFiles: 1 });
    expect(await measurePatch({ base: 'HEAD' })).toMatchObject({ percent: null, base: 'HEAD' });
    expect(await measurePatch({ base: 'work~1' })).toMatchObject({ percent: 100, base: 'work~1' });
  });

  it('follows a renamed and changed file', async () => {
    git('mv', 'src/a.ts', 'src/moved.ts');
    await addFiles(repo, { 'src/moved.ts': numberedLines(10, [4]) });
    await writeLcovReport(lcovRecord('src/moved.ts', 0, 0, 0, 1, 0));
    expect(await measurePatch()).toMatchObject({ percent: 100, lines: { found: 1 } });
  });

  it('ignores deleted, binary and empty files', async () => {
    await rm(join(repo, 'src/a.ts'));
    await addFiles(repo, {
      'picture.ts': Buffer.from([0, 1, 2, 0, 255]),
      'empty.ts': '',
      'src/b.ts': numberedLines(5),
    });
    await writeLcovReport(lcovRecord('src/b.ts', 0));
    expect(await measurePatch()).toMatchObject({ percent: null, withoutData: ['empty.ts', 'picture.ts'] });
  });

  it.each(['with space.ts', 'café ü.ts', '"quoted".ts', 'tab\there.ts', '-dash.ts', 'b/b.ts', '日本.ts'])(
    'finds %j, tracked or not',
    async (name) => {
      await addFiles(repo, { [name]: numberedLines(4) });
      await writeLcovReport(lcovRecord(name, 0, 1, 1, 1));
      expect((await measurePatch()).files).toEqual([{ path: name, percent: 75, uncovered: 1, lines: '1' }]);
      commit('tracked');
      expect((await measurePatch()).files).toEqual([{ path: name, percent: 75, uncovered: 1, lines: '1' }]);
    },
  );

  it('ignores the diff settings of git', async () => {
    for (const [name, value] of [
      ['diff.noprefix', 'true'],
      ['diff.mnemonicPrefix', 'true'],
      ['diff.context', '7'],
      ['diff.interHunkContext', '9'],
      ['diff.external', '/bin/false'],
      ['diff.relative', 'true'],
      ['color.ui', 'always'],
      ['color.diff', 'always'],
      ['core.quotePath', 'false'],
      ['core.fsmonitor', '/bin/false'],
    ]) {
      git('config', name ?? '', value ?? '');
    }
    await addFiles(repo, { 'src/a.ts': numberedLines(10, [2, 6]) });
    await writeLcovReport(lcovRecord('src/a.ts', 0, 1, 0, 0, 0, 0));
    for (const cwd of [repo, join(repo, 'src')]) {
      const result = await measurePatchCoverage(join(repo, 'coverage/lcov.info'), { cwd, limit: 10 });
      expect(result).toMatchObject({ lines: { found: 2, hit: 1 }, files: [{ path: 'src/a.ts', lines: '6' }] });
    }
  });

  it('matches absolute, package and container paths of reports', async () => {
    await addFiles(repo, {
      'packages/one/src/x.ts': numberedLines(2),
      'packages/one/src/y.ts': numberedLines(2),
      'src/a.ts': numberedLines(10, [1]),
    });
    await addFiles(repo, {
      'packages/one/coverage/lcov.info': lcovRecord('src/x.ts', 1, 0) + lcovRecord('src/y.ts', 0, 0),
    });
    const report = await measurePatchCoverage('packages/one/coverage/lcov.info', { cwd: repo, limit: 10 });
    expect(report.files.map(({ path, lines }) => [path, lines])).toEqual([
      ['packages/one/src/y.ts', '1-2'],
      ['packages/one/src/x.ts', '2'],
    ]);
    expect(report.withoutData).toEqual(['src/a.ts']);
    await writeLcovReport(lcovRecord(join(repo, 'src/a.ts'), 1) + lcovRecord('/app/packages/one/src/x.ts', 0, 0));
    expect((await measurePatch()).files.map(({ path, percent }) => [path, percent])).toEqual([
      ['packages/one/src/x.ts', 0],
      ['src/a.ts', 100],
    ]);
  });

  it('matches a container path to the local file with the longest common ending', async () => {
    await addFiles(repo, { 'index.ts': numberedLines(2), 'src/index.ts': numberedLines(2) });
    commit('both');
    git('branch', '-f', 'main');
    await addFiles(repo, { 'index.ts': numberedLines(2, [1]) });
    await writeLcovReport(lcovRecord('/app/src/index.ts', 1, 1));
    expect(await measurePatch()).toMatchObject({ percent: null, withoutData: ['index.ts'] });
    await addFiles(repo, { 'src/index.ts': numberedLines(2, [1, 2]) });
    expect(await measurePatch()).toMatchObject({ lines: { found: 2, hit: 2 }, files: [{ path: 'src/index.ts' }] });
  });

  it('matches container paths from any working directory', async () => {
    await addFiles(repo, { 'lib/util.ts': numberedLines(2), 'packages/web/src/x.ts': numberedLines(2) });
    await writeLcovReport(lcovRecord('/app/lib/util.ts', 0, 0) + lcovRecord('/app/packages/web/src/x.ts', 1, 1));
    const lcov = join(repo, 'coverage/lcov.info');
    const fromTop = await measurePatch();
    expect(fromTop).toMatchObject({ percent: 50, totalFiles: 2, withoutData: [] });
    expect(await measurePatchCoverage(lcov, { cwd: join(repo, 'packages/web'), limit: 10 })).toEqual(fromTop);
    expect(await measurePatchCoverage(lcov, { cwd: await createTestFolder(), repository: repo, limit: 10 })).toEqual(
      fromTop,
    );
    await writeLcovReport(lcovRecord('/app/src/x.ts', 1, 0));
    expect(await measurePatchCoverage(lcov, { cwd: join(repo, 'packages/web'), limit: 10 })).toMatchObject({
      files: [{ path: 'packages/web/src/x.ts', percent: 50 }],
    });
  });

  it('does not count symbolic links', async () => {
    await symlink('src/a.ts', join(repo, 'link.ts'));
    await symlink('src/b.ts', join(repo, 'tracked.ts'));
    git('add', 'tracked.ts');
    await writeLcovReport(lcovRecord('src/a.ts', 1, 0) + lcovRecord('src/b.ts', 1, 0));
    expect(await measurePatch()).toMatchObject({ percent: null, files: [], withoutData: [] });
    await addFiles(repo, { 'src/a.ts': numberedLines(10, [2]), 'src/b.ts': numberedLines(10, [1]) });
    expect(await measurePatch()).toMatchObject({ percent: 50, totalFiles: 2, withoutData: [] });
    commit('tracked');
    git('branch', '-f', 'main');
    for (const name of ['link.ts', 'tracked.ts']) {
      await rm(join(repo, name));
      await symlink('src', join(repo, name));
    }
    await rm(join(repo, 'src/b.ts'));
    await symlink('a.ts', join(repo, 'src/b.ts'));
    expect(await measurePatch()).toMatchObject({ percent: null, files: [], withoutData: [] });
  });

  it('does not guess between two changed files', async () => {
    await addFiles(repo, { 'one/index.ts': numberedLines(2), 'two/index.ts': numberedLines(2) });
    await writeLcovReport(lcovRecord('index.ts', 1, 1) + lcovRecord('src/a.ts', 1));
    expect(await measurePatch()).toMatchObject({ percent: null, withoutData: ['one/index.ts', 'two/index.ts'] });
  });

  it('returns paths relative to the top of the repository from any folder', async () => {
    await addFiles(repo, { 'src/a.ts': numberedLines(10, [1]), 'top.ts': numberedLines(1) });
    await writeLcovReport(lcovRecord('src/a.ts', 0) + lcovRecord('top.ts', 0));
    const result = await measurePatchCoverage('../coverage/lcov.info', { cwd: join(repo, 'src'), limit: 10 });
    expect(result.files.map(({ path }) => path)).toEqual(['src/a.ts', 'top.ts']);
    const cwd = await createTestFolder();
    const lcov = join(repo, 'coverage/lcov.info');
    expect(await measurePatchCoverage(lcov, { cwd, repository: relative(cwd, repo), limit: 10 })).toEqual(result);
  });

  it('lists changed files of a measured kind that the report lacks', async () => {
    await addFiles(repo, {
      'src/unknown.ts': numberedLines(2),
      'README.md': 'x\n',
      'src/totals.ts': numberedLines(2),
      'src/a.ts': numberedLines(10, [1]),
    });
    await writeLcovReport(`${lcovRecord('src/a.ts', 1)}SF:src/totals.ts\nLF:2\nLH:1\nend_of_record\n`);
    expect(await measurePatch()).toMatchObject({
      withoutData: ['src/totals.ts', 'src/unknown.ts'],
      totalWithoutData: 2,
    });
    await writeLcovReport('');
    expect((await measurePatch()).withoutData).toContain('README.md');
  });

  it('lists files that are newer than the report', async () => {
    await addFiles(repo, { 'src/a.ts': numberedLines(10, [1]), 'src/b.ts': numberedLines(10, [1]) });
    await writeLcovReport(lcovRecord('src/a.ts', 1) + lcovRecord('src/b.ts', 1));
    const muchLater = new Date(Date.now() + 600_000);
    await utimes(join(repo, 'src/b.ts'), muchLater, muchLater);
    expect(await measurePatch()).toMatchObject({ stale: ['src/b.ts'], totalStale: 1 });
  });

  it('limits its lists and returns their totals', async () => {
    const names = ['a', 'b', 'c'].map((name) => `src/new-${name}.ts`);
    await addFiles(
      repo,
      Object.fromEntries([...names, 'src/x.ts', 'src/y.ts'].map((name) => [name, numberedLines(2)])),
    );
    await writeLcovReport(names.map((name) => lcovRecord(name, 0, 1)).join(''));
    expect(await measurePatch({ limit: 1 })).toMatchObject({
      files: [{ path: 'src/new-a.ts' }],
      totalFiles: 3,
      withoutData: ['src/x.ts'],
      totalWithoutData: 2,
      lines: { found: 6, hit: 3 },
    });
  });

  it('ignores the environment of a git hook', async () => {
    const other = await createTestFolder();
    vi.stubEnv('GIT_DIR', join(other, '.git'));
    vi.stubEnv('GIT_INDEX_FILE', join(other, 'index'));
    await writeLcovReport(lcovRecord('src/a.ts', 1));
    expect(await measurePatch()).toMatchObject({ base: 'main' });
  });

  it('does not write to the repository, not even to refresh the index', async () => {
    await utimes(join(repo, 'src/a.ts'), 1, 1);
    await writeLcovReport('');
    const index = join(repo, '.git/index');
    const before = await stat(index);
    await measurePatch();
    expect(await stat(index)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
  });
});
