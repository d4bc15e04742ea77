import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveSite } from '../sites/serve.ts';
import { bin, callOn, connectHttp, runAssay } from '../support/assay.ts';
import { startTestedCafe, type TestedCafe } from '../support/ci/cafe.ts';
import { testCasesIn } from '../support/ci/junit-file.ts';
import { newFolder } from '../support/folders.ts';
import { losing } from '../support/services/proxy.ts';

// Browsers on a machine that others use, too.

let cafe: TestedCafe;
let broken: TestedCafe['broken'];
let server: TestedCafe['server'];
let remote: TestedCafe['remote'];
let projectId: string;
beforeAll(async () => {
  cafe = await startTestedCafe();
  ({ broken, server, remote, projectId } = cafe);
});
afterAll(() => cafe[Symbol.asyncDispose]());

describe('assay ci qa with a remote server', () => {
  test('passes for a working site, and writes JUnit and HTML', async () => {
    await using out = await newFolder();
    const args = [
      'ci',
      'qa',
      '--project',
      projectId,
      '--junit',
      'a/junit.xml',
      '--html',
      'b/report.html',
      '--base-url',
      ' ',
    ];
    const { code, stdout, stderr } = await runAssay(args, { cwd: out.path, env: remote });
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('2 of 2 passed (100 %); threshold 100 %: passed.');
    expect(stdout).not.toContain('::');
    expect(stderr).toContain('2 of 2 done\n');
    expect(
      testCasesIn(join(out.path, 'a/junit.xml'))
        .map((one) => one['@_name'])
        .toSorted(),
    ).toEqual(['Book a table', 'See when it is open']);
    expect(readFileSync(join(out.path, 'b/report.html'), 'utf8')).toContain('No test failed: 2 tests passed.');
  });

  test('fails for a broken site, and annotates on GitHub without forged commands', async () => {
    await using out = await newFolder();
    const summary = await out.write('summary.md', 'Before\n');
    const { code, stdout } = await runAssay(['ci', 'qa', '--junit', 'junit.xml', '--html', 'report.html'], {
      cwd: out.path,
      env: {
        ...remote,
        ...{ ASSAY_PROJECT: projectId, ASSAY_BASE_URL: broken.url },
        ...{ GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary },
      },
    });
    expect(code).toBe(1);
    expect(stdout).toContain('1 of 2 passed (50 %), 1 failed; threshold 100 %: failed.');
    const commands = stdout.split('\n').filter((line) => line.trim().startsWith('::'));
    expect(commands).toEqual([expect.stringMatching(/^::error title=failed%3A Book a table::[^:]/)]);
    expect(stdout).not.toMatch(/##(vso)?\[/);
    expect(readFileSync(summary, 'utf8')).toMatch(/^Before\n# Café: test report\n/);
    const page = readFileSync(join(out.path, 'report.html'), 'utf8');
    expect(page.match(/src="data:image\/jpeg;base64,/g)?.length).toBeGreaterThan(0);
    expect(page).toContain('product defect');
    const failed = testCasesIn(join(out.path, 'junit.xml')).filter((one) => one.failure !== undefined);
    expect(failed.map((one) => one['@_name'])).toEqual(['Book a table']);
  });

  test.runIf(existsSync('/dev/full'))('keeps its exit code when the disk is full', async () => {
    const ci = (...args: string[]) =>
      runAssay(['ci', 'qa', '--project', projectId, '--junit', '/dev/full', ...args], { env: remote });
    const [good, bad] = await Promise.all([ci(), ci('--base-url', broken.url)]);
    expect([good.code, bad.code]).toEqual([3, 1]);
    for (const { stderr } of [good, bad]) expect(stderr).toContain('Cannot write /dev/full: ');
  });

  test('runs only the named scripts, and passes at a lower threshold', async () => {
    const only = ['--scripts', cafe.scripts[0] ?? ''];
    const one = await runAssay(['ci', 'qa', '--project', projectId, ...only, '--base-url', broken.url], {
      env: remote,
    });
    expect([one.code, one.stdout]).toEqual([0, expect.stringContaining('1 of 1 passed')]);
    const half = ['--threshold', '50', '--base-url', broken.url];
    const two = await runAssay(['ci', 'qa', '--project', projectId, ...half], { env: remote });
    expect([two.code, two.stdout]).toEqual([0, expect.stringContaining('threshold 50 %: passed.')]);
  });

  test('distinguishes bad usage from an unknown outcome', async () => {
    const ci = (args: string[], more: Record<string, string> = {}) =>
      runAssay(['ci', 'qa', ...args], { env: { ...remote, ...more } });
    const outcomes = await Promise.all([
      ci([]),
      ci(['--project', 'proj_none']),
      ci(['--project', projectId, '--threshold', '101']),
      ci(['--project', projectId], { ASSAY_TOKEN: 'not-the-right-token' }),
      ci(['--project', projectId], { ASSAY_TOKEN: 'not-the-right-token\nbut two' }),
      ci(['--project', projectId, '--junit', cafe.folder.path]),
      ci(['--project', projectId, '--base-url', 'http://127.0.0.1:9']),
      ci(['--project', projectId], { ASSAY_SERVER: 'http://127.0.0.1:9/mcp' }),
    ]);
    expect(outcomes.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2, 2, 3, 3]);
    const output = outcomes.map(({ stderr }) => stderr);
    expect(output[0]).toContain('The project is missing');
    expect(output[1]).toContain('There is no project "proj_none"');
    expect(output[2]).toContain('--threshold must be a percentage');
    expect(output[3]).toContain('check ASSAY_TOKEN');
    expect(output[4]).toContain('ASSAY_TOKEN must be one line of printable ASCII');
    expect(output[5]).toContain('it is a folder');
    expect(outcomes[6]?.stdout).toMatch(/0 of 2 passed \(no verdict\), 2 inconclusive.*unknown/);
    expect(output[7]).toContain('cannot be reached');
    expect(JSON.stringify(outcomes)).not.toContain('not-the-right-token');
  });
});

test.each([
  ['stopped, cancels what it has started elsewhere', () => remote, (pid: number) => process.kill(pid, 'SIGTERM')],
  // Every process of the terminal gets the signal, its own server too.
  [
    'interrupted by its user, cancels what it has started here',
    () => cafe.env,
    (pid: number) => process.kill(-pid, 'SIGINT'),
  ],
])('assay ci qa, %s', async (_what, where, stop) => {
  const opened = Promise.withResolvers<void>();
  await using silent = await serveSite(() => {
    opened.resolve();
    return new Promise(() => {});
  });
  const child = spawn(process.execPath, [bin, 'ci', 'qa', '--project', projectId, '--base-url', silent.url], {
    env: { PATH: process.env['PATH'], ...where() },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const code = new Promise<number | null>((resolve) => child.on('close', resolve));
  const output = text(child.stderr);
  await opened.promise;
  stop(child.pid ?? 0);
  expect(await code).toBe(3);
  expect(await output).toContain('Stopped; the run was cancelled.');
  await using client = await connectHttp('modern', server);
  const listed = () => callOn(client)('qa_workflow_list_test_script_replay_bulk_runtimes', { projectId });
  // It gets a signal to end, which may take long on a busy machine.
  await expect
    .poll(async () => (await listed()).data[0])
    .toMatchObject({ status: 'cancelled', latestRun: { status: 'cancelled' } });
});

test('assay ci qa works with the local data folder', async () => {
  const { code, stdout, stderr } = await runAssay(['ci', 'qa', '--project', projectId], {
    env: { ...cafe.env, ASSAY_HTTP: 'true', ASSAY_READ_ONLY: 'true' },
  });
  expect(code, stderr).toBe(0);
  expect(stdout).toContain('2 of 2 passed');
});

describe('assay ci qa over a lossy network', () => {
  const isAboutReports = (body: string) => body.includes('qa://reports/');
  const through = async (url: string, more: Record<string, string>) => {
    await using out = await newFolder();
    const summary = await out.write('summary.md', '');
    const where = { ...remote, ASSAY_SERVER: url, GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary, ...more };
    const args = ['ci', 'qa', '--project', projectId, '--junit', 'junit.xml'];
    const ran = await runAssay(args, { cwd: out.path, env: where });
    return { ...ran, summary: readFileSync(summary, 'utf8'), files: readdirSync(out.path) };
  };

  test.concurrent('retries until everything is there', async () => {
    let lost = 0;
    // The first two questions of every kind that comes after the start.
    const requests = new Map<string, number>();
    await using proxy = await losing(server.url, (body) => {
      const kind = /run_batch_summary|qa:\/\/reports\/|qa:\/\/artifacts\/|qa_report_final_generate/.exec(body)?.[0];
      if (kind === undefined) return false;
      const times = (requests.get(kind) ?? 0) + 1;
      requests.set(kind, times);
      if (times <= 2) lost++;
      return times <= 2;
    });
    const { code, stdout, stderr, summary, files } = await through(proxy.url, {});
    expect(code, stderr).toBe(0);
    expect(lost).toBe(8);
    expect(stdout).toContain('2 of 2 passed');
    expect(files).toContain('junit.xml');
    expect(summary).toMatch(/^# Café: test report/);
  });

  test.concurrent('annotates failures on GitHub and keeps the exit code without a report', async () => {
    await using proxy = await losing(server.url, isAboutReports);
    const { code, stdout, stderr, summary, files } = await through(proxy.url, { ASSAY_BASE_URL: broken.url });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^::error title=failed%3A Book a table::/m);
    expect(summary).toMatch(/^## Tests: 1 of 2 passed .*\n\n- failed: Book a table\n/);
    expect(stderr).toContain('the report was not generated: The Assay server');
    expect(files).not.toContain('junit.xml');
  });

  test.concurrent('exits with unknown when requested result files are missing', async () => {
    await using proxy = await losing(server.url, isAboutReports);
    const { code, stdout } = await through(proxy.url, {});
    expect(stdout).toContain('2 of 2 passed (100 %); threshold 100 %: passed.');
    expect(code).toBe(3);
  });
});
