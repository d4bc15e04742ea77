import { expect, test } from 'vitest';
import { Failure } from '../../platform/errors.ts';
import type { ChangeSet } from './change-set.ts';
import { readChangedLines } from './changed-lines.ts';

const change = (path: string, kind: 'modified' | 'untracked', added = 1) => ({
  path,
  kind,
  added,
  removed: 0,
  binary: false,
  estimated: false,
});
const changes: ChangeSet = {
  base: 'main',
  commit: 'abc',
  files: [
    change('a.ts', 'modified'),
    change('new.ts', 'untracked'),
    change('made.ts', 'modified', 50_000),
    change('other.md', 'modified'),
  ],
  added: 3,
  removed: 0,
};
const all = [[1, Number.POSITIVE_INFINITY]];

/** A repository that answers every question alike. */
const answering = (answer: () => { code: number; stdout: Buffer }) => ({
  root: '/r',
  gitDir: '/r/.git',
  commonDir: '/r/.git',
  hooks: async () => ({ path: '/r/.git/hooks', configured: undefined }),
  head: undefined,
  branch: undefined,
  shallow: false,
  mainBranches: new Map(),
  git: async () => ({ ...answer(), stderr: '' }),
  read: async () => '',
});
const lines = (answer: () => { code: number; stdout: Buffer }) =>
  readChangedLines(answering(answer), '/r', changes, ({ path }) => path.endsWith('.ts'));

test('reads changed lines from the diff, and all lines of new and generated files', async () => {
  const diff = 'diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -3,0 +4,2 @@\n+x\n+y\n';
  expect(await lines(() => ({ code: 0, stdout: Buffer.from(diff) }))).toEqual([
    { path: 'a.ts', ranges: [[4, 5]] },
    { path: 'new.ts', ranges: all },
    { path: 'made.ts', ranges: all },
  ]);
});

test.each([
  ['fails', () => ({ code: 128, stdout: Buffer.alloc(0) })],
  [
    'is too large',
    () => {
      throw new Failure('unavailable', 'GIT_FAILED', 'git printed more than it may');
    },
  ],
])('counts all lines if the diff %s', async (_, answer) => {
  expect((await lines(answer)).find(({ path }) => path === 'a.ts')).toEqual({ path: 'a.ts', ranges: all });
});
