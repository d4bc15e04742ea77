import { describe, expect, test } from 'vitest';
import { newRepo } from '../support/git/repos.ts';
import { criterion as criterionOf, governedRepo, openapi, specText } from '../support/standards/governed-repo.ts';
import { standardsServer } from '../support/standards/standards.ts';

const { call } = standardsServer();

describe('caws_validate', () => {
  test('reports a valid spec in the words of the specification', async () => {
    await using repo = await governedRepo();
    const { text, data, isError } = await call('caws_validate', repo);
    expect(text).toBe('Validation completed:\n✅ Working spec is valid');
    expect(isError).toBe(false);
    expect(data).toMatchObject({
      success: true,
      valid: true,
      problems: [],
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  const acceptance = (id: unknown) => [criterionOf(id, 'two numbers', 'their sum')];
  test.each<[what: string, changes: Record<string, unknown>, path: string, message: RegExp]>([
    ['a missing field', { mode: undefined }, '/mode', /Missing required field: mode/],
    ['an id without a number', { id: 'sum' }, '/id', /id must be PREFIX-NUMBER/],
    ['a title that says nothing', { title: 'sum' }, '/title', /at least 8 characters/],
    ['a tier out of range', { risk_tier: 4 }, '/risk_tier', /risk_tier must be 1, 2 or 3, got 4/],
    ['an unknown mode', { mode: 'feat' }, '/mode', /must be one of feature, refactor, fix, doc, chore/],
    ['an empty scope', { scope: { in: [] } }, '/scope/in', /at least one path/],
    [
      'a scope that takes out what it takes in',
      { scope: { in: ['src/a/'], out: ['src/'] } },
      '/scope/out/0',
      /excludes all of/,
    ],
    ['a scope that leaves the project', { scope: { in: ['../other'] } }, '/scope/in/0', /leads out of the project/],
    [
      'a criterion twice',
      { acceptance: [...acceptance('A1'), ...acceptance('A1')] },
      '/acceptance/1/id',
      /A1 appears twice/,
    ],
    ['a criterion with a bad id', { acceptance: acceptance('first') }, '/acceptance/0/id', /must be A and a number/],
    ['no contract in tier 2', { contracts: [] }, '/contracts', /Contracts required for Tier 1 and 2/],
    [
      'a contract of an unknown type',
      { contracts: [{ type: 'soap', path: 'a' }] },
      '/contracts/0/type',
      /must be one of openapi/,
    ],
    ['a rollback time in words', { operational_rollback_slo: 'soon' }, '/operational_rollback_slo', /must be a time/],
    ['a budget of nothing', { change_budget: { max_files: 0, max_loc: 5 } }, '/change_budget/max_files', /at least 1/],
    ['a waiver that is none', { waiver_ids: ['W1'] }, '/waiver_ids/0', /must look like WV-0001/],
    ['a missing waiver', { waiver_ids: ['WV-0404'] }, '/waiver_ids/0', /Waiver WV-0404 not found/],
    [
      'performance in words',
      { non_functional: { perf: { lcp_ms: 'fast' } } },
      '/non_functional/perf/lcp_ms',
      /must be a number/,
    ],
  ])('reports %s with its line', async (_, changes, path, message) => {
    await using repo = await newRepo({ '.caws/working-spec.yaml': specText(changes), 'api.yaml': openapi });
    const { isError, data, text } = await call('caws_validate', repo);
    expect(isError).toBe(true);
    expect(data).toMatchObject({ success: false, command: 'caws validate', code: 'EINVAL' });
    expect(JSON.parse(text)).toEqual(data);
    const problem = data.problems.find((one: { severity: string }) => one.severity === 'error');
    expect(problem.message).toMatch(message);
    expect(problem.path).toBe(path);
    const lines = specText(changes).split('\n');
    const key = path.split('/').findLast((part) => !/^\d+$/.test(part) && part !== '') ?? '';
    if (!/Missing/.test(problem.message))
      expect(lines.slice(Math.max(0, problem.line - 3), problem.line).join('\n')).toContain(key);
    expect(data.error).toContain(`.caws/working-spec.yaml:${problem.line}:${problem.column}: error:`);
  });

  test('reports all problems of spec and policy at once with suggestions', async () => {
    await using repo = await newRepo({
      '.caws/working-spec.yaml': specText({ risk_tier: 9, title: 'x', invarients: ['a'], invariants: undefined }),
      '.caws/policy.yaml': 'risk_tiers:\n  1: { max_files: 90 }\n  2: { max_files: 20 }\n',
      'api.yaml': openapi,
    });
    const { data } = await call('caws_validate', repo);
    const messages = data.problems.map(
      ({ file, line, message, suggestion }: Record<string, unknown>) => `${file}:${line} ${message} ${suggestion}`,
    );
    expect(messages).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/working-spec\.yaml:2 title must have at least 8/),
        expect.stringMatching(/working-spec\.yaml:3 risk_tier must be 1, 2 or 3, got 9 Write risk_tier/),
        expect.stringMatching(/Unknown field: invarients Did you mean invariants\?/),
        expect.stringMatching(/policy\.yaml:2 Tier 1 is looser than tier 2: max_files is 90 against 20/),
      ]),
    );
  });

  test.each([
    ['a tab', 'id: FEAT-0001\n\ttitle: x\n', 2],
    ['a key twice', 'id: FEAT-0001\nid: FEAT-0002\n', 2],
    ['an open bracket', 'scope:\n  in: [src\nmode: fix\n', 3],
  ])('reports the line of YAML with %s', async (_, yaml, line) => {
    await using repo = await newRepo({ '.caws/working-spec.yaml': yaml });
    const { data } = await call('caws_validate', repo);
    expect(data.problems[0]).toMatchObject({ line, message: expect.stringMatching(/^Not valid YAML/) });
  });

  test('rejects a missing file, a file outside of the project and a folder', async () => {
    await using repo = await newRepo({ 'a.txt': '' });
    const codes = ['.caws/working-spec.yaml', '../../etc/passwd', '/etc/passwd', '.', 'a\0b'].map(async (specFile) => {
      const { data, isError } = await call('caws_validate', repo, { specFile });
      return [isError, data.success, data.code];
    });
    expect(await Promise.all(codes)).toEqual([
      [true, false, 'ENOENT'],
      [true, false, 'EINVAL'],
      [true, false, 'EINVAL'],
      [true, false, 'EINVAL'],
      [true, false, 'EINVAL'],
    ]);
  });
});
