import { expect, test } from 'vitest';
import { parseOldTexts } from './base-texts.ts';

test('puts the old side of a diff together, also of text that looks like a diff', () => {
  const changed =
    'diff --git a/x.js b/x.js\n--- a/x.js\n+++ b/x.js\n@@ -1,3 +1,3 @@\n a\n-b\n+c\n--- d\n\\ No newline at end of file\n+++ e\n';
  const deleted = 'diff --git a/y.js b/y.js\ndeleted file mode 100644\n--- a/y.js\n+++ /dev/null\n@@ -1 +0,0 @@\n-z\n';
  const added = 'diff --git a/n.js b/n.js\nnew file mode 100644\n--- /dev/null\n+++ b/n.js\n@@ -0,0 +1 @@\n+n\n';
  expect([...parseOldTexts(Buffer.from(changed + deleted + added))]).toEqual([
    ['x.js', 'a\nb\n-- d'],
    ['y.js', 'z\n'],
  ]);
});
