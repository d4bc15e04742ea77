import { spawnSync } from 'node:child_process';
import { lstat, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadPolicy } from '../../src/standards/spec/policy.ts';
import { loadWorkingSpec } from '../../src/standards/spec/working-spec.ts';
import { type Connection, connectStdio, type Result } from '../support/assay.ts';
import { type Folder, newFolder } from '../support/folders.ts';
import { isolatedGit, newRepo, repoAt } from '../support/git/repos.ts';

let client: Connection;
beforeAll(async () => {
  client = await connectStdio('modern', { args: ['--toolsets', 'standards'], env: isolatedGit });
});
afterAll(async () => client[Symbol.asyncDispose]());

// biome-ignore lint/suspicious/noExplicitAny: each tool has its own result, and the tests say which
async function call(name: string, args: Record<string, unknown>): Promise<any> {
  const result = await client.callTool({ name, arguments: args });
  const [content] = result.content;
  const answer = JSON.parse(content?.type === 'text' ? content.text : '');
  expect(answer.success).toBe(!result.isError);
  return result.structuredContent ?? answer;
}

const templates = ['extension', 'library', 'api', 'cli'];

async function everyFile(folder: Folder): Promise<string[]> {
  const entries = await readdir(folder.path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.path.length + 1))
    .filter((path) => !/(^|\/)\.git\//.test(path))
    .sort();
}

describe('caws_init', () => {
  test.each(templates)(
    'makes a %s that its own check finds valid, whose tests run, and which the gates can judge',
    async (template) => {
      await using folder = await newFolder();
      const made = await call('caws_init', { projectName: 'My_Thing', template, workingDirectory: folder.path });
      expect(made).toMatchObject({
        success: true,
        message: 'Project initialized successfully',
        projectName: 'my_thing',
        template,
      });
      const root = join(folder.path, 'My_Thing');
      expect(await everyFile({ ...folder, path: root })).toEqual([...made.created].sort());
      for (const path of made.created) expect(made.output).toContain(path);

      const { spec, problems } = await loadWorkingSpec(root);
      expect(problems).toEqual([]);
      expect(spec?.scope.in.length).toBeGreaterThan(0);
      expect((await loadPolicy(root)).problems).toEqual([]);

      const ran = await call('caws_run_tests', { workingDirectory: root });
      expect(ran).toMatchObject({ success: true, command: ['npm', 'test'] });
      const { evaluation } = await call('caws_evaluate', { workingDirectory: root });
      const status = Object.fromEntries(
        evaluation.criteria.map((one: { id: string; status: string }) => [one.id, one.status]),
      );
      expect(status).toMatchObject({
        scope_boundary: 'passed',
        test_results: 'passed',
        acceptance_criteria: 'passed',
        coverage_threshold: 'passed',
      });
      expect(['passed', 'not_applicable']).toContain(status.contract_compliance);
      // A project that begins so meets its own standards, once its tests have run.
      expect(evaluation).toMatchObject({ overall_status: 'quality_passed' });
      const open = evaluation.criteria.filter((one: Result) => one.status === 'failed' || one.status === 'unknown');
      expect(open.map((one: Result) => one.id)).toEqual(['mutation_threshold']);
    },
  );

  test('creates a different project from each template', async () => {
    const specs = new Set<string>();
    const files = new Set<string>();
    for (const template of templates) {
      await using folder = await newFolder();
      const { created } = await call('caws_init', { projectName: 'same', template, workingDirectory: folder.path });
      files.add(created.join());
      specs.add(await readFile(join(folder.path, 'same/.caws/working-spec.yaml'), 'utf8'));
    }
    expect([specs.size, files.size]).toEqual([4, 4]);
  });

  test('detects the kind of project from one file', async () => {
    await using one = await newRepo({ 'package.json': '{"name":"a","main":"src/a.js"}', 'src/a.js': '' });
    await using other = await newRepo({
      'package.json': '{"name":"a","main":"src/a.js"}',
      'src/a.js': '',
      'docs/openapi.yaml': 'openapi: 3.1.0\n',
    });
    const library = await call('caws_init', { workingDirectory: one.path });
    expect(library).toMatchObject({ template: 'library' });
    expect(library.notes).toEqual([
      'template library: no sign of an editor extension, an HTTP service or a command was found',
      expect.stringMatching(/^risk_tier 3, and no contracts: no OpenAPI.*tier 2 needs a contract/),
    ]);
    expect(await call('caws_init', { workingDirectory: other.path })).toMatchObject({ template: 'api' });
    expect((await loadWorkingSpec(one.path)).spec).toMatchObject({
      risk_tier: 3,
      contracts: [],
      scope: { in: expect.arrayContaining(['src/', 'package.json']) },
    });
    expect((await loadWorkingSpec(other.path)).spec).toMatchObject({
      risk_tier: 1,
      contracts: [{ type: 'openapi', path: 'docs/openapi.yaml' }],
    });
  });

  test('uses the conventions of the existing project', async () => {
    await using python = await newRepo({ 'pyproject.toml': '[project]\nname = "shop"\n', 'src/shop/__init__.py': '' });
    await call('caws_init', { workingDirectory: python.path });
    const { spec } = await loadWorkingSpec(python.path);
    expect(spec?.scope.out).toEqual(['.venv/', '**/__pycache__/', 'build/', 'dist/']);
    expect(JSON.stringify(spec)).not.toMatch(/node_modules|bundle|TypeError/);
    expect(await readFile(join(python.path, '.gitignore'), 'utf8')).toMatch(/^\.venv\/\n__pycache__\/\n/);
    await using measured = await newRepo({ 'package.json': '{"name":"a"}', 'stryker.config.json': '{}' });
    await call('caws_init', { workingDirectory: measured.path });
    expect((await loadPolicy(measured.path)).policy.gates.mutation_threshold).toBe('block');
    expect((await loadPolicy(python.path)).policy.gates.mutation_threshold).toBe('warn');
  });

  test.each([
    ['package.json', '{"name":"@shop/cart"}', '@shop/cart'],
    ['pyproject.toml', '[build-system]\nrequires = []\n\n[project]\nversion = "1"\nname = "cart"\n', 'cart'],
    ['Cargo.toml', '[package]\nname = "cart-rs"\n', 'cart-rs'],
    ['go.mod', 'module example.org/cart\n', 'example.org/cart'],
  ])('takes the project name from %s and ignores its reports', async (manifest, content, name) => {
    await using repo = await newRepo({ [manifest]: content });
    await call('caws_init', { workingDirectory: repo.path });
    expect((await loadWorkingSpec(repo.path)).spec?.title).toBe(`Next change of ${name}`);
    await repo.put({ 'lcov.info': 'TN:\n', 'junit.xml': '<testsuites/>', 'coverage/lcov.info': 'TN:\n' });
    expect(repo.git('status', '--porcelain')).not.toMatch(/lcov|junit|coverage/);
  });

  test('keeps existing files and changes nothing the second time', async () => {
    await using folder = await newFolder();
    await folder.write('package.json', '{"bin":"x.js"}');
    await folder.write('.caws/working-spec.yaml', 'mine');
    const first = await call('caws_init', { workingDirectory: folder.path });
    expect(first.skipped).toEqual([{ path: '.caws/working-spec.yaml', reason: 'exists' }]);
    expect(first.notes.join()).toMatch(/not a git repository.*caws_validate/s);
    expect(await readFile(join(folder.path, '.caws/working-spec.yaml'), 'utf8')).toBe('mine');
    expect(first.projectName).toBe(basename(folder.path).toLowerCase());
    expect(await call('caws_init', { workingDirectory: folder.path })).toMatchObject({ created: [] });
  });

  test('creates a git repository for a new folder, but not inside of one', async () => {
    await using folder = await newFolder();
    await call('caws_init', { projectName: 'fresh', template: 'cli', workingDirectory: folder.path });
    expect(repoAt({ ...folder, path: join(folder.path, 'fresh') }).git('rev-parse', '--show-prefix')).toBe('');
    await using repo = await newRepo({ 'a.txt': '' });
    await call('caws_init', { projectName: 'part', template: 'cli', workingDirectory: repo.path });
    expect(repoAt({ ...repo, path: join(repo.path, 'part') }).git('rev-parse', '--show-prefix')).toBe('part/');
  });

  test.each(['../up', 'a/b', '/abs', '', '..', '-rf', 'a b', 'x'.repeat(51), 'nul\0', 'dot.', '.hidden'])(
    'refuses the name %j, and leaves no trace',
    async (projectName) => {
      await using folder = await newFolder();
      expect(await call('caws_init', { projectName, workingDirectory: folder.path })).toMatchObject({
        success: false,
        code: 'EINVAL',
        command: 'caws init',
      });
      expect(await readdir(folder.path)).toEqual([]);
    },
  );

  test('rejects interactive mode', async () => {
    await using folder = await newFolder();
    const { error } = await call('caws_init', { interactive: true, workingDirectory: folder.path });
    expect(error).toMatch(/interactive.*terminal/);
    expect(await readdir(folder.path)).toEqual([]);
  });

  test('reports a missing folder', async () => {
    await using folder = await newFolder();
    expect(await call('caws_init', { workingDirectory: join(folder.path, 'no') })).toMatchObject({ code: 'ENOENT' });
  });

  test('never writes through a link and undoes everything on failure', async () => {
    await using elsewhere = await newFolder();
    await using folder = await newFolder();
    await symlink(elsewhere.path, join(folder.path, '.caws'));
    expect(await call('caws_init', { workingDirectory: folder.path })).toMatchObject({ success: false });
    expect(await readdir(elsewhere.path)).toEqual([]);
    await using second = await newFolder();
    await symlink(elsewhere.path, join(second.path, 'src'));
    expect(await call('caws_init', { template: 'cli', workingDirectory: second.path })).toMatchObject({
      success: false,
    });
    expect(await readdir(elsewhere.path)).toEqual([]);
    expect(await readdir(second.path)).toEqual(['src']);
    await symlink(elsewhere.path, join(folder.path, 'linked'));
    expect(await call('caws_init', { projectName: 'linked', workingDirectory: folder.path })).toMatchObject({
      code: 'EINVAL',
    });
  });
});

describe('caws_scaffold', () => {
  const add = (folder: Folder, options = {}) => call('caws_scaffold', { workingDirectory: folder.path, ...options });

  test('adds missing files, and only spec and policy with minimal', async () => {
    await using repo = await newRepo({ 'go.mod': 'module x\n', 'main.go': 'package main\n' });
    const least = await add(repo, { minimal: true });
    expect(least).toMatchObject({
      message: 'CAWS components scaffolded successfully',
      created: ['.caws/working-spec.yaml', '.caws/policy.yaml'],
      skipped: [],
    });
    expect((await loadWorkingSpec(repo.path)).problems).toEqual([]);
    const rest = await add(repo);
    expect(rest.created).toEqual(['.caws/schemas/working-spec.schema.json', '.caws/README.md', '.gitignore']);
    expect(rest.skipped.map(({ path }: { path: string }) => path)).toEqual(least.created);
    expect(rest.output).toContain('skipped .caws/policy.yaml: exists');
  });

  test('adds only files in the scope of the new spec', async () => {
    await using repo = await newRepo({ 'package.json': '{"name":"a"}', 'src/a.js': '' });
    await add(repo, { withCodemods: true, withOIDC: true });
    const { evaluation } = await call('caws_evaluate', { workingDirectory: repo.path });
    const scope = evaluation.criteria.find(({ id }: { id: string }) => id === 'scope_boundary');
    expect(scope.status, scope.details.join()).toBe('passed');
  });

  test('with force replaces files with backups, but never the spec or .gitignore', async () => {
    await using repo = await newRepo({ 'package.json': '{}', '.gitignore': 'mine\n' });
    await add(repo);
    await repo.put({ '.caws/policy.yaml': 'version: 1\n' });
    const spec = await readFile(join(repo.path, '.caws/working-spec.yaml'), 'utf8');
    await repo.put({ '.caws/working-spec.yaml': spec.replace('FEAT-0001', 'FEAT-0777') });
    expect(await add(repo)).toMatchObject({ created: [], backups: [] });
    const forced = await add(repo, { force: true });
    expect(forced.created).toEqual(['.caws/policy.yaml']);
    const [{ backup }] = forced.backups;
    expect(await readFile(join(repo.path, backup), 'utf8')).toBe('version: 1\n');
    expect((await loadWorkingSpec(repo.path)).spec?.id).toBe('FEAT-0777');
    expect(await readFile(join(repo.path, '.gitignore'), 'utf8')).toBe('mine\n');
  });

  test('rejects a spec that links out of the project without showing its content', async () => {
    await using repo = await newRepo({ 'package.json': '{}' });
    await mkdir(join(repo.path, '.caws'));
    await symlink('/etc/passwd', join(repo.path, '.caws/working-spec.yaml'));
    for (const force of [false, true]) {
      const { success, error } = await add(repo, { force });
      expect([success, error]).toEqual([false, expect.stringContaining('symbolic link')]);
      expect(error).not.toContain('root:');
    }
    expect(await readdir(join(repo.path, '.caws'))).toEqual(['working-spec.yaml']);
  });

  test('replaces a link itself, not what it leads to', async () => {
    await using outside = await newFolder();
    const precious = await outside.write('policy.yaml', 'precious');
    await using repo = await newRepo({ 'package.json': '{}' });
    await mkdir(join(repo.path, '.caws'));
    await symlink(precious, join(repo.path, '.caws/policy.yaml'));
    await add(repo, { force: true, minimal: true });
    expect(await readFile(precious, 'utf8')).toBe('precious');
    expect((await lstat(join(repo.path, '.caws/policy.yaml'))).isFile()).toBe(true);
  });

  describe('codemods', () => {
    const run = (folder: Folder, name: string, ...args: string[]) =>
      spawnSync(process.execPath, [join('codemods', `${name}.mjs`), ...args], { cwd: folder.path, encoding: 'utf8' });

    test('print their changes and write them with --apply', async () => {
      await using repo = await newRepo({ 'package.json': '{}' });
      const before = `import { readFile } from 'fs/promises';\nimport path from "path";\nimport x from './fs';\nimport y from 'fs-extra';\nconst os = require('os');\nawait import('crypto');\nimport 'node:fs';\n`;
      await repo.put({ 'src/a.ts': before, 'node_modules/p/a.js': before });
      await add(repo, { withCodemods: true });
      expect(run(repo, 'node-protocol').stdout).toMatch(/would change src\/a\.ts\n1 file to change/);
      expect(await readFile(join(repo.path, 'src/a.ts'), 'utf8')).toBe(before);
      expect(run(repo, 'node-protocol', '--apply', 'src').status).toBe(0);
      expect(await readFile(join(repo.path, 'src/a.ts'), 'utf8')).toBe(
        `import { readFile } from 'node:fs/promises';\nimport path from "node:path";\nimport x from './fs';\nimport y from 'fs-extra';\nconst os = require('node:os');\nawait import('node:crypto');\nimport 'node:fs';\n`,
      );
      expect(await readFile(join(repo.path, 'node_modules/p/a.js'), 'utf8')).toBe(before);
    });

    test('remove .only from test files only', async () => {
      await using repo = await newRepo({ 'package.json': '{}' });
      const text = `test.only('a', f);\ndescribe.only("b", g);\nfit('c', h);\nit.concurrent.only('d', i);\nmy.test.only('e');\nprofit(1);\n`;
      await repo.put({ 'test/a.test.js': text, 'src/a.js': text });
      await add(repo, { withCodemods: true });
      run(repo, 'unfocus-tests', '--apply');
      expect(await readFile(join(repo.path, 'test/a.test.js'), 'utf8')).toBe(
        `test('a', f);\ndescribe("b", g);\nit('c', h);\nit.concurrent('d', i);\nmy.test.only('e');\nprofit(1);\n`,
      );
      expect(await readFile(join(repo.path, 'src/a.js'), 'utf8')).toBe(text);
    });

    test('add criterion ids to test names', async () => {
      await using repo = await newRepo({ 'package.json': '{}' });
      await repo.put({
        'a.test.js': `test('prints the usage', f);\nit("prints the usage twice", g);\ntest('A1: prints the usage', h);\ntest('else', i);\n`,
      });
      await add(repo, { withCodemods: true });
      expect(run(repo, 'name-criteria', '--apply').status).toBe(2);
      run(repo, 'name-criteria', '--criterion=A1', '--tests=prints the usage', '--apply');
      expect(await readFile(join(repo.path, 'a.test.js'), 'utf8')).toBe(
        `test('A1: prints the usage', f);\nit("A1: prints the usage twice", g);\ntest('A1: prints the usage', h);\ntest('else', i);\n`,
      );
    });
  });

  describe('trusted publishing', () => {
    const workflowOf = async (folder: Folder, name: string) =>
      parse(await readFile(join(folder.path, '.github/workflows', name), 'utf8'));

    test('matches the kind of project', async () => {
      await using node = await newRepo({ 'package.json': '{"name":"a"}', 'package-lock.json': '{}' });
      await using python = await newRepo({ 'pyproject.toml': '[project]\nname = "a"\n' });
      await using closed = await newRepo({ 'package.json': '{"name":"a","private":true}' });
      expect((await add(node, { withOIDC: true })).created).toContain('.github/workflows/publish-npm.yml');
      expect((await add(python, { withOIDC: true })).created).toContain('.github/workflows/publish-pypi.yml');
      const none = await add(closed, { withOIDC: true });
      expect(none.created.join()).not.toContain('workflows');
      expect(none.output).toContain('package.json is private');
    });

    test('uses a short-lived token and no other secret', async () => {
      await using repo = await newRepo({
        'package.json': '{"name":"a"}',
        'package-lock.json': '{}',
        'pyproject.toml': '',
      });
      await add(repo, { withOIDC: true });
      const npm = await workflowOf(repo, 'publish-npm.yml');
      expect(npm.permissions).toEqual({ contents: 'read' });
      expect(npm.jobs.publish.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
      const runs = npm.jobs.publish.steps.flatMap((step: { run?: string }) => step.run ?? []);
      expect(runs).toEqual(['npm ci', 'npm test --if-present', 'npm publish --provenance --access public']);
      const pypi = await workflowOf(repo, 'publish-pypi.yml');
      expect(pypi.jobs.build.permissions).toBeUndefined();
      expect(pypi.jobs.publish).toMatchObject({
        needs: 'build',
        environment: 'release',
        permissions: { 'id-token': 'write' },
      });
      for (const name of ['publish-npm.yml', 'publish-pypi.yml'])
        expect(await readFile(join(repo.path, '.github/workflows', name), 'utf8')).not.toMatch(
          /secrets\.|_TOKEN|password|registry|https?:/i,
        );
    });
  });
});
