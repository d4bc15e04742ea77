import { execFileSync } from 'node:child_process';
import { chmod, open, readdir, readlink, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { addFiles, createTestFolder, lcovRecord } from '../test-support/lcov-test-support.ts';
import type { CoverageReport } from './coverage-report.ts';
import { readReport } from './read-report.ts';

function shown({ files }: CoverageReport): Record<string, string> {
  return Object.fromEntries(files.map(({ path, lines }) => [path, `${lines.hit}/${lines.found}`]));
}

describe('a report', () => {
  it.each([
    ['two covered files', lcovRecord('a', 1, 1) + lcovRecord('b', 1, 1), 100],
    ['lines 2 and 4 of 4', lcovRecord('a', 0, 1, 0, 1), 50],
    ['none of 10', lcovRecord('a', ...Array<number>(10).fill(0)), 0],
    ['an empty file', '', 0],
    ['a file without lines', 'SF:a\nLF:0\nLH:0\nend_of_record\n', 0],
    ['files of different size', lcovRecord('a', 1) + lcovRecord('b', 0, 0, 0), 25],
    ['a file without lines and another file', `SF:a\nend_of_record\n${lcovRecord('b', 1, 1)}`, 100],
    ['one line of 3000 missing', lcovRecord('a', 0, ...Array<number>(2999).fill(1)), 99.9],
  ])('of %s has an overall coverage', async (_, text, overall) => {
    const cwd = await createTestFolder({ 'lcov.info': text });
    expect((await readReport('lcov.info', { cwd })).overall).toBe(overall);
  });

  it('has branches and functions on request', async () => {
    const text = 'SF:a\nFN:1,f\nFNDA:1,f\nDA:1,1\nBRDA:1,0,0,1\nBRDA:1,0,1,0\nend_of_record\n';
    const cwd = await createTestFolder({ 'lcov.info': text });
    const plain = await readReport('lcov.info', { cwd });
    expect([plain.branches, plain.functions, plain.files[0]?.branches]).toEqual([undefined, undefined, undefined]);
    const full = await readReport('lcov.info', { cwd, include: ['branches', 'functions'] });
    expect(full).toMatchObject({ branches: { hit: 1, found: 2 }, functions: { hit: 1, found: 1 } });
    expect(full.files[0]).toMatchObject({ branches: { hit: 1, found: 2 }, functions: { hit: 1, found: 1 } });
  });

  it('merges the spellings of one file under the first', async () => {
    const top = await createTestFolder({ 'app/src/a.ts': '' });
    const cwd = join(top, 'app');
    const spelled = ['src/a.ts', join(cwd, 'src/a.ts'), '../app/src/a.ts', 'src\\a.ts'];
    await addFiles(cwd, { 'lcov.info': spelled.map((path, n) => `SF:${path}\nDA:${n + 1},1\nDA:9,0\n`).join('') });
    const report = await readReport('lcov.info', { cwd });
    expect(shown(report)).toEqual({ 'src/a.ts': '4/5' });
    expect(await report.identities()).toEqual([join(cwd, 'src/a.ts')]);
    await symlink('app', join(top, 'link'));
    const link = join(top, 'link');
    await addFiles(cwd, {
      'lcov.info': lcovRecord(join(link, 'src/a.ts'), 1, 0) + lcovRecord(join(cwd, 'src/a.ts'), 0, 1),
    });
    expect(shown(await readReport('lcov.info', { cwd: link }))).toEqual({ [join(link, 'src/a.ts')]: '2/2' });
  });

  it('is found by an absolute path, through a link, and by a name with blanks', async () => {
    const cwd = await createTestFolder({ 'my reports/lcov, new.info': lcovRecord('a', 1, 0) });
    await symlink(join(cwd, 'my reports/lcov, new.info'), join(cwd, 'link'));
    for (const path of ['my reports/lcov, new.info', './my reports/../link', join(cwd, 'link')]) {
      expect((await readReport(path, { cwd })).overall).toBe(50);
    }
  });

  it('may be larger than a chunk', async () => {
    const files = Array.from({ length: 3000 }, (_, n) =>
      lcovRecord(`src/file-${n}.ts`, 1, 0, n % 2, ...Array<number>(40).fill(1)),
    );
    const cwd = await createTestFolder({ 'lcov.info': files.join('') });
    const seen: [number, number][] = [];
    const report = await readReport('lcov.info', { cwd, progress: (done, total) => seen.push([done, total]) });
    expect(report.lines).toEqual({ found: 3000 * 43, hit: 3000 * 41 + 1500 });
    expect(seen.at(-1)).toEqual([files.join('').length, files.join('').length]);
  });
});

describe('several reports', () => {
  it('are merged', async () => {
    const cwd = await createTestFolder({
      '1.info': lcovRecord('a', 1, 0, 0) + lcovRecord('b', 1),
      '2.info': lcovRecord('a', 0, 1, 0),
    });
    const report = await readReport(['1.info', '2.info'], { cwd });
    expect(shown(report)).toEqual({ a: '2/3', b: '1/1' });
    expect(report.overall).toBe(75);
  });

  it('merge a file that one of them names by its absolute path', async () => {
    const cwd = await createTestFolder({ 'src/a.ts': '' });
    await addFiles(cwd, { '1.info': lcovRecord('src/a.ts', 1, 0), '2.info': lcovRecord(join(cwd, 'src/a.ts'), 0, 1) });
    expect(shown(await readReport(['1.info', '2.info'], { cwd }))).toEqual({ 'src/a.ts': '2/2' });
  });

  it('distinguish files of two packages with the same name', async () => {
    const cwd = await createTestFolder({
      'packages/one/src/index.ts': '',
      'packages/one/src/one.ts': '',
      'packages/one/coverage/lcov.info': lcovRecord('src/index.ts', 1, 1) + lcovRecord('src/one.ts', 1),
      'packages/two/src/index.ts': '',
      'packages/two/coverage/lcov.info': lcovRecord('src/index.ts', 0, 0),
    });
    const report = await readReport(['packages/one/coverage/lcov.info', 'packages/two/coverage/lcov.info'], { cwd });
    expect(shown(report)).toEqual({
      'packages/one/src/index.ts': '2/2',
      'packages/one/src/one.ts': '1/1',
      'packages/two/src/index.ts': '0/2',
    });
  });

  it('have paths relative to the working directory, or absolute outside of it', async () => {
    const top = await createTestFolder({
      'app/one/src/a.ts': '',
      'app/one/lcov.info': lcovRecord('src/a.ts', 1),
      'other/src/b.ts': '',
      'other/lcov.info': lcovRecord('src/b.ts', 1) + lcovRecord('/container/c.ts', 1),
    });
    const report = await readReport(['one/lcov.info', '../other/lcov.info'], { cwd: join(top, 'app') });
    expect(Object.keys(shown(report))).toEqual(['one/src/a.ts', join(top, 'other/src/b.ts'), '/container/c.ts']);
  });

  it('distinguish them even if the top folder has such a file too', async () => {
    const cwd = await createTestFolder({
      'src/index.ts': '',
      'coverage/lcov.info': lcovRecord('src/index.ts', 1, 0, 0, 0),
      'packages/one/src/index.ts': '',
      'packages/one/coverage/lcov.info': lcovRecord('src/index.ts', 1, 1),
    });
    const report = await readReport(['coverage/lcov.info', 'packages/one/coverage/lcov.info'], { cwd });
    expect(shown(report)).toEqual({ 'src/index.ts': '1/4', 'packages/one/src/index.ts': '2/2' });
  });

  it('of shards are merged with or without the sources', async () => {
    const shards = {
      'shard-1/lcov.info': lcovRecord('src/a.ts', 1, 0),
      'shard-2/lcov.info': lcovRecord('./src/a.ts', 0, 1),
    };
    const cwd = await createTestFolder(shards);
    expect(shown(await readReport(Object.keys(shards), { cwd }))).toEqual({ 'src/a.ts': '2/2' });
    await addFiles(cwd, { 'src/a.ts': '' });
    expect(shown(await readReport(Object.keys(shards), { cwd }))).toEqual({ 'src/a.ts': '2/2' });
  });

  it('name the report that failed', async () => {
    const cwd = await createTestFolder({ 'good.info': lcovRecord('a', 1), 'bad.info': '<html>' });
    await expect(readReport(['good.info', 'bad.info'], { cwd })).rejects.toThrow(
      'Failed to parse LCOV file: bad.info: no SF record found; it is an HTML page',
    );
    await expect(readReport(['good.info', '.'], { cwd })).rejects.toThrow('Cannot read LCOV file: .: it is a folder');
    await expect(readReport(['good.info', 'none.info'], { cwd })).rejects.toThrow(
      'LCOV file not found at path none.info',
    );
    await expect(readReport([], { cwd })).rejects.toMatchObject({ kind: 'bad_input' });
  });
});

describe('reading fails for', () => {
  it.each(['./coverage/lcov.info', 'lcov.info/inside', '../nowhere/ü.info'])('%s does not exist', async (path) => {
    const cwd = await createTestFolder({ 'lcov.info': '' });
    await expect(readReport(path, { cwd })).rejects.toMatchObject({
      kind: 'not_found',
      code: 'LCOV_NOT_FOUND',
      message: `LCOV file not found at path ${path}`,
    });
  });

  it.each([
    ['a folder', '.', 'it is a folder, not a file'],
    ['a device', '/dev/zero', 'it is a device, not a file'],
    ['nothing', '', 'the path is empty'],
    ['a path with a NUL byte', 'a\0b', 'the path contains a NUL byte'],
    ['a path that is too long', 'x'.repeat(10_000), 'the path is too long'],
  ])('%s', async (_, path, reason) => {
    const cwd = await createTestFolder();
    const failure = await readReport(path, { cwd }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: 'bad_input', code: 'LCOV_UNREADABLE' });
    expect(String(failure)).toContain(`Cannot read LCOV file: ${reason}`);
    expect(String(failure).length).toBeLessThan(500);
  });

  it('a long path that does not exist is cut in the message', async () => {
    const path = 'folder/'.repeat(400);
    await expect(readReport(path)).rejects.toThrow(/^LCOV file not found at path (folder\/)+.*….*\(2800 characters\)$/);
  });

  it('a named pipe, without waiting for a writer', async () => {
    const cwd = await createTestFolder();
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    await expect(readReport('pipe', { cwd })).rejects.toThrow('Cannot read LCOV file: it is a named pipe, not a file');
  });

  it('a socket', async () => {
    const cwd = await createTestFolder();
    const server = createServer().listen(join(cwd, 'socket'));
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    await expect(readReport('socket', { cwd })).rejects.toThrow('Cannot read LCOV file: it is a socket');
  });

  it('a link to itself', async () => {
    const cwd = await createTestFolder();
    await symlink('loop', join(cwd, 'loop'));
    await expect(readReport('loop', { cwd })).rejects.toThrow('Cannot read LCOV file: too many symbolic links');
  });

  it.skipIf(process.getuid?.() === 0)('a file of another user', async () => {
    const cwd = await createTestFolder({ 'lcov.info': lcovRecord('a', 1) });
    await chmod(join(cwd, 'lcov.info'), 0);
    await expect(readReport('lcov.info', { cwd })).rejects.toThrow('Cannot read LCOV file: permission denied');
  });

  it.skipIf(process.platform !== 'linux')('a file whose bytes cannot be read', async () => {
    await expect(readReport('/proc/self/mem')).rejects.toThrow('Cannot read LCOV file: the disk reports an error');
  });

  it('a huge file of zeros, at once', async () => {
    const cwd = await createTestFolder({ 'lcov.info': '' });
    await truncate(join(cwd, 'lcov.info'), 5 * 1024 ** 3);
    let seen = 0;
    const reading = readReport('lcov.info', { cwd, progress: (done) => (seen = done) });
    await expect(reading).rejects.toThrow('Failed to parse LCOV file: it contains NUL bytes');
    expect(seen).toBe(0);
  });

  it('millions of source files', async () => {
    const cwd = await createTestFolder();
    const file = await open(join(cwd, 'lcov.info'), 'w');
    for (let part = 0; part < 11; part++) {
      await file.writeFile(
        Array.from({ length: 100_000 }, (_, n) => `SF:${part}/${n}`)
          .join('\n')
          .concat('\n'),
      );
    }
    await file.close();
    await expect(readReport('lcov.info', { cwd })).rejects.toThrow(
      'Failed to parse LCOV file: the report holds more than 1000000 source files; split it, and read the parts one at a time',
    );
  });

  it('millions of source files in several reports', async () => {
    const cwd = await createTestFolder();
    for (const name of ['1.info', '2.info']) {
      const text = Array.from({ length: 500_001 }, (_, n) => `SF:${name}/${n}\n`).join('');
      await writeFile(join(cwd, name), text);
    }
    await expect(readReport(['1.info', '2.info'], { cwd })).rejects.toMatchObject({
      code: 'LCOV_PARSE',
      message:
        'Failed to parse LCOV file: the reports together hold more than 1000000 source files; merge fewer of them',
    });
  });

  it('lines scattered over every number', async () => {
    const cwd = await createTestFolder();
    const file = await open(join(cwd, 'lcov.info'), 'w');
    await file.writeFile('SF:a\n');
    for (let part = 0; part < 21; part++) {
      const lines = Array.from({ length: 100_000 }, (_, n) => `DA:${(part * 100_000 + n) * 1000 + 1},1\n`);
      await file.writeFile(lines.join(''));
    }
    await file.close();
    await expect(readReport('lcov.info', { cwd })).rejects.toThrow(
      'Failed to parse LCOV file: the report holds more than',
    );
  });
});

describe('cancelling', () => {
  async function largeReport(): Promise<string> {
    const cwd = await createTestFolder();
    await writeFile(join(cwd, 'lcov.info'), lcovRecord('a', ...Array<number>(100_000).fill(1)).repeat(40));
    return cwd;
  }

  it('stops with the reason and closes the file', async () => {
    const cwd = await largeReport();
    const stop = new AbortController();
    const reason = new Error('enough');
    const seen: number[] = [];
    const reading = readReport('lcov.info', {
      cwd,
      signal: stop.signal,
      progress: (done, total) => {
        seen.push(done / total);
        stop.abort(reason);
      },
    });
    await expect(reading).rejects.toBe(reason);
    expect(seen).toHaveLength(1);
    expect(seen[0]).toBeLessThan(1);
    if (process.platform === 'linux') expect(await openFiles(join(cwd, 'lcov.info'))).toBe(0);
  });

  it('rejects before the start', async () => {
    await expect(readReport('none', { signal: AbortSignal.abort('no') })).rejects.toBe('no');
  });
});

async function openFiles(path: string): Promise<number> {
  const links = await Promise.all(
    (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  );
  return links.filter((link) => link === path).length;
}
