import { spawn } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { XMLParser } from 'fast-xml-parser';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { type ServedSite, serveSite } from './sites/serve.ts';
import { testHome } from './sites/workspace.ts';
import { scanEnvironment } from './support/accessibility.ts';
import { bin, callOn, connectHttp, type HttpServer, type Result, root, runAssay, startHttp } from './support/assay.ts';
import { type Folder, newFolder } from './support/folders.ts';
import { governedRepo, junit } from './support/governed-repo.ts';

// Browsers on a machine that others use, too.
vi.setConfig({ testTimeout: 120_000 });

const TOKEN = 'a-token-for-the-pipeline';

/** A café with a page of its own for guests; `broken` shows something else there. */
function cafe(broken: boolean): Promise<ServedSite> {
  const page = (body: string) => `<!doctype html><html lang="en"><title>Café</title><body><main>${body}</main></html>`;
  return serveSite((path) => {
    if (path === '/') return page('<h1>Café</h1><p>Open from nine to five</p><a href="/book">Book a table</a>');
    if (path !== '/book') return undefined;
    return broken
      ? { status: 500, body: page('<h1>Sorry</h1><p>::error::owned</p><p>##vso[task.complete]</p>') }
      : page('<h1>Book a table</h1><p>Ring us up</p>');
  });
}

let folder: Folder;
let site: ServedSite;
let broken: ServedSite;
let server: HttpServer;
let env: Record<string, string>;
let projectId: string;
let scripts: string[];
beforeAll(async () => {
  folder = await newFolder();
  [site, broken] = await Promise.all([cafe(false), cafe(true)]);
  env = await scanEnvironment(folder);
  server = await startHttp({
    args: ['--toolsets', 'qa', '--folders', '.', '--allow-addresses', '127.0.0.1'],
    cwd: folder.path,
    env: { ...env, ASSAY_TOKEN: TOKEN },
  });
  await using client = await connectHttp('modern', server);
  const call = callOn(client);
  ({ projectId } = await call('qa_project_create', { projectName: 'Café', url: site.url }));
  const candidate = await call('qa_use_case_candidate_propose', {
    projectId,
    title: 'Book a table',
    description: 'A guest books.',
  });
  const { approved } = await call('qa_use_case_candidates_approve', {
    projectId,
    approvedCandidateIds: [candidate.id],
  });
  const { useCaseId } = approved[0];
  scripts = [
    await addScript(call, useCaseId, 'See when it is open', [
      { do: 'goto', url: '/' },
      { do: 'expectText', text: 'Open from nine to five' },
    ]),
    await addScript(call, useCaseId, 'Book a table', [
      { do: 'goto', url: '/' },
      { do: 'click', on: { name: 'Book a table', ladder: [{ by: 'role', role: 'link', value: 'Book a table' }] } },
      { do: 'expectText', text: 'Ring us up' },
    ]),
  ];
}, 180_000);
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await broken[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

async function addScript(
  call: ReturnType<typeof callOn>,
  useCaseId: string,
  title: string,
  steps: object[],
): Promise<string> {
  const words = { title, goal: title, expectedResult: 'The page says it.', url: site.url };
  const { testCaseId } = await call('qa_test_case_upsert', { projectId, useCaseId, ...words });
  const { workflowRuntimeId } = await call('qa_test_script_upsert', {
    projectId,
    testCaseId,
    steps,
    baseUrl: site.url,
  });
  const run = await vi.waitFor(
    async () => {
      const latest = await call('qa_workflow_get_test_script_generation_latest_run', { workflowRuntimeId });
      expect(latest.status).toMatch(/succeeded|failed/);
      return latest;
    },
    { timeout: 90_000, interval: 200 },
  );
  expect(run.status, JSON.stringify(run)).toBe('succeeded');
  const { data } = await call('qa_test_script_list', { projectId });
  const script = data.find((one: Result) => one.testCaseId === testCaseId);
  expect(script, JSON.stringify(script)).toMatchObject({ status: 'active' });
  return script.testScriptId;
}

const remote = () => ({ ASSAY_SERVER: server.url, ASSAY_TOKEN: TOKEN, ASSAY_HOME: join(folder.path, 'no-home') });
const testCasesIn = (file: string): Result[] => {
  const xml = new XMLParser({ ignoreAttributes: false, isArray: (name) => /^test(suite|case)$/.test(name) });
  return xml.parse(readFileSync(file, 'utf8')).testsuites.testsuite.flatMap(({ testcase }: Result) => testcase);
};

describe('assay ci qa, on a server elsewhere', () => {
  test('is content with a site that works, and writes what a pipeline wants', async () => {
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
    const { code, stdout, stderr } = await runAssay(args, { cwd: out.path, env: remote() });
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('2 of 2 passed (100 %); 100 % is asked for: good enough.');
    expect(stdout).not.toContain('::');
    expect(stderr).toMatch(/\d of 2 done/);
    expect(
      testCasesIn(join(out.path, 'a/junit.xml'))
        .map((one) => one['@_name'])
        .toSorted(),
    ).toEqual(['Book a table', 'See when it is open']);
    expect(readFileSync(join(out.path, 'b/report.html'), 'utf8')).toContain('No test failed: 2 tests passed.');
  });

  test('fails with a site that is broken, and says so to GitHub, whose commands nothing can forge', async () => {
    await using out = await newFolder();
    const summary = await out.write('summary.md', 'Before\n');
    const { code, stdout } = await runAssay(['ci', 'qa', '--junit', 'junit.xml', '--html', 'report.html'], {
      cwd: out.path,
      env: {
        ...remote(),
        ...{ ASSAY_PROJECT: projectId, ASSAY_BASE_URL: broken.url },
        ...{ GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary },
      },
    });
    expect(code).toBe(1);
    expect(stdout).toContain('1 of 2 passed (50 %), 1 failed; 100 % is asked for: not good enough.');
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

  test('runs only the scripts that are named, and is content with less where less is asked for', async () => {
    const only = ['--scripts', scripts[0] ?? ''];
    const one = await runAssay(['ci', 'qa', '--project', projectId, ...only, '--base-url', broken.url], {
      env: remote(),
    });
    expect([one.code, one.stdout]).toEqual([0, expect.stringContaining('1 of 1 passed')]);
    const half = ['--threshold', '50', '--base-url', broken.url];
    const two = await runAssay(['ci', 'qa', '--project', projectId, ...half], { env: remote() });
    expect([two.code, two.stdout]).toEqual([0, expect.stringContaining('50 % is asked for: good enough.')]);
  });

  test('tells bad usage from what cannot be found out', async () => {
    const ci = (args: string[], more: Record<string, string> = {}) =>
      runAssay(['ci', 'qa', ...args], { env: { ...remote(), ...more } });
    const outcomes = await Promise.all([
      ci([]),
      ci(['--project', 'proj_none']),
      ci(['--project', projectId, '--threshold', '101']),
      ci(['--project', projectId], { ASSAY_TOKEN: 'not-the-right-token' }),
      ci(['--project', projectId], { ASSAY_TOKEN: 'not-the-right-token\nbut two' }),
      ci(['--project', projectId, '--junit', folder.path]),
      ci(['--project', projectId, '--base-url', 'http://127.0.0.1:9']),
      ci(['--project', projectId], { ASSAY_SERVER: 'http://127.0.0.1:9/mcp' }),
    ]);
    expect(outcomes.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2, 2, 3, 3]);
    const said = outcomes.map(({ stderr }) => stderr);
    expect(said[0]).toContain('Which project?');
    expect(said[1]).toContain('There is no project "proj_none"');
    expect(said[2]).toContain('--threshold must be a percentage');
    expect(said[3]).toContain('check ASSAY_TOKEN');
    expect(said[4]).toContain('ASSAY_TOKEN must be a token');
    expect(said[5]).toContain('it is a folder');
    expect(outcomes[6]?.stdout).toMatch(/2 inconclusive.*nothing can be said/);
    expect(said[7]).toContain('cannot be reached');
    expect(JSON.stringify(outcomes)).not.toContain('not-the-right-token');
  });
});

test('assay ci qa, told to stop, cancels what it has started elsewhere', async () => {
  const opened = Promise.withResolvers<void>();
  await using silent = await serveSite(() => {
    opened.resolve();
    return new Promise(() => {});
  });
  const child = spawn(process.execPath, [bin, 'ci', 'qa', '--project', projectId, '--base-url', silent.url], {
    env: { PATH: process.env['PATH'], ...remote() },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const code = new Promise<number | null>((resolve) => child.on('close', resolve));
  const said = text(child.stderr);
  await opened.promise;
  child.kill('SIGTERM');
  expect(await code).toBe(3);
  expect(await said).toContain('Stopped; the run was cancelled.');
  await using client = await connectHttp('modern', server);
  const { data } = await callOn(client)('qa_workflow_list_test_script_replay_bulk_runtimes', { projectId });
  expect(data[0]).toMatchObject({ status: 'cancelled', latestRun: { status: 'cancelled' } });
});

test('assay ci qa works on the home of this machine, too', async () => {
  const { code, stdout, stderr } = await runAssay(['ci', 'qa', '--project', projectId], {
    env: { ...env, ASSAY_HTTP: 'true', ASSAY_READ_ONLY: 'true' },
  });
  expect(code, stderr).toBe(0);
  expect(stdout).toContain('2 of 2 passed');
});

test('assay ci qa runs a folder of exported scripts by plain Playwright', async () => {
  await using out = await newFolder();
  const exported = await runAssay(['call', 'qa_test_script_export', '--project-id', projectId, '--path', out.path], {
    env,
  });
  expect(exported.code, exported.stderr).toBe(0);
  const bare = await runAssay(['ci', 'qa', out.path]);
  expect([bare.code, bare.stderr]).toEqual([2, expect.stringContaining('run "npm install"')]);
  symlinkSync(join(root, 'node_modules'), join(out.path, 'node_modules'));
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
  const bad = await ci('--base-url', broken.url);
  expect(bad.code).toBe(1);
  expect(bad.stdout).toContain('1 of 2 passed (50 %), 1 failed');
  expect(testCasesIn(join(out.path, 'out/junit.xml'))).toHaveLength(2);
  expect((await runAssay(['ci', 'qa', folder.path])).code).toBe(2);
});

test('assay ci standards evaluates, writes its files, and tells GitHub', async () => {
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

describe('the templates that are recommended', () => {
  interface Run {
    command: string;
    env: Record<string, string>;
  }

  /** What each system would run, and with which variables besides those that its operator sets. */
  function runIn({ path, content }: { path: string; content: string }, baseUrl: string): Run {
    const filled = (value: unknown) => (/base_?url/i.test(String(value)) ? baseUrl : undefined);
    if (path.endsWith('.sh')) return { command: content, env: { ASSAY_BASE_URL: baseUrl } };
    if (path === 'Jenkinsfile')
      return { command: /sh '([^']+)'/.exec(content)?.[1] ?? '', env: { ASSAY_BASE_URL: baseUrl } };
    const file = parse(content);
    const steps = file.jobs?.qa?.steps ?? file.jobs?.[0]?.steps ?? [];
    const step = steps.find((one: Result) => typeof one.run === 'string' || one.script || one.run?.command) ?? {};
    const job = Object.values<Result>(file).find((one) => one?.script)?.script;
    const command = job?.[0] ?? step.script ?? step.run?.command ?? step.run;
    const given = filled(
      step.env?.ASSAY_BASE_URL ?? file.jobs?.qa?.environment?.ASSAY_BASE_URL ?? (file.variables && 'base_url'),
    );
    return { command, env: given === undefined ? {} : { ASSAY_BASE_URL: given } };
  }

  async function runs({ command, env: given }: Run): Promise<{ code: number | null; said: string; results: number }> {
    await using place = await newFolder();
    const ours = command.replaceAll(/npx --yes assay-mcp@\S+/g, `"${process.execPath}" "${bin}"`);
    const child = spawn('sh', ['-c', ours], {
      cwd: place.path,
      env: { PATH: process.env['PATH'], ...remote(), ASSAY_PROJECT: projectId, ...given },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const code = new Promise<number | null>((resolve) => child.on('close', resolve));
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const file = join(place.path, 'assay-results/junit.xml');
    return { code: await code, said: out + err, results: existsSync(file) ? testCasesIn(file).length : 0 };
  }

  test('run for real, every one of them, and say by their exit code how it went', async () => {
    const wanted = new Map<string, Run>();
    let templates = 0;
    await using client = await connectHttp('modern', server);
    for (const repositoryProvider of ['github', 'azureDevOps', 'gitlab', 'other'])
      for (const cadence of ['onPullRequest', 'nightly', 'onDemand'])
        for (const named of [{}, { projectId }]) {
          const args = { repositoryProvider, cadence, ...named };
          const { recommendations } = await callOn(client)('qa_recommend_cicd_setup', args);
          for (const { template } of recommendations) {
            const run = runIn(template, cadence === 'onDemand' ? broken.url : ' ');
            expect(run.command, template.path).toMatch(/npx --yes assay-mcp@\d/);
            templates++;
            // Many systems run the same line: once is enough.
            wanted.set(JSON.stringify([run.command.replaceAll(/^#.*$/gm, ''), run.env]), run);
          }
        }
    expect(templates).toBe(36);
    const left = [...wanted.values()];
    const runSome = async () => {
      for (let run = left.pop(); run; run = left.pop()) {
        const { code, said, results } = await runs(run);
        expect(code, `${run.command}\n${said}`).toBe(run.env['ASSAY_BASE_URL'] === broken.url ? 1 : 0);
        expect(results, said).toBe(2);
      }
    };
    await Promise.all([runSome(), runSome(), runSome()]);
  }, 240_000);
});
