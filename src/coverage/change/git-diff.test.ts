import { expect, it } from 'vitest';
import { parseDiff } from './git-diff.ts';

function parsed(...lines: string[]) {
  return parseDiff(Buffer.from(`${lines.join('\n')}\n`, 'latin1'));
}

it('lists added and rewritten lines by their new numbers', () => {
  expect(
    parsed(
      'diff --git a/src/a.ts b/src/a.ts',
      'index 1..2 100644',
      '--- a/src/a.ts',
      '+++ b/src/a.ts',
      '@@ -3 +3,2 @@ function x() {',
      '-old',
      '+new',
      '+newer',
      '@@ -10,0 +12 @@',
      '+added',
      '@@ -20,2 +22,0 @@',
      '-gone',
      '-gone too',
    ),
  ).toEqual([
    {
      path: 'src/a.ts',
      ranges: [
        [3, 4],
        [12, 12],
      ],
    },
  ]);
});

it('ignores changed text that looks like a diff', () => {
  expect(
    parsed(
      'diff --git a/a.diff b/a.diff',
      '--- a/a.diff',
      '+++ b/a.diff',
      '@@ -1,2 +1,3 @@',
      '--- a/x',
      '-@@ -1 +1 @@',
      '+++ b/evil.ts',
      '+@@ -1 +1,100 @@',
      '+diff --git a/b b/b',
      '\\ No newline at end of file',
      'diff --git a/b.ts b/b.ts',
      '--- a/b.ts',
      '+++ b/b.ts',
      '@@ -1 +1 @@',
      '-x',
      '\\ No newline at end of file',
      '+y',
      '\\ No newline at end of file',
    ),
  ).toEqual([
    { path: 'a.diff', ranges: [[1, 3]] },
    { path: 'b.ts', ranges: [[1, 1]] },
  ]);
});

it.each([
  ['b/with space.ts\t', 'with space.ts'],
  ['"b/caf\\303\\251.ts"', 'café.ts'],
  ['b/caf\xc3\xa9.ts', 'café.ts'],
  ['"b/a\\"b\\\\c\\td.ts"', 'a"b\\c\td.ts'],
  ['b/b/b.ts', 'b/b.ts'],
])('reads the path in %j as %j', (written, path) => {
  expect(parsed('--- a/x', `+++ ${written}`, '@@ -0,0 +1 @@', '+x')).toEqual([{ path, ranges: [[1, 1]] }]);
});

it('leaves out files without added lines', () => {
  expect(
    parsed(
      'diff --git a/gone.ts b/gone.ts',
      'deleted file mode 100644',
      '--- a/gone.ts',
      '+++ /dev/null',
      '@@ -1 +0,0 @@',
      '-x',
      'diff --git a/picture.png b/picture.png',
      'Binary files a/picture.png and b/picture.png differ',
      'diff --git a/old.ts b/new.ts',
      'similarity index 100%',
      'rename from old.ts',
      'rename to new.ts',
    ),
  ).toEqual([]);
  expect(parseDiff(Buffer.alloc(0))).toEqual([]);
});
