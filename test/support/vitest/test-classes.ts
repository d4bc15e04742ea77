import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type TestClass = 'unit' | 'browser' | 'end-to-end';

/** A test that imports one of these modules, directly or through others, starts a browser. */
const browserModules = ['src/platform/browser/browser-launch.ts', 'playwright-core', '@playwright/test'];
/** A test that imports one of these modules starts a process that serves: Assay or PostgreSQL. */
const serverModules = ['test/support/assay.ts', 'test/support/services/postgres.ts'];

/**
 * Sorts the test files below `root` by what they start, as paths relative to it. Tests in `test/` are end-to-end tests;
 * the class of a test in `src/` follows from its imports. Imports of types and dynamic imports do not count.
 * @throws when a module that decides about the class no longer exists
 */
export function classifyTests(root: string): Record<TestClass, string[]> {
  for (const module of [...browserModules, ...serverModules])
    if (module.endsWith('.ts') && !existsSync(join(root, module)))
      throw new Error(`${module} no longer exists: name its successor in test/support/vitest/test-classes.ts.`);
  const classes: Record<TestClass, string[]> = { unit: [], browser: [], 'end-to-end': [] };
  const imports = importsBelow(root);
  for (const file of globSync('src/**/*.test.ts', { cwd: root }).sort()) {
    const reached = reachableFrom(file, imports);
    if (browserModules.some((module) => reached.has(module))) classes.browser.push(file);
    else if (serverModules.some((module) => reached.has(module))) classes['end-to-end'].push(file);
    else classes.unit.push(file);
  }
  classes['end-to-end'].push(...globSync('test/**/*.test.ts', { cwd: root }).sort());
  return classes;
}

function reachableFrom(file: string, imports: (file: string) => readonly string[]): ReadonlySet<string> {
  const reached = new Set([file]);
  // A set also yields what is added to it during the loop.
  for (const module of reached) for (const imported of imports(module)) reached.add(imported);
  return reached;
}

/** `import … from '…'` and `export … from '…'` as Biome formats them; it also marks every import of a type. */
const importStatement = /^(?:import|export) (?!type )(?:([^;'"]*?) from )?'([^']+)';/gm;

/** Reads the imports of values of a module: local files as paths relative to `root`, packages by their name. */
function importsBelow(root: string): (file: string) => readonly string[] {
  const known = new Map<string, string[]>();
  return (file) => {
    const before = known.get(file);
    if (before) return before;
    const text = file.endsWith('.ts') ? readFileSync(join(root, file), 'utf8') : '';
    const found = [...text.matchAll(importStatement)]
      .filter(([, names = '']) => !/^\{\s*(?:type [^,]+,?\s*)+\}$/.test(names))
      .map(([, , from = '']) => (from.startsWith('.') ? join(dirname(file), from) : from));
    known.set(file, found);
    return found;
  };
}
