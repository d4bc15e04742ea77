import { describe, expect, it } from 'vitest';
import { folderWithAncestors, isAbsolutePath, normalizePath, pathBelow, resolvePath } from './source-path.ts';

describe('paths', () => {
  it.each([
    ['src/a.ts', 'src/a.ts'],
    ['./src/a.ts', 'src/a.ts'],
    ['src//lib/./a.ts', 'src/lib/a.ts'],
    ['src\\lib\\a.ts', 'src/lib/a.ts'],
    ['src/lib/../a.ts', 'src/a.ts'],
    ['../a.ts', '../a.ts'],
    ['/x//a.ts', '/x/a.ts'],
    ['c:\\x\\a.ts', 'C:/x/a.ts'],
    ['c:/x/a.ts', 'C:/x/a.ts'],
    ['.hidden/a..ts', '.hidden/a..ts'],
    ['', ''],
  ])('%j is compared as %j', (path, expected) => {
    expect(normalizePath(path)).toBe(expected);
  });

  it.each([
    ['/a', true],
    ['C:/a', true],
    ['a', false],
    ['../a', false],
    ['webpack:///a', false],
  ])('%j is absolute: %s', (path, expected) => {
    expect(isAbsolutePath(path)).toBe(expected);
  });

  it.each([
    ['/work', 'a.ts', '/work/a.ts'],
    ['/work', '../a.ts', '/a.ts'],
    ['/', 'a.ts', '/a.ts'],
    ['/work', '/x/a.ts', '/x/a.ts'],
    ['C:/work', 'D:/a.ts', 'D:/a.ts'],
    ['C:/work', 'a.ts', 'C:/work/a.ts'],
  ])('from %s, %s is %s', (folder, path, expected) => {
    expect(resolvePath(folder, path)).toBe(expected);
  });

  it.each([
    ['/work', '/work/a/b.ts', 'a/b.ts'],
    ['/', '/a.ts', 'a.ts'],
    ['/work', '/workshop/a.ts', undefined],
    ['/work', '/work', undefined],
  ])('below %s, %s is %s', (folder, path, expected) => {
    expect(pathBelow(folder, path)).toBe(expected);
  });

  it.each([
    ['/a/b', ['/a/b', '/a', '/']],
    ['/', ['/']],
    ['C:/a', ['C:/a', 'C:']],
  ])('above %s', (folder, expected) => {
    expect(folderWithAncestors(folder)).toEqual(expected);
  });
});
