import { execFileSync, spawnSync } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Connection, connectHttp, connectStdio, runAssay, startHttp } from '../support/assay.ts';
import { type Folder, newFolder } from '../support/folders.ts';
import {
  environmentVectors,
  hookVectors,
  localVectors,
  otherFileVectors,
  partialVectors,
  submoduleVectors,
  userVectors,
  type Vector,
} from '../support/git/git-vectors.ts';
import {
  controlStarts,
  hostileHome,
  hostileRepo,
  newTraps,
  partialRepo,
  plainRepo,
  type Traps,
} from '../support/git/hostile-repository.ts';
import { isolatedGit, type Repo, repoAt } from '../support/git/repos.ts';

let traps: Traps;
let hostile: Repo;
let partial: Repo;
let plain: Repo;
let home: Folder;
beforeAll(async () => {
  traps = await newTraps();
  hostile = await hostileRepo(traps);
  partial = await partialRepo(traps);
  plain = await plainRepo(traps);
  home = await hostileHome(traps);
});
afterAll(async () => {
  for (const thing of [hostile, partial, plain, home, traps]) await thing[Symbol.asyncDispose]();
});

const byName = (vectors: readonly Vector[]) => vectors.map((vector) => [vector.name, vector] as const);

describe('plain git starts the program of', () => {
  test.each(byName([...localVectors, ...Object.values(otherFileVectors), ...submoduleVectors]))(
    '%s',
    async (_, one) => {
      expect(await controlStarts(one, hostile, traps)).toBe(true);
    },
  );

  test.each(byName([...partialVectors, ...hookVectors]))('%s', async (_, one) => {
    expect(await controlStarts(one, partial, traps)).toBe(true);
  });

  test.each(byName(environmentVectors))('%s', async (_, one) => {
    expect(await controlStarts(one, plain, traps, one.env?.(traps.programOf(one)))).toBe(true);
  });

  test.each(byName(userVectors))('%s', async (_, one) => {
    const env = { GIT_CONFIG_GLOBAL: join(home.path, '.gitconfig') };
    expect(await controlStarts(one, plain, traps, env)).toBe(true);
  });

  test('a project that brings a git of its own', () => {
    spawnSync('git', ['status'], { env: { PATH: pathWithProject() } });
    expect(traps.started()).toEqual(['git-of-project']);
  });
});

const pathWithProject = () => [join(plain.path, 'node_modules/.bin'), process.env['PATH'], traps.folder].join(':');

/** Every call that reads a repository. Those that change files come last. */
const calls: [tool: string, args: Record<string, unknown>][] = [
  ['get_patch_coverage', {}],
  ['get_patch_coverage', { base: 'main' }],
  ['caws_status', {}],
  ['caws_evaluate', {}],
  ['caws_iterate', {}],
  ['caws_validate', {}],
  ['caws_diagnose', {}],
  ['caws_quality_monitor', { action: 'file_saved', files: ['plain.txt'] }],
  ['caws_quality_monitor', { action: 'code_edited' }],
  ['caws_quality_monitor', { action: 'test_run' }],
  ['caws_workflow_guidance', { workflowType: 'tdd', currentStep: 1 }],
  ['caws_workflow_guidance', { workflowType: 'refactor', currentStep: 2 }],
  ['caws_workflow_guidance', { workflowType: 'feature', currentStep: 5 }],
  ['caws_test_analysis', { subcommand: 'assess-budget' }],
  ['caws_test_analysis', { subcommand: 'analyze-patterns' }],
  ['caws_test_analysis', { subcommand: 'find-similar' }],
  ['caws_hooks', { subcommand: 'status' }],
  ['caws_hooks', { subcommand: 'status', check: 'pre-commit' }],
  ['caws_hooks', { subcommand: 'status', check: 'commit-msg', messageFile: '.git/COMMIT_EDITMSG' }],
  ['caws_hooks', { subcommand: 'status', check: 'post-commit' }],
  ['caws_hooks', { subcommand: 'status', check: 'pre-push' }],
  ['caws_provenance', { subcommand: 'analyze-ai' }],
  ['caws_provenance', { subcommand: 'init' }],
  ['caws_provenance', { subcommand: 'update' }],
  ['caws_provenance', { subcommand: 'show' }],
  ['caws_provenance', { subcommand: 'verify' }],
  ['caws_waiver_create', { title: 't', reason: 'other', description: 'd', gates: ['budget_limit'] }],
  ['caws_run_tests', {}],
  ['caws_scaffold', {}],
  ['caws_init', {}],
  ['caws_diagnose', { fix: true }],
  ['caws_hooks', { subcommand: 'install' }],
  ['caws_hooks', { subcommand: 'remove' }],
];
const waiver = { expiresAt: '2099-01-01', approvedBy: 'a', impactLevel: 'low', mitigationPlan: 'm' };

const argumentsFor = (repo: Repo, tool: string, args: Record<string, unknown>) => ({
  ...(tool === 'get_patch_coverage' && { lcovPath: join(repo.path, 'coverage/lcov.info'), repoPath: repo.path }),
  ...(tool === 'caws_workflow_guidance' && { context: { workingDirectory: repo.path } }),
  ...(tool.startsWith('caws_') && tool !== 'caws_workflow_guidance' && { workingDirectory: repo.path }),
  ...(tool === 'caws_waiver_create' && waiver),
  ...args,
});

/** What is asked of a server: each call that started a program, and those that were no error. */
async function callAll(client: Connection, repo: Repo): Promise<{ started: string[]; answered: string[] }> {
  const started: string[] = [];
  const answered: string[] = [];
  traps.started();
  for (const [tool, args] of calls) {
    const result = await client.callTool({ name: tool, arguments: argumentsFor(repo, tool, args) });
    const call = [tool, ...Object.values(args)].join(' ');
    if (result.isError !== true) answered.push(call);
    started.push(...traps.started().map((name) => `${call}: ${name}`));
  }
  return { started, answered };
}

describe('a server', () => {
  let client: Connection;
  beforeAll(async () => {
    const env = { ...isolatedGit, PATH: `${process.env['PATH']}:${traps.folder}` };
    client = await connectStdio('modern', { cwd: hostile.path, args: ['--toolsets', 'coverage,standards'], env });
  });
  afterAll(() => client[Symbol.asyncDispose]());

  test('is called by every tool that takes a repository', async () => {
    const { tools } = await client.listTools();
    const reading = tools.filter(({ inputSchema: { properties } = {} }) =>
      ['repoPath', 'workingDirectory', 'context'].some((name) => name in (properties ?? {})),
    );
    expect([...new Set(calls.map(([tool]) => tool))].sort()).toEqual(reading.map(({ name }) => name).sort());
  });

  test('starts no program that settings, attributes, hooks or submodules name', async () => {
    const { started, answered } = await callAll(client, hostile);
    expect(started).toEqual([]);
    expect(traps.running()).toEqual([]);
    // Core paths work, so that nothing is proven by a failure.
    expect(answered).toEqual(expect.arrayContaining(['get_patch_coverage', 'caws_evaluate', 'caws_status']));
    expect(answered).toEqual(expect.arrayContaining(['caws_test_analysis analyze-patterns', 'caws_provenance verify']));
    const args = argumentsFor(hostile, 'caws_evaluate', {});
    const { structuredContent } = await client.callTool({ name: 'caws_evaluate', arguments: args });
    expect(structuredContent).toMatchObject({ evaluation: { overall_status: 'quality_failed' } });
  });

  test('fetches no missing object from a promisor remote, and reports it', async () => {
    const { started } = await callAll(client, partial);
    expect(started).toEqual([]);
    expect(traps.running()).toEqual([]);
    const args = argumentsFor(partial, 'get_patch_coverage', {});
    const { content } = await client.callTool({ name: 'get_patch_coverage', arguments: args });
    expect(content).toMatchObject([{ text: expect.stringContaining('git fetch --refetch --no-filter') }, {}]);
  });
});

describe('a repository that makes git wait forever', () => {
  const gitOf = (repo: Folder) =>
    execFileSync('ps', ['-eo', 'stat=,args='], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.includes(`-C ${repo.path}`) && !line.startsWith('Z'));

  test('leaves no process and no temporary folder when a call is cancelled', async () => {
    await using repo = await plainRepo(traps);
    await using temporary = await newFolder();
    await rm(join(repo.path, '.git/info/exclude'));
    execFileSync('mkfifo', [join(repo.path, '.git/info/exclude')]);
    const env = { ...isolatedGit, TMPDIR: temporary.path };
    await using client = await connectStdio('modern', { args: ['--toolsets', 'coverage,standards'], env });
    for (const name of ['get_patch_coverage', 'caws_status']) {
      const cancelled = new AbortController();
      const call = client.callTool({ name, arguments: argumentsFor(repo, name, {}) }, { signal: cancelled.signal });
      const failed = expect(call).rejects.toThrow();
      await expect.poll(() => gitOf(repo).some((line) => / (?:diff|ls-files) /.test(line))).toBe(true);
      cancelled.abort();
      await failed;
      await expect.poll(() => gitOf(repo)).toEqual([]);
      await expect.poll(() => readdir(temporary.path)).not.toContainEqual(expect.stringMatching(/^assay-git-/));
    }
  });
});

describe('over HTTP', () => {
  test('rejects an object store outside the allowed folders, without its path', async () => {
    await using outer = await newFolder();
    const inOuter = repoAt(outer);
    await outer.write('private/a.txt', 'a\n');
    inOuter.git('init', '-q', '-b', 'main', 'private');
    inOuter.git('-C', 'private', 'add', '-A');
    inOuter.git('-C', 'private', 'commit', '-q', '-m', 'a secret message');
    inOuter.git('clone', '-q', '--shared', 'private', 'allowed/clone');
    await outer.write('allowed/clone/coverage/lcov.info', 'SF:a.txt\nDA:1,1\nend_of_record\n');
    const args = ['--toolsets', 'coverage,standards', '--folders', 'allowed'];
    await using server = await startHttp({ cwd: outer.path, args, env: isolatedGit });
    await using client = await connectHttp('modern', server);
    for (const tool of ['get_patch_coverage', 'caws_status', 'caws_test_analysis']) {
      const path = join(outer.path, 'allowed/clone');
      const given = argumentsFor({ ...inOuter, path }, tool, { ...(tool === 'caws_test_analysis' && analysis) });
      const { content } = await client.callTool({ name: tool, arguments: given });
      const text = JSON.stringify(content);
      expect(text, tool).toMatch(/an alternate object store.*git clone --no-local/);
      expect(text, tool).not.toContain('private');
      expect(text, tool).not.toContain('secret');
    }
  });
  const analysis = { subcommand: 'assess-budget' };
});

describe('with a hostile environment and user configuration', () => {
  const environment = () => ({
    ...Object.assign({}, ...environmentVectors.map((vector) => vector.env?.(traps.programOf(vector)))),
    HOME: home.path,
    PATH: pathWithProject(),
    GIT_AUTHOR_NAME: 'Tester',
    GIT_AUTHOR_EMAIL: 'tester@example.test',
  });

  test('starts no program', async () => {
    const args = ['--toolsets', 'coverage,standards'];
    await using client = await connectStdio('modern', { cwd: plain.path, args, env: environment() });
    for (const repo of [plain, partial]) expect((await callAll(client, repo)).started).toEqual([]);
    expect(traps.running()).toEqual([]);
    const patch = argumentsFor(plain, 'get_patch_coverage', {});
    const { structuredContent } = await client.callTool({ name: 'get_patch_coverage', arguments: patch });
    expect(structuredContent).toMatchObject({ lines: { found: 1, hit: 1 } });
  });

  test.each([
    ['hostile', () => hostile],
    ['partial', () => partial],
    ['plain', () => plain],
  ])('assay ci standards starts no program in the %s repository', async (_, repo) => {
    traps.started();
    const { stdout } = await runAssay(['ci', 'standards'], { cwd: repo().path, env: environment() });
    expect(stdout).toMatch(/^Standards: /m);
    expect(traps.started()).toEqual([]);
    expect(traps.running()).toEqual([]);
  });
});
