import { execFile } from 'node:child_process';
import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findBrowser } from '../../../src/platform/browser/installed-browser.ts';
import { testHome } from '../../sites/workspace.ts';
import { root } from '../assay.ts';

/** Runs exported tests once with plain Playwright and returns its output. */
export async function ranAlone(
  path: string,
  { args = [], env = {} }: { args?: readonly string[]; env?: Record<string, string> } = {},
): Promise<string> {
  const modules = join(path, 'node_modules');
  if (!existsSync(modules)) symlinkSync(join(root, 'node_modules'), modules);
  const found = await findBrowser({ env: process.env, home: testHome });
  const program = join(root, 'node_modules/@playwright/test/cli.js');
  // Vitest sets its own base URL.
  const { BASE_URL: _, ...environment } = process.env;
  // This process may serve the site, so it must not block.
  const ran = await promisify(execFile)(
    process.execPath,
    [program, 'test', '--reporter=line', '--retries=0', ...args],
    { cwd: path, env: { ...environment, ...found?.env, PLAYWRIGHT_EXECUTABLE: found?.path ?? '', ...env } },
  ).catch((error: { stdout: string }) => ({ stdout: error.stdout }));
  return ran.stdout;
}
