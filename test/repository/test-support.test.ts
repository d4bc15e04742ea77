import { spawnSync } from 'node:child_process';
import { chmodSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { launchBrowser } from '../../src/platform/browser/browser-launch.ts';
import { findBrowser } from '../../src/platform/browser/installed-browser.ts';
import { testHome } from '../sites/workspace.ts';
import { root } from '../support/assay.ts';
import { type Folder, newFolder } from '../support/folders.ts';
import { browsersOf } from '../support/processes.ts';
import { startPostgres } from '../support/services/postgres.ts';
import { classifyTests } from '../support/vitest/test-classes.ts';

/** A repository with the modules that decide about the class of a test. */
async function newRepository(): Promise<Folder> {
  const folder = await newFolder();
  for (const module of [
    'src/platform/browser/browser-launch.ts',
    'test/support/assay.ts',
    'test/support/services/postgres.ts',
  ])
    await folder.write(module, 'export const start = 1;\nexport type Started = 1;\n');
  return folder;
}

describe('the class of a test', () => {
  test('follows from its direct and indirect imports', async () => {
    await using folder = await newRepository();
    const write = (name: string, ...lines: string[]) => folder.write(name, `${lines.join('\n')}\n`);
    await write('src/a/pages.ts', "export { start } from '../platform/browser/browser-launch.ts';");
    await write('src/a/through.test.ts', 'import {', '  type Other,', '  start,', "} from './pages.ts';");
    await write('src/a/driver.test.ts', "import { chromium } from 'playwright-core';");
    await write('src/a/database.test.ts', "import { start } from '../../test/support/services/postgres.ts';");
    await write(
      'src/a/plain.test.ts',
      "import { test } from 'vitest';",
      "import type { Page } from 'playwright-core';",
      "import { type Started } from './pages.ts';",
      "const later = () => import('./pages.ts');",
    );
    await write('test/whole.test.ts', "import { test } from 'vitest';");
    expect(classifyTests(folder.path)).toEqual({
      unit: ['src/a/plain.test.ts'],
      browser: ['src/a/driver.test.ts', 'src/a/through.test.ts'],
      'end-to-end': ['src/a/database.test.ts', 'test/whole.test.ts'],
    });
  });

  test('fails when a deciding module was renamed', async () => {
    await using folder = await newFolder();
    expect(() => classifyTests(folder.path)).toThrow('src/platform/browser/browser-launch.ts no longer exists');
  });

  test('fails a unit test that starts a browser', async () => {
    await using folder = await newFolder();
    const browser = await folder.write('chromium', '#!/bin/sh\n');
    chmodSync(browser, 0o755);
    const body = `await new Promise((end) => spawn(${JSON.stringify(browser)}).on('close', end));`;
    await folder.write(
      'hidden.test.mjs',
      `import { spawn } from 'node:child_process';\ntest('hidden', async () => { ${body} });\n`,
    );
    const setupFiles = [join(root, 'test/support/vitest/no-servers.ts')];
    const config = { test: { globals: true, include: ['*.test.mjs'], setupFiles } };
    await folder.write('vitest.config.mjs', `export default ${JSON.stringify(config)};\n`);
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const { status, stderr } = spawnSync(process.execPath, [vitest, 'run', '--root', folder.path], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], NO_COLOR: '1' },
    });
    expect(stderr).toContain(`A unit test starts ${browser}: "hidden" in ${join(folder.path, 'hidden.test.mjs')}`);
    expect(status).toBe(1);
  });
});

test('npm test rejects an argument that is neither a step nor a path', () => {
  const run = spawnSync(process.execPath, ['scripts/test.ts', 'lint', 'src/covrage'], { cwd: root, encoding: 'utf8' });
  expect(run.stdout).toMatch(/^src\/covrage is neither a step nor a file or folder .* The steps are: lint, types, /);
  expect(run.status).toBe(2);
});

test('runs PostgreSQL from the npm package', async () => {
  await using postgres = await startPostgres();
  const client = new pg.Client(postgres.url);
  await client.connect();
  const { rows } = await client.query('show server_version');
  await client.end();
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'tools/postgres/package.json'), 'utf8'));
  for (const version of Object.values(optionalDependencies))
    expect(version).toMatch(new RegExp(`^${RegExp.escape(rows[0].server_version)}\\.`));
});

test('finds a browser behind a shell script, and counts only its main process', async () => {
  await using folder = await newFolder();
  const found = await findBrowser({ env: process.env, home: testHome });
  const exports = Object.entries(found?.env ?? {}).map(([name, value]) => `export ${name}='${value}'`);
  // As Debian's package has it: without exec.
  const wrapper = await folder.write('shell', `#!/bin/sh -e\n${exports.join('\n')}\n${found?.path} "$@"\n`);
  chmodSync(wrapper, 0o755);
  const browser = await launchBrowser({ home: testHome, env: { ...process.env, ASSAY_BROWSER: wrapper } });
  const pids = browsersOf(process.pid);
  expect(pids).toHaveLength(1);
  const disconnected = new Promise((resolve) => browser.once('disconnected', resolve));
  process.kill(pids[0] ?? 0, 'SIGKILL');
  await disconnected;
  expect(browsersOf(process.pid)).toEqual([]);
});

test('keeps every time limit of the tests in test/support/vitest/limits.ts', () => {
  const files = globSync(['{src,test}/**/*.test.ts', 'src/**/*test-support.ts', 'test/support/**/*.ts'], {
    cwd: root,
    // The limit in the last one ends git programs, not a test.
    exclude: [
      'test/repository/test-support.test.ts',
      'test/support/eventually.ts',
      'test/support/git/hostile-repository.ts',
    ],
  });
  const ownLimit = /^\s*\}, [\d_]+\);|\btimeout(?::| =) [\d_]{4,}|testTimeout|vi\.wait(?:For|Until)\(/;
  const found = files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => (ownLimit.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );
  expect(found, 'remove the limit, or wait with expect.poll or eventually').toEqual([]);
});
