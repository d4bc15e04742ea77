import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ServedSite } from '../sites/serve.ts';
import { testHome } from '../sites/workspace.ts';
import { scanEnvironment } from '../support/accessibility/accessibility.ts';
import { callOn, connectStdio, root, runAssay } from '../support/assay.ts';
import { cafe, cafeScripts } from '../support/ci/cafe.ts';
import { testCasesIn } from '../support/ci/junit-file.ts';
import { newFolder } from '../support/folders.ts';
import { addScripts } from '../support/qa/qa.ts';
import { governedRepo, junit } from '../support/standards/governed-repo.ts';

// Browsers on a machine that others use, too.

/** The scripts of the café, written where it is, as a project for Playwright in this folder. */
async function exportTo(path: string, site: ServedSite): Promise<void> {
  await using home = await newFolder();
  const env = await scanEnvironment(home);
  await using client = await connectStdio('modern', { args: ['--toolsets', 'qa'], env });
  const call = callOn(client);
  const { projectId } = await call('qa_project_create', { projectName: 'Café', url: site.url });
  await addScripts(env['ASSAY_HOME'] ?? '', projectId, site.url, cafeScripts);
  await call('qa_test_script_export', { projectId, path });
}

const installIn = (folder: string) => symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));

test('assay ci qa runs a folder of exported scripts with Playwright', async () => {
  await using out = await newFolder();
  await using site = await cafe(() => false);
  await using broken = await cafe(() => true);
  await exportTo(out.path, site);
  const bare = await runAssay(['ci', 'qa', out.path]);
  expect([bare.code, bare.stderr]).toEqual([2, expect.stringContaining('Run "npm install"')]);
  installIn(out.path);
  const run = (args: string[], where: Record<string, string>) =>
    runAssay(['ci', 'qa', out.path, '--junit', join(out.path, 'out/junit.xml'), ...args], { env: where });
  // Without a browser of its own Playwright uses ours.
  const ci = (...args: string[]) => run(args, { ASSAY_HOME: testHome });
  const none = await run([], { PLAYWRIGHT_EXECUTABLE: join(out.path, 'nothing') });
  expect([none.code, none.stdout]).toEqual([3, expect.stringContaining('2 inconclusive')]);
  const fine = await ci('--html', join(out.path, 'out/report.html'));
  expect(fine.code, fine.stdout + fine.stderr).toBe(0);
  expect(fine.stdout).toContain('2 of 2 passed (100 %)');
  expect(existsSync(join(out.path, 'out/report.html'))).toBe(true);
  // Where a disk is full the verdict stands all the same.
  const full = existsSync('/dev/full') ? ['--html', '/dev/full'] : [];
  const bad = await ci('--base-url', broken.url, ...full);
  expect(bad.code).toBe(1);
  if (full.length > 0) expect(bad.stderr).toContain('Cannot write /dev/full: ');
  expect(bad.stdout).toContain('1 of 2 passed (50 %), 1 failed');
  expect(testCasesIn(join(out.path, 'out/junit.xml'))).toHaveLength(2);
  await using empty = await newFolder();
  expect((await runAssay(['ci', 'qa', empty.path])).code).toBe(2);
});

test('assay ci qa counts repeated tests as flaky, and exits with unknown for unreadable tests', async () => {
  await using out = await newFolder();
  let requested = 0;
  await using moody = await cafe(() => requested++ === 0);
  await exportTo(out.path, moody);
  installIn(out.path);
  const summary = await out.write('summary.md', '');
  const github = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary };
  const ci = () => runAssay(['ci', 'qa', out.path], { env: { ASSAY_HOME: testHome, ...github } });
  const flaky = await ci();
  expect(flaky.code, flaky.stdout + flaky.stderr).toBe(0);
  expect(flaky.stdout).toContain('2 of 2 passed (100 %), 1 flaky; threshold 100 %: passed.');
  expect(flaky.stdout).toMatch(/^::warning title=flaky%3A Book a table::/m);
  expect(readFileSync(summary, 'utf8')).toContain('- flaky: Book a table');
  await out.write('tests/broken.spec.ts', 'this is no program');
  const broken = await ci();
  expect([broken.code, broken.stdout]).toEqual([3, expect.stringContaining('outside the tests: ')]);
});

test('assay ci standards evaluates, writes its files and annotates on GitHub', async () => {
  await using repo = await governedRepo();
  const files = ['--sarif', 'out/standards.sarif', '--summary', 'out/standards.md'];
  const good = await runAssay(['ci', 'standards', ...files], { cwd: repo.path });
  expect(good.code, good.stdout + good.stderr).toBe(0);
  expect(good.stdout).toContain('Standards: passed');
  expect(JSON.parse(readFileSync(join(repo.path, 'out/standards.sarif'), 'utf8'))).toMatchObject({ version: '2.1.0' });
  expect(readFileSync(join(repo.path, 'out/standards.md'), 'utf8')).toContain('Standards');
  await repo.put({ 'reports/junit.xml': junit({ 'A1 adds': 'failed' }) });
  const bad = await runAssay(['ci', 'standards', '--spec', '.caws/working-spec.yaml'], {
    cwd: repo.path,
    env: { GITHUB_ACTIONS: 'true' },
  });
  expect(bad.code).toBe(1);
  expect(bad.stdout).toMatch(/^::error file=/m);
  await using nothing = await newFolder();
  expect((await runAssay(['ci', 'standards'], { cwd: nothing.path })).code).not.toBe(0);
});
