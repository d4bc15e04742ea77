import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const builds = join(root, 'node_modules/.cache/assay-test-builds');
const DAY_MS = 86_400_000;

/**
 * Builds the release and has the tests start that: it starts in less than half of the CPU time of the sources, and the
 * tests start it some three hundred times.
 */
export function setup(): void {
  mkdirSync(builds, { recursive: true });
  for (const name of readdirSync(builds)) {
    const old = join(builds, name);
    if (statSync(old).mtimeMs < Date.now() - DAY_MS) rmSync(old, { recursive: true, force: true });
  }
  const fresh = mkdtempSync(join(builds, 'new-'));
  execFileSync(process.execPath, ['scripts/build.ts', join(fresh, 'dist')], { cwd: root });
  for (const name of ['bin', 'package.json', 'skills'])
    cpSync(join(root, name), join(fresh, name), { recursive: true });
  // One folder per content: a run beside this one keeps its own, and Node's compile cache is used again.
  const files = ['dist/main.js', 'dist/catalog.json', ...globSync('skills/**/*.md', { cwd: fresh })];
  const content = files.map((name) => readFileSync(join(fresh, name)));
  const built = join(builds, createHash('sha256').update(Buffer.concat(content)).digest('hex').slice(0, 16));
  if (existsSync(built)) rmSync(fresh, { recursive: true });
  else renameSync(fresh, built);
  process.env['ASSAY_TEST_BIN'] = join(built, 'bin/assay.js');
}
