import { spawnSync } from 'node:child_process';
import { appendFile, chmod, readdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Connection, connectStdio } from '../support/assay.ts';
import { type Folder, lcov, newFolder } from '../support/folders.ts';
import { plainEnvironment } from '../support/git/repos.ts';

/** One server for all of these; its working directory and its home folder are the test's own. */
let folder: Folder;
let client: Connection;
beforeAll(async () => {
  folder = await newFolder();
  client = await connectStdio('modern', { cwd: folder.path, env: { ASSAY_HOME: join(folder.path, 'home') } });
});
afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

// biome-ignore lint/suspicious/noExplicitAny: each tool has its own result, and the tests say which
async function call(name: string, args: Record<string, unknown>): Promise<any> {
  const result = await client.callTool({ name, arguments: args });
  const [content] = result.content;
  const text = content?.type === 'text' ? content.text : '';
  if (result.isError) throw new Error(text);
  expect(JSON.parse(text)).toEqual(result.structuredContent);
  return result.structuredContent;
}

describe('get_overall_coverage', () => {
  const overall = async (report: string, extra = {}) => {
    await folder.write('lcov.info', report);
    return call('get_overall_coverage', { lcovPath: 'lcov.info', ...extra });
  };

  test('returns the percentage of lines hit with one decimal', async () => {
    expect(await overall(lcov({ a: [1, 1, 0], b: [1, 0, 0, 0] }))).toEqual({ overall: 42.9 });
  });

  test('returns 100 or 0 only if exact', async () => {
    expect(await overall(lcov({ a: [...Array(2999).fill(1), 0] }))).toEqual({ overall: 99.9 });
    expect(await overall(lcov({ a: [1, ...Array(2999).fill(0)] }))).toEqual({ overall: 0.1 });
  });

  test('returns branches and functions on request, null if there are none', async () => {
    const report =
      'SF:a\nFN:1,f\nFN:2,g\nFNDA:3,f\nFNDA:0,g\nDA:1,1\nBRDA:1,0,0,1\nBRDA:1,0,1,0\nBRDA:1,0,2,-\nend_of_record\n';
    expect(await overall(report, { include: ['branches', 'functions'] })).toEqual({
      overall: 100,
      branches: 33.3,
      functions: 50,
    });
    expect(await overall(lcov({ a: [1] }), { include: ['branches'] })).toEqual({ overall: 100, branches: null });
  });

  test('merges several reports', async () => {
    await folder.write('one.info', lcov({ 'src/a.ts': [1, 0, 0, 0] }));
    await folder.write('two.info', lcov({ 'src/a.ts': [0, 1, 1, 0] }));
    expect(await call('get_overall_coverage', { lcovPath: 'one.info', otherLcovPaths: ['two.info'] })).toEqual({
      overall: 75,
    });
  });

  test.each([
    ['', 0],
    ['# only a comment\n\n', 0],
    ['SF:a\nLF:0\nLH:0\nend_of_record\n', 0],
    ['\uFEFFTN:\r\nSF:a\r\nDA:1,1\r\nDA:2,0\r\nend_of_record\r\n', 50],
    ['SF:a\nDA:1,1,checksum\nDA:2,1e+19\nDA:3,-4\nDA:oops\n', 66.7],
    ['SF:a\nDA:1,1\nend_of_record\nSF:a\nDA:1,0\nDA:2,1\nend_of_record\n', 100],
  ])('of %j is %d', async (report, expected) => {
    expect(await overall(report)).toEqual({ overall: expected });
  });
});

describe('get_file_coverage', () => {
  test('returns the requested names in any spelling', async () => {
    const absolute = await folder.write('src/my file.ts', '');
    await folder.write('lcov.info', lcov({ './src/my file.ts': [1, 0], 'src/b.ts': [1], ['__proto__']: [0, 1] }));
    const asked = ['src/my file.ts', './src//my file.ts', absolute, 'src\\b.ts', 'unknown.ts', '__proto__'];
    const { files } = await call('get_file_coverage', { lcovPath: 'lcov.info', filePaths: asked });
    expect(Object.entries(files)).toEqual([
      ['src/my file.ts', 50],
      ['./src//my file.ts', 50],
      [absolute, 50],
      ['src\\b.ts', 100],
      ['unknown.ts', 0],
      ['__proto__', 50],
    ]);
  });

  test('returns no files for an empty request', async () => {
    await folder.write('lcov.info', lcov({ a: [1] }));
    expect(await call('get_file_coverage', { lcovPath: 'lcov.info', filePaths: [] })).toEqual({ files: {} });
  });

  test('returns branches and functions per file', async () => {
    await folder.write(
      'lcov.info',
      'SF:a\nDA:1,1\nBRDA:1,0,0,1\nBRDA:1,0,1,0\nend_of_record\nSF:b\nDA:1,1\nend_of_record\n',
    );
    const args = { lcovPath: 'lcov.info', filePaths: ['a', 'b', 'c'], include: ['branches', 'functions'] };
    expect(await call('get_file_coverage', args)).toEqual({
      files: { a: 100, b: 100, c: 0 },
      notInReport: ['c'],
      branches: { a: 50, b: null, c: null },
      functions: { a: null, b: null, c: null },
    });
  });
});

describe('a snapshot', () => {
  const start = async (report: string, extra = {}) => {
    await folder.write('lcov.info', report);
    return call('start_coverage_snapshot', { lcovPath: 'lcov.info', ...extra });
  };
  const end = async (snapshotId: string, report: string, extra = {}) => {
    await folder.write('lcov.info', report);
    return call('end_coverage_snapshot', { snapshotId, lcovPath: 'lcov.info', ...extra });
  };

  test('has a UUID and a time and is stored in the home folder', async () => {
    const before = Date.now();
    const { snapshotId, timestamp } = await start(lcov({ a: [1] }));
    expect(snapshotId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(timestamp).toBeGreaterThanOrEqual(before);
    expect(await readdir(join(folder.path, 'home/coverage/snapshots'))).toEqual([`${snapshotId}.json`]);
  });

  test('compares all files of both sides', async () => {
    const { snapshotId } = await start(lcov({ up: [1, 0], same: [1], gone: [1, 0, 0] }));
    const after = lcov({ up: [1, 1], same: [1], fresh: [1, 0] });
    const changed = { up: 50, fresh: 50, gone: -33.3 };
    const rest = { overallChange: 30, newFiles: ['fresh'], removedFiles: ['gone'] };
    expect(await end(snapshotId, after)).toEqual({ ...rest, fileChanges: { ...changed, same: 0 } });
    expect(await end(snapshotId, after, { changedOnly: true })).toEqual({ ...rest, fileChanges: changed });
  });

  test('can be compared repeatedly while other snapshots exist', async () => {
    const reports = [lcov({ a: [1, 1] }), lcov({ a: [1, 0] }), lcov({ a: [0, 0] })];
    const ids: string[] = [];
    for (const report of reports) ids.push((await start(report)).snapshotId);
    for (const round of [1, 2])
      for (const [index, expected] of [-50, 0, 50].entries())
        expect(await end(ids[index] ?? '', lcov({ a: [1, 0] })), `round ${round}`).toMatchObject({
          overallChange: expected,
        });
  });

  test('matches relative and absolute paths', async () => {
    const { snapshotId } = await start(lcov({ 'src/a.ts': [1, 0] }));
    const absolute = join(folder.path, 'src/a.ts');
    expect(await end(snapshotId, lcov({ [absolute]: [1, 1] }))).toMatchObject({
      fileChanges: { [absolute]: 50 },
      newFiles: [],
      removedFiles: [],
    });
  });

  test('compares branches if both sides have them', async () => {
    const withBranches = (taken: number) => `SF:a\nDA:1,1\nBRDA:1,0,0,1\nBRDA:1,0,1,${taken}\nend_of_record\n`;
    const include = ['branches'];
    const { snapshotId } = await start(withBranches(0), { include });
    expect(await end(snapshotId, withBranches(1))).toMatchObject({ branchesChange: 50, overallChange: 0 });
  });

  test.each(['550e8400-e29b-41d4-a716-446655440000', '../../etc/passwd', '', 'x'.repeat(10_000)])(
    'with the id %j is not found',
    async (snapshotId) => {
      await expect(end(snapshotId, lcov({ a: [1] }))).rejects.toThrow(/^Error: Snapshot not found with ID /);
    },
  );
});

describe('get_uncovered_lines', () => {
  test('lists ranges, the worst file first, with totals beyond the limit', async () => {
    await folder.write('lcov.info', lcov({ full: [1, 1], some: [1, 0, 0, 1, 0], most: [0, 0, 0, 0, 1] }));
    expect(await call('get_uncovered_lines', { lcovPath: 'lcov.info' })).toEqual({
      files: [
        { path: 'most', percent: 20, uncovered: 4, lines: '1-4' },
        { path: 'some', percent: 40, uncovered: 3, lines: '2-3,5' },
      ],
      totalFiles: 2,
      totalLines: 7,
    });
    expect(await call('get_uncovered_lines', { lcovPath: 'lcov.info', limit: 1 })).toMatchObject({
      files: [{ path: 'most' }],
      totalFiles: 2,
    });
    expect(await call('get_uncovered_lines', { lcovPath: 'lcov.info', filePaths: ['some', 'none'] })).toMatchObject({
      files: [{ path: 'some' }],
      notInReport: ['none'],
      totalFiles: 1,
    });
  });

  test('limits the result of one file', async () => {
    await folder.write('lcov.info', lcov({ 'src/holes.ts': Array.from({ length: 20_000 }, (_, i) => i % 2) }));
    const result = await call('get_uncovered_lines', { lcovPath: 'lcov.info' });
    expect(result.files[0].moreRanges).toBeGreaterThan(9000);
    expect(JSON.stringify(result).length / 4).toBeLessThan(300);
  });
});

describe('get_patch_coverage', () => {
  let repo: Folder;
  const git = (...args: string[]) => {
    const identity = ['-c', 'user.name=T', '-c', 'user.email=t@localhost', '-c', 'commit.gpgsign=false'];
    const { status, stderr } = spawnSync('git', [...identity, ...args], {
      cwd: repo.path,
      encoding: 'utf8',
      env: { ...plainEnvironment(), GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
    });
    if (status !== 0) throw new Error(stderr);
  };
  beforeAll(async () => {
    repo = await newFolder();
    await repo.write('src/a.ts', 'one\ntwo\nthree\n');
    git('init', '--quiet', '--initial-branch=main');
    git('add', '.');
    git('commit', '--quiet', '--message=first');
    git('switch', '--quiet', '--create', 'feature');
    await appendFile(join(repo.path, 'src/a.ts'), 'four\nfive\n');
    git('commit', '--quiet', '--all', '--message=second');
    await appendFile(join(repo.path, 'src/a.ts'), 'six\n');
    await repo.write('src/new.ts', 'one\ntwo\n');
    await repo.write('src/untested.ts', 'one\n');
    await repo.write('notes.md', 'hello\n');
    await repo.write('lcov.info', lcov({ 'src/a.ts': [0, 0, 0, 1, 0, 1], 'src/new.ts': [0, 1] }));
  });
  afterAll(() => repo[Symbol.asyncDispose]());

  test('measures changed lines: committed, uncommitted and untracked', async () => {
    const result = await call('get_patch_coverage', {
      lcovPath: join(repo.path, 'lcov.info'),
      repoPath: repo.path,
    });
    expect(result).toMatchObject({
      percent: 60,
      lines: { found: 5, hit: 3 },
      base: 'main',
      files: [
        { path: 'src/a.ts', percent: 66.7, uncovered: 1, lines: '5' },
        { path: 'src/new.ts', percent: 50, uncovered: 1, lines: '1' },
      ],
    });
    expect(result.withoutData).toEqual(['src/untested.ts']);
  });

  test('compares with the given base', async () => {
    expect(
      await call('get_patch_coverage', { lcovPath: join(repo.path, 'lcov.info'), repoPath: repo.path, base: 'HEAD' }),
    ).toMatchObject({ percent: 66.7 });
  });

  test.each([
    ['an unknown base', { base: 'no-such-branch' }, /no-such-branch/],
    ['an option in disguise', { base: '--output=/tmp/x' }, /--output/],
    ['a folder without a repository', { repoPath: '/' }, /not .*git/i],
  ])('rejects %s', async (_what, args, message) => {
    const given = { lcovPath: join(repo.path, 'lcov.info'), repoPath: repo.path, ...args };
    await expect(call('get_patch_coverage', given)).rejects.toThrow(message);
  });
});

describe('a report that cannot be read', () => {
  const overall = (lcovPath: unknown, extra = {}) => call('get_overall_coverage', { lcovPath, ...extra });

  test.each([
    ['is not there', './coverage/lcov.info', 'Error: LCOV file not found at path ./coverage/lcov.info'],
    ['is a folder', '.', /^Error: Cannot read LCOV file: .*folder/],
    ['is a device', '/dev/zero', /^Error: Cannot read LCOV file: .*device/],
    ['has a path of 10,000 characters', 'x'.repeat(10_000), /lcovPath: at most 4096 characters are allowed, got 10000/],
    ['has a NUL byte in its path', 'a\0b', /^Error: Cannot read LCOV file: .*NUL/],
    ['has no path', '', /^Error: Invalid arguments for get_overall_coverage: lcovPath: /],
  ])('because it %s', async (_why, path, message) => {
    await expect(overall(path)).rejects.toThrow(message);
  });

  test.each([
    ['a web page', '<!DOCTYPE html><html></html>', /^Error: Failed to parse LCOV file: .*HTML/],
    ['other text', 'hello\nworld\n', /^Error: Failed to parse LCOV file: .*hello/],
    ['UTF-16', Buffer.from('\uFEFFSF:a\n', 'utf16le'), /^Error: Failed to parse LCOV file: .*UTF-16/],
  ])('because it is %s', async (_what, content, message) => {
    await folder.write('other.txt', content);
    await expect(overall('other.txt')).rejects.toThrow(message);
    await expect(call('start_coverage_snapshot', { lcovPath: 'other.txt' })).rejects.toThrow(message);
  });

  test('because it is 5 GB of zeros, without reading it all', async () => {
    const path = await folder.write('sparse.info', '');
    await truncate(path, 5 * 2 ** 30);
    await expect(overall('sparse.info')).rejects.toThrow(/^Error: Failed to parse LCOV file: .*NUL/);
  });

  test('because it is a pipe without a writer', async () => {
    spawnSync('mkfifo', [join(folder.path, 'pipe')]);
    await expect(overall('pipe')).rejects.toThrow(/^Error: Cannot read LCOV file: /);
  });

  test.skipIf(process.getuid?.() === 0)('because it is not readable for this user', async () => {
    await chmod(await folder.write('secret.info', lcov({ a: [1] })), 0);
    await expect(overall('secret.info')).rejects.toThrow('Error: Cannot read LCOV file: permission denied');
  });

  test('is answered with the existing reports', async () => {
    await using elsewhere = await newFolder();
    await elsewhere.write('packages/web/coverage/lcov.info', lcov({ a: [1] }));
    await using other = await connectStdio('modern', { cwd: elsewhere.path });
    const result = await other.callTool({ name: 'get_overall_coverage', arguments: { lcovPath: 'lcov.info' } });
    expect(result.content).toEqual([
      { type: 'text', text: 'Error: LCOV file not found at path lcov.info' },
      { type: 'text', text: 'Pass one of the existing reports: packages/web/coverage/lcov.info' },
    ]);
  });

  test('is named for a snapshot and among several reports', async () => {
    await expect(call('start_coverage_snapshot', { lcovPath: 'none' })).rejects.toThrow(
      'Error: Cannot create snapshot - LCOV file not found at path none',
    );
    await folder.write('fine.info', lcov({ a: [1] }));
    await expect(overall('fine.info', { otherLcovPaths: ['missing.info'] })).rejects.toThrow(
      'Error: LCOV file not found at path missing.info',
    );
  });
});

test('reports why a snapshot cannot be written', async () => {
  await folder.write('lcov.info', lcov({ a: [1] }));
  await folder.write('full/coverage', 'a file where a folder should be');
  const env = { ASSAY_HOME: join(folder.path, 'full') };
  await using other = await connectStdio('legacy', { cwd: folder.path, env });
  const result = await other.callTool({ name: 'start_coverage_snapshot', arguments: { lcovPath: 'lcov.info' } });
  expect(result).toMatchObject({
    isError: true,
    content: [
      { text: expect.stringMatching(/^Error: Cannot create snapshot: /) },
      { text: expect.stringContaining('ASSAY_HOME') },
    ],
  });
});
