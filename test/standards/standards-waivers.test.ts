import { readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { connectStdio } from '../support/assay.ts';
import { governedRepo, putAtBase, specText } from '../support/standards/governed-repo.ts';
import { standardsServer, waiver } from '../support/standards/standards.ts';

const { call, evaluate } = standardsServer();

describe('caws_waiver_create', () => {
  const request = {
    title: 'Emergency security patch',
    reason: 'security_patch',
    description: 'Critical vulnerability requires immediate deployment',
    gates: ['mutation_threshold'],
    expiresAt: '2099-11-01T00:00:00Z',
    approvedBy: 'security-team',
    impactLevel: 'high',
    mitigationPlan: 'Manual testing completed, automated tests to follow',
  };

  test('writes no waiver if its audit line cannot be written', async () => {
    await using repo = await governedRepo();
    await repo.put({ '.caws/waivers/audit.jsonl/taken': '' });
    expect((await call('caws_waiver_create', repo, request)).data).toMatchObject({ success: false, code: 'EINVAL' });
    expect(await readdir(join(repo.path, '.caws/waivers'))).toEqual(['audit.jsonl']);
  });

  test('waives a gate once it is at the base, and adds an audit line', async () => {
    await using repo = await governedRepo();
    await repo.put({ 'reports/mutation/mutation.json': null });
    expect(await evaluate(repo)).toMatchObject({ overall_status: 'quality_failed' });
    const { text, data } = await call('caws_waiver_create', repo, request);
    expect(text).toBe(
      'Waiver created successfully:\nWV-0001 waives mutation_threshold until 2099-11-01T00:00:00.000Z\nFile: .caws/waivers/WV-0001.yaml',
    );
    expect(data).toMatchObject({ success: true, id: 'WV-0001', warnings: [] });
    expect(parse(await readFile(join(repo.path, data.file), 'utf8'))).toMatchObject({
      id: 'WV-0001',
      reason: 'security_patch',
      status: 'active',
      approved_by: 'security-team',
    });
    expect(JSON.parse(await readFile(join(repo.path, '.caws/waivers/audit.jsonl'), 'utf8'))).toMatchObject({
      event: 'waiver_created',
      id: 'WV-0001',
      approved_by: 'security-team',
    });
    expect(await evaluate(repo)).toMatchObject({
      overall_status: 'quality_failed',
      weakenings: [{ kind: 'waiver_added', severity: 'weakening', file: data.file }],
    });
    await putAtBase(repo, { [data.file]: await readFile(join(repo.path, data.file), 'utf8') });
    expect(await evaluate(repo)).toMatchObject({ overall_status: 'quality_passed', weakenings: [] });
  });

  test('gives concurrent callers different ids', async () => {
    await using repo = await governedRepo();
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        call('caws_waiver_create', repo, { ...request, title: `Waiver ${index}` }),
      ),
    );
    const ids = made.map(({ data }) => data.id).sort();
    expect(ids).toEqual(Array.from({ length: 8 }, (_, index) => `WV-000${index + 1}`));
    const titles = await Promise.all(
      ids.map(async (id) => parse(await readFile(join(repo.path, `.caws/waivers/${id}.yaml`), 'utf8')).title),
    );
    expect(new Set(titles).size).toBe(8);
    expect((await readdir(join(repo.path, '.caws/waivers'))).filter((name) => !/^WV-000\d\.yaml$/.test(name))).toEqual([
      'audit.jsonl',
    ]);
  });

  test('accepts an unknown gate with a warning', async () => {
    await using repo = await governedRepo();
    const { data } = await call('caws_waiver_create', repo, {
      ...request,
      gates: ['mutation_score', 'coverage_treshold', 'beauty'],
    });
    expect(data.warnings).toEqual([
      expect.stringMatching(/"mutation_score".*did you mean mutation_threshold\?/),
      expect.stringMatching(/did you mean coverage_threshold\?/),
      expect.stringMatching(/"beauty".*known gates/),
    ]);
  });

  test.each([
    ['expiresAt', '2025-11-01T00:00:00Z', /not in the future/],
    ['expiresAt', 'tomorrow', /not an ISO 8601 time/],
    ['expiresAt', '2099-13-45T00:00:00Z', /not an ISO 8601 time/],
    ['reason', 'because', /reason/],
    ['impactLevel', 'galactic', /impactLevel/],
    ['gates', [], /gates/],
    ['title', '  ', /title/],
  ])('rejects %s %j', async (field, value, message) => {
    await using repo = await governedRepo();
    const { data, isError } = await call('caws_waiver_create', repo, { ...request, [field]: value });
    expect(isError).toBe(true);
    expect(data).toMatchObject({
      success: false,
      error: expect.stringMatching(message),
      command: expect.stringMatching(/^caws waiver/),
      code: 'EINVAL',
    });
    await expect(readdir(join(repo.path, '.caws/waivers'))).rejects.toThrow();
  });

  test('rejects a waiver that is longer than the policy allows', async () => {
    await using repo = await governedRepo();
    await repo.put({ '.caws/policy.yaml': 'waiver_approval: { max_duration_days: 90 }\n' });
    expect((await call('caws_waiver_create', repo, request)).data).toMatchObject({
      code: 'EINVAL',
      error: expect.stringMatching(/allows 90/),
    });
  });
});

describe('resources', () => {
  test('are listed and templated, and give the spec and the waivers', async () => {
    await using repo = await governedRepo();
    await repo.put({
      '.caws/waivers/WV-0001.yaml': stringify(waiver({ expires_at: '2026-01-02T00:00:00.000Z' })),
      'packages/a b/.caws/working-spec.yaml': specText(),
    });
    await using local = await connectStdio('modern', { cwd: repo.path, args: ['--toolsets', 'standards'] });
    const { resources } = await local.listResources();
    const own = resources.filter(({ uri }) => uri.startsWith('caws:'));
    expect(own.map(({ uri, mimeType }) => [uri, mimeType])).toEqual([
      ['caws://working-spec/.caws/working-spec.yaml', 'application/yaml'],
      ['caws://working-spec/packages/a%20b/.caws/working-spec.yaml', 'application/yaml'],
      ['caws://waivers/WV-0001', 'application/json'],
    ]);
    const { resourceTemplates } = await local.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'caws://working-spec/{+path}',
      'caws://waivers/{id}',
      'skill://{+path}',
    ]);
    const read = async (uri: string) => {
      const [content] = (await local.readResource({ uri })).contents;
      return content && 'text' in content ? content.text : '';
    };
    expect(await read('caws://working-spec/.caws/working-spec.yaml')).toBe(specText());
    expect(await read('caws://working-spec/packages/a%20b/.caws/working-spec.yaml')).toBe(specText());
    expect(JSON.parse(await read('caws://waivers/WV-0001'))).toMatchObject({
      title: 'No mutation tests yet',
      status: 'active',
      effective_status: 'expired',
    });
  });

  test('serve only YAML files in a .caws folder of the project', async () => {
    await using repo = await governedRepo();
    await repo.put({ 'secret.yaml': 'a: 1\n', '.caws/plain.txt': 'x' });
    await symlink('/etc/passwd', join(repo.path, '.caws/passwd.yaml'));
    await symlink('/etc', join(repo.path, 'linked'));
    await symlink('../secret.yaml', join(repo.path, '.caws/inner.yaml'));
    await using local = await connectStdio('modern', { cwd: repo.path, args: ['--toolsets', 'standards'] });
    const paths = [
      '/etc/passwd',
      '../../etc/passwd',
      '..%2F..%2Fetc%2Fpasswd',
      '.caws/..%2F..%2Fsecret.yaml',
      '.caws/../secret.yaml',
      '%252e%252e/secret.yaml',
      'secret.yaml',
      '.caws/plain.txt',
      '.caws/passwd.yaml',
      '.caws/inner.yaml',
      'linked/.caws/x.yaml',
      '.caws/working-spec.yaml%00',
      '.caws%5Cworking-spec.yaml',
      '%',
    ];
    for (const path of paths)
      await expect(local.readResource({ uri: `caws://working-spec/${path}` }), path).rejects.toThrow();
    for (const id of ['WV-1', 'WV-0404', '../policy', '..%2Fpolicy'])
      await expect(local.readResource({ uri: `caws://waivers/${id}` }), id).rejects.toThrow();
  });
});
