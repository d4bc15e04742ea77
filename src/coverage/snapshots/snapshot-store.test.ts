import { chmod, chown, mkdir, readdir, readFile, rename, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ownerHome } from '../../platform/principal.ts';
import { addFiles, createTestFolder, lcovRecord } from '../test-support/lcov-test-support.ts';
import { compareSnapshot } from './compare-snapshot.ts';
import { createSnapshot, listSnapshots, loadSnapshot } from './snapshot-store.ts';

const owner = { issuer: 'local', subject: 'me' };

let cwd = '';
let home = '';
const position = () => ({ home, owner });
const folder = () => join(home, 'coverage', 'snapshots');
const fileOf = (id: string) => join(folder(), `${id}.json`);

beforeEach(async () => {
  home = await createTestFolder();
  cwd = await createTestFolder();
});

async function snapshotOf(text: string, options: Partial<Parameters<typeof createSnapshot>[1]> = {}): Promise<string> {
  await addFiles(cwd, { 'lcov.info': text });
  return (await createSnapshot('lcov.info', { cwd, ...position(), ...options })).snapshotId;
}

async function changeTo(id: string, text: string, options: Partial<Parameters<typeof compareSnapshot>[2]> = {}) {
  await addFiles(cwd, { 'lcov.info': text });
  return compareSnapshot(id, 'lcov.info', { cwd, ...position(), ...options });
}

describe('a snapshot', () => {
  it('is a private file in the home folder of its owner, and has a UUID and a time', async () => {
    await addFiles(cwd, { 'lcov.info': lcovRecord('a', 1) });
    const before = Date.now();
    const { snapshotId, timestamp } = await createSnapshot('lcov.info', { cwd, ...position() });
    expect(snapshotId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(timestamp).toBeGreaterThanOrEqual(before);
    expect(await readdir(folder())).toEqual([`${snapshotId}.json`]);
    expect((await stat(fileOf(snapshotId))).mode & 0o777).toBe(0o600);
    expect((await stat(folder())).mode & 0o777).toBe(0o700);
  });

  it('holds totals and no lines', async () => {
    const id = await snapshotOf('SF:a\nDA:1,1\nDA:2,0\nBRDA:1,0,0,1\nend_of_record\n', { include: ['branches'] });
    const { files } = await loadSnapshot(id, position());
    expect(files).toEqual([
      { path: 'a', identity: join(cwd, 'a'), lines: { found: 2, hit: 1 }, branches: { found: 1, hit: 1 } },
    ]);
  });

  it('holds no raw invisible characters, and reads back the same paths', async () => {
    const paths = ['a\u009b31m', 'b\u202egnp.ts', 'c\u200b\\u200b', 'd\u{e0041}"', 'plain.ts'];
    const id = await snapshotOf(paths.map((path) => lcovRecord(path, 1)).join(''));
    expect(await readFile(fileOf(id), 'utf8')).not.toMatch(/[\u0080-\u009f\u200b\u202e\u{e0041}]/u);
    const { files } = await loadSnapshot(id, position());
    expect(files.map(({ path }) => path).sort()).toEqual([...paths].sort());
    expect(files.find(({ path }) => path.startsWith('b'))?.identity).toBe(join(cwd, 'b\u202egnp.ts'));
  });

  it('can be created concurrently', async () => {
    await addFiles(cwd, { 'lcov.info': lcovRecord('a', 1) });
    const made = await Promise.all(
      Array.from({ length: 20 }, () => createSnapshot('lcov.info', { cwd, ...position() })),
    );
    expect(new Set(made.map(({ snapshotId }) => snapshotId)).size).toBe(20);
    const listed = await listSnapshots(position());
    expect(listed.map(({ snapshotId }) => snapshotId).sort()).toEqual(made.map(({ snapshotId }) => snapshotId).sort());
    expect(listed[0]).toMatchObject({ overall: 100, files: 1 });
    expect(listed.map(({ timestamp }) => timestamp)).toEqual(
      listed.map(({ timestamp }) => timestamp).sort((a, b) => b - a),
    );
  });

  it('is not created from a missing or invalid report', async () => {
    await addFiles(cwd, { 'bad.info': 'hello' });
    await expect(createSnapshot('./none.info', { cwd, ...position() })).rejects.toMatchObject({
      kind: 'not_found',
      code: 'LCOV_NOT_FOUND',
      message: 'Cannot create snapshot - LCOV file not found at path ./none.info',
    });
    await expect(createSnapshot('bad.info', { cwd, ...position() })).rejects.toThrow(
      'Failed to parse LCOV file: no SF record found',
    );
    expect(await listSnapshots(position())).toEqual([]);
  });

  it('is not created if its paths are too long', async () => {
    // Six characters each in JSON, once in the name and once in the place.
    const path = '\u0001'.repeat(4000);
    const text = Array.from({ length: 5700 }, (_, n) => `SF:${path}${n}\nDA:1,1\n`).join('');
    await expect(snapshotOf(text)).rejects.toMatchObject({
      kind: 'bad_input',
      message: expect.stringMatching(/^Cannot create snapshot: the paths of its 5700 source files are too long; /),
    });
    expect(await listSnapshots(position())).toEqual([]);
  });

  it('is not created without a writable home folder', async () => {
    await writeFile(join(home, 'coverage'), 'a file where a folder should be');
    await expect(snapshotOf(lcovRecord('a', 1))).rejects.toMatchObject({
      code: 'SNAPSHOT_STORAGE',
      message: expect.stringMatching(/^Cannot create snapshot: .* \(ASSAY_HOME is ".*"\)$/),
    });
    expect(await listSnapshots(position())).toEqual([]);
  });

  it('is kept for 30 days and removed when a later one is created', async () => {
    const [old, recent] = [await snapshotOf(lcovRecord('a', 1)), await snapshotOf(lcovRecord('a', 1))];
    const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60_000);
    await utimes(fileOf(old), daysAgo(31), daysAgo(31));
    await utimes(fileOf(recent), daysAgo(29), daysAgo(29));
    const fresh = await snapshotOf(lcovRecord('a', 1));
    expect((await readdir(folder())).sort()).toEqual([`${recent}.json`, `${fresh}.json`].sort());
  });
});

describe('a snapshot is not found', () => {
  it.each([
    '550e8400-e29b-41d4-a716-446655440000',
    '../../etc/passwd',
    '..',
    '',
    'x/../../550e8400-e29b-41d4-a716-446655440000',
    '550e8400-e29b-11d4-a716-446655440000',
    '550e8400-e29b-41d4-a716-446655440000\n',
    '__proto__',
  ])('by %j', async (id) => {
    await expect(loadSnapshot(id, position())).rejects.toMatchObject({
      kind: 'not_found',
      code: 'SNAPSHOT_NOT_FOUND',
      message: `Snapshot not found with ID ${id}`,
    });
  });

  it('before the report is read', async () => {
    await expect(compareSnapshot('nope', 'none.info', { cwd, ...position() })).rejects.toThrow(
      'Snapshot not found with ID nope',
    );
  });

  it('by an id of any length, without repeating it', async () => {
    await expect(loadSnapshot('x'.repeat(100_000), position())).rejects.toThrow(/^Snapshot not found with ID x{200}…$/);
  });
});

describe('a snapshot is rejected', () => {
  const id = '550e8400-e29b-41d4-a716-446655440000';
  const path = () => fileOf(id);
  beforeEach(() => mkdir(folder(), { recursive: true }));

  it.each([
    ['cut short', '{"format":"assay-cov'],
    ['empty', ''],
    ['of another kind', '{"format":"other"}'],
    ['with wrong numbers', JSON.stringify({ format: 'assay-coverage-snapshot-1', id, timestamp: -1, files: 7 })],
  ])('when it is %s', async (_, text) => {
    await writeFile(path(), text);
    await expect(loadSnapshot(id, position())).rejects.toMatchObject({ code: 'SNAPSHOT_DAMAGED' });
    expect(await listSnapshots(position())).toEqual([]);
  });

  it('when it is a link, a folder, or the snapshot of another id', async () => {
    const good = await snapshotOf(lcovRecord('a', 1));
    const goodPath = fileOf(good);
    await symlink(goodPath, path());
    await expect(loadSnapshot(id, position())).rejects.toThrow(`Snapshot ${id} cannot be used: it is a symbolic link`);
    await rename(path(), join(home, 'away'));
    await mkdir(path());
    await expect(loadSnapshot(id, position())).rejects.toThrow('it is not a file of this user');
    await rename(path(), join(home, 'away too'));
    await writeFile(path(), await readFile(goodPath));
    await expect(loadSnapshot(id, position())).rejects.toMatchObject({ code: 'SNAPSHOT_DAMAGED' });
  });

  it.skipIf(process.getuid?.() !== 0)('when it belongs to another user', async () => {
    const good = await snapshotOf(lcovRecord('a', 1));
    await chown(fileOf(good), 12_345, 12_345);
    await expect(loadSnapshot(good, position())).rejects.toThrow('it is not a file of this user');
  });

  it.skipIf(process.getuid?.() === 0)('when it may not be read', async () => {
    const good = await snapshotOf(lcovRecord('a', 1));
    await chmod(fileOf(good), 0);
    await expect(loadSnapshot(good, position())).rejects.toThrow('permission denied');
  });
});

describe('the snapshot of one caller', () => {
  it('is hidden from other owners, by its id and in lists', async () => {
    const id = await snapshotOf(lcovRecord('a', 1));
    const other = { home, owner: { issuer: 'https://issuer.example', subject: 'me' } };
    await expect(loadSnapshot(id, other)).rejects.toThrow(`Snapshot not found with ID ${id}`);
    expect(await listSnapshots(other)).toEqual([]);
    await snapshotOf(lcovRecord('a', 1), other);
    expect(await readdir(join(ownerHome(home, other.owner), 'coverage', 'snapshots'))).toHaveLength(1);
    expect(await listSnapshots(position())).toMatchObject([{ snapshotId: id }]);
  });
});

describe('comparing', () => {
  it('reports improved, worse, new and removed files', async () => {
    const id = await snapshotOf(
      lcovRecord('up', 1, 0) + lcovRecord('down', 1, 1) + lcovRecord('same', 1, 0, 0) + lcovRecord('old', 1, 0, 1),
    );
    expect(
      await changeTo(
        id,
        lcovRecord('up', 1, 1) + lcovRecord('down', 1, 0) + lcovRecord('same', 0, 1, 0) + lcovRecord('new', 1, 1, 0),
      ),
    ).toEqual({
      overallChange: 0,
      fileChanges: { up: 50, down: -50, same: 0, new: 66.7, old: -66.7 },
      newFiles: ['new'],
      removedFiles: ['old'],
    });
  });

  it.each([
    ['50 to 100', lcovRecord('a', 1, 0), lcovRecord('a', 1, 1), 50],
    ['75 to 50', lcovRecord('a', 1, 1, 1, 0), lcovRecord('a', 1, 1, 0, 0), -25],
    ['unchanged', lcovRecord('a', 1, 0, 0), lcovRecord('a', 1, 0, 0), 0],
    ['33.3 to 66.7', lcovRecord('a', 1, 0, 0), lcovRecord('a', 1, 1, 0), 33.4],
    ['nothing to something', '', lcovRecord('a', 1), 100],
    ['something to nothing', lcovRecord('a', 1), '', -100],
  ])('%s', async (_, before, after, expected) => {
    expect((await changeTo(await snapshotOf(before), after)).overallChange).toBe(expected);
  });

  it('leaves the snapshot as it is', async () => {
    const id = await snapshotOf(lcovRecord('a', 1, 0));
    const first = await changeTo(id, lcovRecord('a', 1, 1));
    expect(await changeTo(id.toUpperCase(), lcovRecord('a', 1, 1))).toEqual(first);
  });

  it('recognises a file whose path is spelled differently', async () => {
    const id = await snapshotOf(lcovRecord('src/a.ts', 1, 0) + lcovRecord(join(cwd, 'src/b.ts'), 1, 0));
    const after = await changeTo(id, lcovRecord(join(cwd, 'src/a.ts'), 1, 1) + lcovRecord('.\\src\\b.ts', 1, 1));
    expect(after).toMatchObject({ newFiles: [], removedFiles: [] });
    expect(after.fileChanges).toEqual({ [join(cwd, 'src/a.ts')]: 50, '.\\src\\b.ts': 50 });
  });

  it('finds no change if a report spells a file in two ways', async () => {
    const text = `${lcovRecord('src/a.ts', 1, 0)}SF:${join(cwd, 'src/a.ts')}\nDA:3,1\nDA:4,1\nend_of_record\n`;
    expect(await changeTo(await snapshotOf(text), text)).toEqual({
      overallChange: 0,
      fileChanges: { 'src/a.ts': 0 },
      newFiles: [],
      removedFiles: [],
    });
  });

  it('recognises a file in another checkout', async () => {
    const id = await snapshotOf(lcovRecord('src/a.ts', 1, 0));
    cwd = await createTestFolder();
    expect(await changeTo(id, lcovRecord('src/a.ts', 1, 1))).toMatchObject({
      fileChanges: { 'src/a.ts': 50 },
      newFiles: [],
    });
  });

  it('lists only changed files on request', async () => {
    const id = await snapshotOf(lcovRecord('a', 1, 0) + lcovRecord('b', 1, 0));
    const after = await changeTo(id, lcovRecord('a', 1, 0) + lcovRecord('b', 1, 1) + lcovRecord('c', 0), {
      changedOnly: true,
    });
    expect(after).toMatchObject({ fileChanges: { b: 50 }, newFiles: ['c'] });
    expect(Object.keys(after.fileChanges)).toEqual(['b']);
  });

  it('reports the change of branches and functions that the snapshot measured', async () => {
    const text = (branch: number, call: number) =>
      `SF:a\nDA:1,1\nBRDA:1,0,0,1\nBRDA:1,0,1,${branch}\nFN:1,f\nFNDA:${call},f\nend_of_record\n`;
    const id = await snapshotOf(text(0, 0), { include: ['branches'] });
    const after = await changeTo(id, text(1, 1));
    expect(after.branchesChange).toBe(50);
    expect(after).not.toHaveProperty('functionsChange');
  });

  it('distinguishes a removed file from a new one with its name', async () => {
    await addFiles(cwd, {
      'one/src/index.ts': '',
      'one/lcov.info': lcovRecord('src/index.ts', 1),
      'two/src/index.ts': '',
      'two/lcov.info': lcovRecord('src/index.ts', 0),
    });
    const { snapshotId } = await createSnapshot(['one/lcov.info', 'two/lcov.info'], { cwd, ...position() });
    expect(await compareSnapshot(snapshotId, 'two/lcov.info', { cwd, ...position() })).toMatchObject({
      fileChanges: { 'src/index.ts': 0, 'one/src/index.ts': -100 },
      newFiles: [],
      removedFiles: ['one/src/index.ts'],
    });
  });

  it('accepts file names that are JavaScript properties', async () => {
    const id = await snapshotOf(lcovRecord('__proto__', 1, 0));
    const { fileChanges } = await changeTo(id, lcovRecord('__proto__', 1, 1) + lcovRecord('constructor', 1));
    expect(Object.entries(fileChanges)).toEqual([
      ['__proto__', 50],
      ['constructor', 100],
    ]);
  });

  it('fails like reading a report', async () => {
    const id = await snapshotOf(lcovRecord('a', 1));
    await expect(compareSnapshot(id, 'none.info', { cwd, ...position() })).rejects.toThrow(
      /^LCOV file not found at path none.info$/,
    );
  });
});
