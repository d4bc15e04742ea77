import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bin, runAssay } from '../support/assay.ts';
import { lcov, newFolder } from '../support/folders.ts';

test('--version prints the version and --help the commands', async () => {
  expect(await runAssay(['--version'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  const { stdout, code } = await runAssay(['--help']);
  expect(code).toBe(0);
  for (const command of ['serve', 'call', 'tools', 'doctor', 'demo']) expect(stdout).toContain(`assay ${command}`);
});

test('prints the help of a command from the settings table', async () => {
  const { stdout } = await runAssay(['serve', '--help']);
  expect(stdout).toContain('--read-only, ASSAY_READ_ONLY');
  expect(stdout).toContain('ASSAY_TOKEN');
  expect(stdout).not.toContain('--token');
});

test.each([
  [['sreve'], /Unknown command "sreve"\. Did you mean serve\? Known commands: serve, call/],
  [['serve', '--tolsets', 'x'], /Unknown flag --tolsets\. Did you mean --toolsets\?/],
  [['serve', 'extra'], /extra/],
  [['serve', '--toolsets', 'coverge'], /Did you mean coverage\?/],
  [['tools', '--tools', 'nothing'], /Unknown tool "nothing"/],
  [['help', 'nothing'], /Unknown command "nothing"/],
])('reports %j as bad usage with exit code 2 and a hint', async (args, message) => {
  const ran = await runAssay(args);
  expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
  expect(ran.stderr).not.toMatch(/\n {4}at /);
});

test('serves over stdio without a command', async () => {
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
  };
  const { code, stdout } = await runAssay([], { input: `${JSON.stringify(initialize)}\n` });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ result: { serverInfo: { name: 'assay' } } });
});

describe('assay tools', () => {
  test('lists the tools by toolset', async () => {
    const { stdout, code } = await runAssay(['tools']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^coverage: /);
    expect(stdout).toMatch(/get_overall_coverage +read +\w/);
  });

  test('prints the catalog of the served tools as JSON', async () => {
    const { stdout } = await runAssay(['tools', '--json', '--read-only']);
    const [coverage] = JSON.parse(stdout);
    expect(coverage).toMatchObject({ name: 'coverage' });
    expect(coverage.tools.every((tool: { effect: string }) => tool.effect === 'read')).toBe(true);
  });
});

describe('assay call', () => {
  test('prints the result as JSON, with flags or --json', async () => {
    await using folder = await newFolder();
    await folder.write('lcov.info', lcov({ 'src/a.ts': [1, 0, 0] }));
    const byFlags = await runAssay(
      ['call', 'get_file_coverage', '--lcov-path', 'lcov.info', '--file-paths', 'src/a.ts', '--file-paths', 'b'],
      { cwd: folder.path },
    );
    expect(byFlags).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(byFlags.stdout)).toEqual({ files: { 'src/a.ts': 33.3, b: 0 }, notInReport: ['b'] });
    const json = JSON.stringify({ lcovPath: 'lcov.info', filePaths: ['src/a.ts', 'b'] });
    expect(await runAssay(['call', 'get_file_coverage', '--json', json], { cwd: folder.path })).toEqual(byFlags);
  });

  test('prints a tool error to stderr with exit code 1', async () => {
    await using folder = await newFolder();
    const given = ['call', 'get_overall_coverage', '--lcov-path', 'no/such'];
    expect(await runAssay(given, { cwd: folder.path })).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^Error: LCOV file not found at path no\/such\nRun the tests with an LCOV report/),
    });
  });

  test.each([
    [['get_overall_coverage'], /lcovPath: missing/],
    [['get_overall_coverage', '--lcov-pth', 'x'], /Did you mean --lcov-path\?/],
    [['get_overal_coverage'], /Did you mean get_overall_coverage\?/],
    [[], /tool name is missing/],
  ])('reports %j as bad usage', async (args, message) => {
    expect(await runAssay(['call', ...args])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(message),
    });
  });

  test('shows the arguments of a tool', async () => {
    const { stdout, code } = await runAssay(['call', 'get_overall_coverage', '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('--lcov-path  (string; required)');
  });

  test('calls only tools that the environment allows', async () => {
    const ran = await runAssay(['call', 'start_coverage_snapshot', '--lcov-path', 'x'], {
      env: { ASSAY_READ_ONLY: '1' },
    });
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('read-only') });
  });

  test('names the setting when the folder of shared wizards does not exist', async () => {
    const ran = await runAssay(['call', 'federalrunner_list_wizards'], {
      env: { ASSAY_SHARED_WIZARDS: '/nonexistent/wizards' },
    });
    expect(ran.code).not.toBe(0);
    expect(ran.stderr).toMatch(/ASSAY_SHARED_WIZARDS.*"\/nonexistent\/wizards", which does not exist/);
  });
});

test.skipIf(!existsSync('/dev/full'))('reports a result that cannot be written, without a stack', () => {
  const ran = spawnSync('sh', ['-c', `'${process.execPath}' '${bin}' tools > /dev/full`], { encoding: 'utf8' });
  expect(ran).toMatchObject({ status: 1, stderr: 'assay: cannot write the result: the disk is full\n' });
});

test('assay doctor judges only what the served toolsets need, and prints JSON', async () => {
  await using home = await newFolder();
  const env = { ASSAY_HOME: home.path, PATH: '/nonexistent', ASSAY_BROWSER: '/nonexistent/browser' };
  const coverage = await runAssay(['doctor', '--json', '--toolsets', 'coverage'], { env });
  expect(coverage).toMatchObject({ code: 0, stderr: '' });
  const { ready, checks } = JSON.parse(coverage.stdout);
  expect(ready).toBe(true);
  expect(checks).toContainEqual({ what: 'git', state: 'warn', detail: expect.stringContaining('install git') });
  const scans = await runAssay(['doctor', '--json', '--toolsets', 'accessibility'], { env });
  expect(scans.code).toBe(1);
  expect(JSON.parse(scans.stdout)).toMatchObject({
    ready: false,
    checks: expect.arrayContaining([
      { what: 'Browser', state: 'fail', detail: expect.stringContaining('cannot work without it: accessibility') },
    ]),
  });
});
test('assay doctor reports this machine as ready, and names what is missing', async () => {
  await using home = await newFolder();
  const own = { ASSAY_HOME: home.path };
  const fit = await runAssay(['doctor'], { env: own });
  expect(fit.code).toBe(0);
  expect(fit.stdout).toMatch(/ok +git +git version/);
  expect(fit.stdout).toMatch(/ok +QA reports +webhook; not configured: email, sms/);
  const env = { ...own, ASSAY_PRICES: '{"hour":1}', ASSAY_SMTP_URL: 'mail.example' };
  const wrong = await runAssay(['doctor'], { env });
  expect(wrong).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/fail +QA reports .*ASSAY_SMTP_URL.*ASSAY_PRICES/),
  });
  const withoutGit = await runAssay(['doctor'], { env: { ...own, PATH: '/nonexistent' } });
  expect(withoutGit).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/fail +git +not found: install git.*cannot work without it: standards/),
  });
  const noFolder = await runAssay(['doctor'], { env: { ...own, TMPDIR: '/dev/null/folder' } });
  expect(noFolder).toMatchObject({ code: 1, stdout: expect.stringMatching(/fail +Temporary folder .*TMPDIR/) });
});
