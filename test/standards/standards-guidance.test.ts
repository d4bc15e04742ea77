import { utimes } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Connection, connectStdio } from '../support/assay.ts';
import { type Folder, newFolder } from '../support/folders.ts';
import { isolatedGit, newRepo, type Repo } from '../support/git/repos.ts';

let client: Connection;
beforeAll(async () => {
  client = await connectStdio('modern', { args: ['--toolsets', 'standards'], env: isolatedGit });
});
afterAll(async () => client[Symbol.asyncDispose]());

// biome-ignore lint/suspicious/noExplicitAny: each tool has its own result, and the tests say which
async function call(name: string, args: Record<string, unknown>): Promise<any> {
  const result = await client.callTool({ name, arguments: args });
  const [content] = result.content;
  const text = content?.type === 'text' ? content.text : '';
  return result.isError ? JSON.parse(text) : Object.assign({ text }, result.structuredContent);
}

const spec = `id: FEAT-0001
title: Search by colour of the flower
risk_tier: 3
mode: feature
blast_radius: { modules: [core] }
operational_rollback_slo: 5m
change_budget: { max_files: 2, max_loc: 50 }
scope: { in: [src/, test/] }
invariants: [It works]
acceptance: [{ id: A1, given: a garden, when: a colour is searched, then: flowers are listed }]
non_functional: {}
contracts: []
`;
const junit = (...cases: [name: string, passed: boolean][]) =>
  `<testsuites><testsuite name="s">${cases.map(([name, passed], index) => `<testcase name="${name}" time="${index + 1}">${passed ? '' : '<failure/>'}</testcase>`).join('')}</testsuite></testsuites>`;

const governed = (files: Record<string, string> = {}) =>
  newRepo({ '.caws/working-spec.yaml': spec, '.gitignore': 'reports/\n', 'src/a.js': '1\n', ...files });

async function report(repo: Repo, ...cases: [name: string, passed: boolean][]): Promise<void> {
  const file = await repo.write('reports/junit.xml', junit(...cases));
  const later = new Date(Date.now() + 5000);
  await utimes(file, later, later);
}

describe('caws_workflow_guidance', () => {
  const ask = (workflowType: string, currentStep: number, context?: Record<string, unknown>) =>
    call('caws_workflow_guidance', { workflowType, currentStep, ...(context && { context }) });
  const at = (folder: Folder, more = {}) => ({ workingDirectory: folder.path, ...more });

  test.each([
    ['tdd', 6, 'Write failing test', 'Implement minimal code to pass test'],
    ['refactor', 5, 'Apply refactoring changes', 'Run comprehensive validation'],
    ['feature', 6, 'Design and plan implementation', 'Implement core functionality'],
  ])('lists all steps of %s', async (workflow, steps, second, third) => {
    await using folder = await newFolder();
    const guidance = await ask(workflow, 2, at(folder));
    expect(guidance).toMatchObject({
      workflow_type: workflow,
      current_step: 2,
      total_steps: steps,
      step_description: second,
      next_step: 3,
      next_step_description: third,
    });
    expect(guidance.all_steps).toHaveLength(steps);
    const all = await Promise.all(
      guidance.all_steps.map((_: string, index: number) => ask(workflow, index + 1, at(folder))),
    );
    expect(new Set(all.map((each) => each.guidance)).size).toBe(steps);
    expect(all.at(-1)).toMatchObject({ next_step: null, next_step_description: null });
  });

  test.each([0, 7, -1, 1.5])('rejects step %s', async (step) => {
    expect(await ask('tdd', step)).toMatchObject({
      success: false,
      code: 'EINVAL',
      error: expect.stringContaining('from 1 to 6'),
      command: 'caws workflow-guidance',
    });
  });

  test('reports from the test results whether a step is ready', async () => {
    await using repo = await governed();
    expect(await ask('tdd', 3, at(repo))).toMatchObject({ ready: 'unknown' });
    await report(repo, ['A1: lists', false]);
    expect(await ask('tdd', 3, at(repo))).toMatchObject({ ready: 'yes' });
    expect(await ask('tdd', 5, at(repo))).toMatchObject({
      ready: 'no',
      observations: ['the last report has 1 failing test of 1'],
    });
    await report(repo, ['A1: lists', true]);
    expect(await ask('tdd', 3, at(repo))).toMatchObject({
      ready: 'no',
      caws_recommendations: expect.arrayContaining([expect.stringMatching(/^First: write the failing test/)]),
    });
    expect(await ask('tdd', 5, at(repo))).toMatchObject({ ready: 'yes' });
  });

  test('recommends a spec first if there is none', async () => {
    await using repo = await newRepo({ 'a.txt': '' });
    expect(await ask('feature', 3, at(repo))).toMatchObject({
      ready: 'no',
      observations: ['there is no working spec yet'],
    });
  });

  test('uses the context of the caller', async () => {
    await using folder = await newFolder();
    const [plain, withContext] = [
      await ask('tdd', 2, at(folder)),
      await ask('tdd', 2, at(folder, { complexity: 'high', project_tier: 1, criterion: 'A7', nonsense: [1] })),
    ];
    expect(plain.guidance).not.toContain('A7');
    expect(withContext.guidance).toMatch(/A7.*complex/);
    expect(withContext.caws_recommendations.at(-1)).toContain('Tier 1: 90 % coverage');
  });
});

describe('caws_test_analysis', () => {
  const analyse = (folder: Folder, subcommand: string) =>
    call('caws_test_analysis', { subcommand, workingDirectory: folder.path });

  /** Changes to the scope, each of so many lines. */
  async function withHistory(sizes: number[]): Promise<Repo> {
    const repo = await governed();
    for (const [index, size] of sizes.entries())
      await repo.commit(`feat: part ${index}`, { [`src/part${index}.js`]: 'x\n'.repeat(size) });
    return repo;
  }

  test('reports insufficient data for a short or missing history', async () => {
    await using repo = await withHistory([1, 2]);
    for (const subcommand of ['assess-budget']) {
      const { status, text } = await analyse(repo, subcommand);
      expect([status, text]).toEqual([
        'insufficient_data',
        expect.stringMatching(/^Analysis completed:\ninsufficient_data: 3 past changes/),
      ]);
    }
    await using empty = await newRepo();
    await empty.put({ '.caws/working-spec.yaml': spec });
    await using folder = await newFolder();
    for (const project of [empty, folder])
      for (const subcommand of ['assess-budget', 'analyze-patterns', 'find-similar'])
        expect(await analyse(project, subcommand), subcommand).toMatchObject({
          success: true,
          status: 'insufficient_data',
        });
  });

  test('compares the budget with past changes', async () => {
    await using small = await withHistory([10, 20, 30, 40, 10, 20, 30, 40, 10, 20]);
    await using large = await withHistory([10, 20, 30, 40, 10, 20, 300, 400, 100, 200]);
    const [one, other] = [await analyse(small, 'assess-budget'), await analyse(large, 'assess-budget')];
    expect(one.analysis).toMatchObject({
      compared: 10,
      recommended: { max_files: 1, max_loc: 30 },
      overrun_probability: 0,
    });
    expect(other.analysis).toMatchObject({ recommended: { max_files: 1, max_loc: 200 }, overrun_probability: 0.4 });
    expect(other.analysis.chosen).toBe('mode feature, touching the scope');
  });

  test('distinguishes flaky from fixed and broken tests and lists slow ones', async () => {
    await using repo = await newRepo({ 'src/a.js': '1\n' });
    const runs: boolean[][] = [
      [true, false, false],
      [false, false, false],
      [true, true, false],
      [true, true, false],
    ];
    for (const [index, [shaky = true, repaired = true, broken = true]] of runs.entries())
      await repo.commit('test: run', {
        'reports/junit.xml': `${junit(['shaky', shaky], ['repaired', repaired], ['broken', broken])}<!-- run ${index} -->`,
      });
    const { analysis, text } = await analyse(repo, 'analyze-patterns');
    expect(analysis.runs).toBe(4);
    expect(analysis.flaky).toEqual([
      { name: expect.stringContaining('shaky'), runs: 4, flips: 2, failure_rate: 0.25, quarantine: true },
    ]);
    expect(analysis.slowest[0]).toMatchObject({ name: expect.stringContaining('broken'), seconds: 3 });
    expect(text).toContain('flaky: ');
  });

  test('counts how often tests change with their sources', async () => {
    await using repo = await governed();
    await repo.commit('feat: with', { 'src/a.js': '2\n', 'test/a.test.js': '1\n' });
    await repo.commit('feat: without', { 'src/a.js': '3\n' });
    const { analysis } = await analyse(repo, 'analyze-patterns');
    expect(analysis).toMatchObject({
      changes_to_sources: 3,
      changes_with_tests: 1,
      flaky: null,
      hot_spots: [{ path: 'src/a.js', changes: 3 }],
    });
  });

  test('finds similar past changes with their reverts and fixes', async () => {
    await using repo = await governed();
    const alike = await repo.commit(
      'feat: search flowers by colour',
      { 'src/search.js': 'x\n'.repeat(30) },
      { date: '2026-01-01T00:00:00Z' },
    );
    await repo.commit('fix: search of flowers', { 'src/search.js': 'y\n' }, { date: '2026-01-03T00:00:00Z' });
    await repo.commit('docs: licence', { LICENSE: 'x\n' }, { date: '2026-01-04T00:00:00Z' });
    const { analysis } = await analyse(repo, 'find-similar');
    expect(analysis.similar[0]).toMatchObject({
      commit: alike,
      files: 1,
      lines: 30,
      follow_up_fixes: 1,
      reverted: false,
    });
    expect(analysis.similar.map(({ subject }: { subject: string }) => subject)).not.toContain('docs: licence');
  });

  test('reads a history with submodules, links and odd names', async () => {
    await using inner = await newRepo({ 'x.js': '1\n' });
    await using repo = await governed({ 'src/a"b\nc.js': '1\n' });
    repo.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', inner.path, 'sub');
    await repo.commit('feat: sub', { 'src/a"b\nc.js': '2\n' });
    await repo.commit('feat: again', { 'src/a"b\nc.js': '3\n' });
    const { analysis } = await analyse(repo, 'analyze-patterns');
    expect(analysis.hot_spots).toContainEqual(expect.objectContaining({ path: 'src/a"b\nc.js', changes: 3 }));
  });
});

test('the prompt names only existing tools', async () => {
  const { messages } = await client.getPrompt({
    name: 'build_feature_under_spec',
    arguments: { feature: 'Search "by" colour', workingDirectory: 'here' },
  });
  const [message] = messages;
  const text = message?.content.type === 'text' ? message.content.text : '';
  expect(text).toContain('"Search \\"by\\" colour"');
  expect(text).toContain('workingDirectory "here"');
  const { tools } = await client.listTools();
  for (const name of text.match(/caws_\w+/g) ?? []) expect(tools.map((tool) => tool.name)).toContain(name);
});
