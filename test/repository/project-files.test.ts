import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { root } from '../support/assay.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const manifest = JSON.parse(read('package.json'));
const workflows = globSync('.github/workflows/*.yml', { cwd: root });

const stepSchema = z.object({ uses: z.string().optional(), run: z.string().optional() });
const jobSchema = z.object({
  uses: z.string().optional(),
  'timeout-minutes': z.number().optional(),
  steps: z.array(stepSchema).default([]),
});
const workflowSchema = z.object({
  permissions: z.record(z.string(), z.string()),
  concurrency: z.object({ group: z.string() }),
  jobs: z.record(z.string(), jobSchema),
});

describe.each(workflows)('%s', (path) => {
  const text = read(path);
  const { permissions, jobs } = workflowSchema.parse(parse(text));
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  const commands = steps.flatMap(({ run }) => run ?? []);

  test("is accepted by GitHub's own workflow parser", () => {
    const { context } = parseWorkflow({ name: path, content: text }, new NoOperationTraceWriter());
    expect(context.errors.getErrors().map(({ message }) => message)).toEqual([]);
  });

  test('can only read the repository unless a job says otherwise', () => {
    expect(permissions).toEqual({ contents: 'read' });
  });

  test('pins every action to a commit and names its version', () => {
    const used = text.split('\n').filter((line) => /^\s*(- )?uses: /.test(line) && !line.includes('uses: ./'));
    expect(used.length).toBeGreaterThan(0);
    for (const line of used) expect(line).toMatch(/uses: [\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('runs npm scripts and local workflows that exist', () => {
    const scripts = commands.flatMap((command) =>
      [...command.matchAll(/\bnpm (?:run(?: --silent)? ([\w:-]+)|(test))\b/g)].map(
        ([, script, name]) => script ?? name,
      ),
    );
    for (const script of scripts) expect(manifest.scripts).toHaveProperty([script ?? '']);
    const called = Object.values(jobs).flatMap(({ uses }) => uses ?? []);
    for (const file of called) expect(existsSync(join(root, file)), file).toBe(true);
  });

  test('never puts a value from the event into a shell command', () => {
    for (const command of commands) expect(command).not.toContain('${{');
  });
});

test('the test workflow runs npm test on three systems with two Node versions', () => {
  const { jobs } = parse(read('.github/workflows/test.yml'));
  expect(jobs.test.strategy.matrix).toEqual({
    os: ['ubuntu-latest', 'macos-latest', 'windows-latest'],
    node: [20, 24],
  });
  expect(jobs.test.steps).toContainEqual({ name: 'Test', run: 'npm test' });
});

test('the release workflow publishes with provenance, after the tests', () => {
  const { jobs } = parse(read('.github/workflows/release.yml'));
  expect(jobs.publish).toMatchObject({ needs: 'test', permissions: { contents: 'read', 'id-token': 'write' } });
  expect(jobs.publish.steps.at(-1).run).toBe('npm publish --provenance --access public');
  expect(jobs.notes).toMatchObject({ needs: 'publish', permissions: { contents: 'write' } });
});

const label = z.object({ label: z.string() });
const validations = z.strictObject({ required: z.boolean() }).optional();
const field = z.object({ id: z.string().regex(/^[\w-]+$/), validations });
/** https://docs.github.com/communities/using-templates-to-encourage-useful-issues-and-pull-requests/syntax-for-issue-forms */
const issueForm = z.strictObject({
  name: z.string().min(1),
  description: z.string().min(1).max(200),
  labels: z.array(z.string()).min(1),
  body: z
    .array(
      z.discriminatedUnion('type', [
        z.object({ type: z.literal('markdown'), attributes: z.object({ value: z.string() }) }),
        field.extend({ type: z.literal('input'), attributes: label }),
        field.extend({ type: z.literal('textarea'), attributes: label }),
        field.extend({
          type: z.literal('dropdown'),
          attributes: label.extend({ options: z.array(z.string()).min(1) }),
        }),
        field.extend({ type: z.literal('checkboxes'), attributes: label.extend({ options: z.array(label).min(1) }) }),
      ]),
    )
    .min(1),
});

describe('issue forms', () => {
  const forms = globSync('.github/ISSUE_TEMPLATE/[0-9]*.yml', { cwd: root });

  test.each(forms)('%s has the keys that GitHub requires, and unique ids and labels', (path) => {
    const { body } = issueForm.parse(parse(read(path)));
    const fields = body.flatMap((item) => (item.type === 'markdown' ? [] : [item]));
    expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
    expect(new Set(fields.map(({ attributes }) => attributes.label)).size).toBe(fields.length);
    expect(fields.some(({ validations: rules }) => rules?.required)).toBe(true);
  });

  test('exist for bugs, wrong results and features, and ask for every toolset', () => {
    const names = forms.map((path) => issueForm.parse(parse(read(path))).name).sort();
    expect(names).toEqual(['Bug', 'Feature', 'Wrong result']);
    const toolset = issueForm
      .parse(parse(read('.github/ISSUE_TEMPLATE/2-wrong-result.yml')))
      .body.find((item) => item.type === 'dropdown' && item.id === 'toolset');
    const folders = globSync('src/*/tools', { cwd: root }).map((path) => path.split(/[\\/]/)[1]);
    expect(toolset).toMatchObject({ attributes: { options: expect.arrayContaining(folders) } });
  });

  test('send vulnerabilities to the private form', () => {
    const { blank_issues_enabled, contact_links } = parse(read('.github/ISSUE_TEMPLATE/config.yml'));
    expect(blank_issues_enabled).toBe(false);
    expect(contact_links).toContainEqual(
      expect.objectContaining({ url: 'https://github.com/assay-mcp/assay/security/advisories/new' }),
    );
  });
});

test('CODEOWNERS names existing paths and at least one owner for each', () => {
  const lines = read('.github/CODEOWNERS').split('\n');
  for (const line of lines.filter((text) => text !== '' && !text.startsWith('#'))) {
    const [pattern = '', ...owners] = line.split(/\s+/);
    expect(owners.length, line).toBeGreaterThan(0);
    for (const owner of owners) expect(owner).toMatch(/^@[\w-]+(\/[\w-]+)?$/);
    if (pattern !== '*') expect(existsSync(join(root, pattern)), line).toBe(true);
  }
});

test('dependency updates cover every lockfile and leave overrides alone', () => {
  const { updates } = parse(read('.github/dependabot.yml'));
  const [npm, actions] = updates;
  const locked = globSync(['package-lock.json', 'bench/*/package-lock.json'], { cwd: root });
  const folders = locked.map((path) => `/${path.split(/[\\/]/).slice(0, -1).join('/')}`);
  expect(npm.directories.toSorted()).toEqual(folders.toSorted());
  const ignored = npm.ignore.map((rule: { 'dependency-name': string }) => rule['dependency-name']);
  expect(ignored).toEqual(expect.arrayContaining(Object.keys(manifest.overrides)));
  expect(actions['package-ecosystem']).toBe('github-actions');
  for (const update of updates) {
    expect(update.schedule.interval).toBe('weekly');
    expect(Object.keys(update.groups).length).toBeGreaterThan(0);
  }
});

test('package.json and server.json name the same repository as the MCP registry', () => {
  const server = JSON.parse(read('server.json'));
  expect(manifest.mcpName).toBe('io.github.assay-mcp/assay');
  expect(manifest.repository.url).toBe('git+https://github.com/assay-mcp/assay.git');
  expect(server).toMatchObject({
    name: manifest.mcpName,
    repository: { url: 'https://github.com/assay-mcp/assay', source: 'github' },
  });
  expect(manifest.keywords).toContain('mcp-server');
});

test('.nvmrc and package.json ask for the same Node', () => {
  expect(manifest.engines.node).toBe(`>=${read('.nvmrc').trim()}`);
});

test('the index of decisions lists every page', () => {
  const index = read('docs/decisions/README.md');
  const files = globSync('docs/decisions/[0-9]*.md', { cwd: root }).map((path) => path.split(/[\\/]/).at(-1) ?? '');
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    expect(index).toContain(`](${file})`);
    const headings = [...read(`docs/decisions/${file}`).matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(headings, file).toEqual(['Context', 'Decision', 'Consequences', 'Measured']);
  }
});
