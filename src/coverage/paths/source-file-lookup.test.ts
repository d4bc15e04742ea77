import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readReport } from '../report/read-report.ts';
import { addFiles, createTestFolder, lcovRecord } from '../test-support/lcov-test-support.ts';
import { createSourceFileLookup, findSourceFiles } from './source-file-lookup.ts';

/** The paths of the files that are found, in a report over `sources` in the file `lcov`. */
async function found(cwd: string, sources: readonly string[], asked: readonly string[], lcov = 'coverage/lcov.info') {
  await addFiles(cwd, { [lcov]: sources.map((path) => lcovRecord(path, 1)).join('') });
  const files = await findSourceFiles(await readReport(lcov, { cwd }), asked);
  return files.map((file) => file?.path);
}

describe('a file is found', () => {
  it('by its exact name in the report', async () => {
    const cwd = await createTestFolder();
    const names = ['src/a.ts', '/elsewhere/b.ts', 'C:\\c.ts', '__proto__', 'constructor', './d.ts', 'with space.ts'];
    expect(await found(cwd, names, names)).toEqual(names);
  });

  it.each([
    ['src/a.ts', './src/a.ts'],
    ['src/a.ts', 'src//a.ts'],
    ['src/a.ts', 'src\\a.ts'],
    ['src/a.ts', 'lib/../src/a.ts'],
    ['./src/a.ts', 'src/a.ts'],
    ['src\\a.ts', 'src/a.ts'],
    ['c:\\src\\a.ts', 'C:/src/a.ts'],
  ])('%s as %s', async (name, asked) => {
    expect(await found(await createTestFolder(), [name], [asked])).toEqual([name]);
  });

  it('by its absolute path, and the other way round', async () => {
    const cwd = await createTestFolder();
    const absolute = join(cwd, 'src/b.ts');
    expect(await found(cwd, ['src/a.ts', absolute], [join(cwd, 'src/a.ts'), 'src/b.ts', './src/b.ts'])).toEqual([
      'src/a.ts',
      absolute,
      absolute,
    ]);
  });

  it('in the package whose report names it, whether it exists or not', async () => {
    const cwd = await createTestFolder({ 'packages/one/src/a.ts': '', 'packages/one/src/index.ts': '' });
    const asked = ['packages/one/src/index.ts', join(cwd, 'packages/one/src/index.ts'), 'packages/one/src/gone.ts'];
    expect(
      await found(cwd, ['src/index.ts', 'src/a.ts', 'src/gone.ts'], asked, 'packages/one/coverage/lcov.info'),
    ).toEqual(['src/index.ts', 'src/index.ts', 'src/gone.ts']);
  });

  it('through symbolic links on either side', async () => {
    const cwd = await createTestFolder({ 'real/a.ts': '', 'real/b.ts': '' });
    await symlink('real', join(cwd, 'link'));
    await symlink('a.ts', join(cwd, 'real/other-name.ts'));
    expect(await found(cwd, ['real/a.ts', 'link/b.ts'], ['link/a.ts', 'real/b.ts', 'real/other-name.ts'])).toEqual([
      'real/a.ts',
      'link/b.ts',
      'real/a.ts',
    ]);
  });

  it('from a working directory behind a symbolic link', async () => {
    const top = await createTestFolder({ 'real/src/a.ts': '' });
    await symlink('real', join(top, 'link'));
    const cwd = join(top, 'link');
    const asked = ['src/a.ts', join(top, 'link/src/a.ts'), join(top, 'real/src/a.ts')];
    expect(await found(cwd, [join(top, 'real/src/a.ts')], asked)).toEqual(Array(3).fill(join(top, 'real/src/a.ts')));
    expect(await found(cwd, [join(top, 'link/src/a.ts')], asked)).toEqual(Array(3).fill(join(top, 'link/src/a.ts')));
  });

  it('by the end of its path if that is unique', async () => {
    const cwd = await createTestFolder();
    const names = ['/build/agent/src/a.ts', '/build/agent/src/deep/b.ts', '/build/agent/lib/b.ts', 'only.ts'];
    expect(await found(cwd, names, ['src/a.ts', 'a.ts', 'b.ts', 'deep/b.ts', 'gent/src/a.ts', '/x/y/only.ts'])).toEqual(
      ['/build/agent/src/a.ts', '/build/agent/src/a.ts', undefined, '/build/agent/src/deep/b.ts', undefined, 'only.ts'],
    );
  });

  it('by the end of its container path for a local path', async () => {
    const cwd = await createTestFolder({ 'src/a.ts': '' });
    expect(await found(cwd, ['/app/src/a.ts'], [join(cwd, 'src/a.ts'), 'src/a.ts'])).toEqual(
      Array(2).fill('/app/src/a.ts'),
    );
  });
});

describe('a file is not found', () => {
  it.each(['src/none.ts', '', '.', '..', '/', 'a\0b', 'src', 'A.TS'])('as %j', async (asked) => {
    expect(await found(await createTestFolder(), ['src/a.ts'], [asked])).toEqual([undefined]);
  });

  it('if an existing file only has the same ending', async () => {
    const cwd = await createTestFolder({
      'src/index.ts': '',
      'packages/one/src/index.ts': '',
      'packages/two/src/index.ts': '',
    });
    expect(await found(cwd, ['packages/one/src/index.ts'], ['src/index.ts', 'packages/two/src/index.ts'])).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('if its container path belongs to another local file', async () => {
    const cwd = await createTestFolder({ 'index.ts': '', 'src/index.ts': '', 'src/deep/only.ts': '' });
    const names = ['/app/src/index.ts', '/app/src/deep/only.ts'];
    expect(await found(cwd, names, ['index.ts', 'src/index.ts', 'only.ts'])).toEqual([
      undefined,
      '/app/src/index.ts',
      '/app/src/deep/only.ts',
    ]);
  });

  it('if its name is ambiguous', async () => {
    const cwd = await createTestFolder({
      'one/src/index.ts': '',
      'one/lcov.info': lcovRecord('src/index.ts', 1),
      'two/src/index.ts': '',
      'two/lcov.info': lcovRecord('src/index.ts', 0),
    });
    const report = await readReport(['one/lcov.info', 'two/lcov.info'], { cwd });
    const files = await findSourceFiles(report, ['src/index.ts', 'one/src/index.ts', join(cwd, 'two/src/index.ts')]);
    expect(files.map((file) => file?.path)).toEqual([undefined, 'one/src/index.ts', 'two/src/index.ts']);
  });
});

it('does not take a path on the disk for a name in the report', async () => {
  const cwd = await createTestFolder({
    'src/index.ts': '',
    'packages/one/src/index.ts': '',
    'packages/one/lcov.info': lcovRecord('src/index.ts', 1),
  });
  const lookup = await createSourceFileLookup(await readReport('packages/one/lcov.info', { cwd }));
  expect(await lookup.locate(join(cwd, 'src/index.ts'))).toBeUndefined();
  expect((await lookup.locate(join(cwd, 'packages/one/src/index.ts')))?.path).toBe('src/index.ts');
});

it('finds ten thousand paths in a report of twenty thousand', async () => {
  const cwd = await createTestFolder();
  await mkdir(join(cwd, 'src'));
  const names = Array.from({ length: 20_000 }, (_, n) => `/ci/work/src/part-${n % 100}/module-${n}/index.ts`);
  const asked = Array.from({ length: 10_000 }, (_, n) => `part-${n % 100}/module-${n}/index.ts`);
  expect(await found(cwd, names, asked)).toEqual(names.slice(0, 10_000));
});

it('stops when cancelled', async () => {
  const cwd = await createTestFolder({ 'lcov.info': lcovRecord('a', 1) });
  const report = await readReport('lcov.info', { cwd });
  await expect(findSourceFiles(report, ['a', 'b'], AbortSignal.abort('no'))).rejects.toBe('no');
});
