import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { findNearestName } from '../platform/text/nearest-name.ts';
import { checkArgumentSize, explainArgumentIssues, maxArgumentLength } from './arguments.ts';
import type { ToolContext } from './tool.ts';
import { loadToolset, toolsetNames } from './toolsets.ts';

const schema = z.strictObject({
  lcovPath: z.string().min(1),
  filePaths: z.array(z.string()).optional(),
  limit: z.number().int().min(1).max(500).optional(),
  include: z.array(z.enum(['branches', 'functions'])).optional(),
});

function explain(args: unknown): string {
  const parsed = schema.safeParse(args);
  if (parsed.success) throw new Error('the arguments are valid');
  return explainArgumentIssues('the_tool', Object.keys(schema.shape), parsed.error.issues, args).message;
}

test.each([
  ['a missing argument', {}, 'Invalid arguments for the_tool: lcovPath: missing (expected string).'],
  ['a wrong type', { lcovPath: 5 }, 'Invalid arguments for the_tool: lcovPath: expected string, got 5.'],
  ['null', { lcovPath: null }, 'Invalid arguments for the_tool: lcovPath: expected string, got null.'],
  [
    'an element of a list',
    { lcovPath: 'a', filePaths: ['a', 7] },
    'Invalid arguments for the_tool: filePaths[1]: expected string, got 7.',
  ],
  [
    'a number out of bounds',
    { lcovPath: 'a', limit: 501 },
    'Invalid arguments for the_tool: limit: Too big: expected number to be <=500, got 501.',
  ],
  [
    'a value outside an enum',
    { lcovPath: 'a', include: ['lines'] },
    'Invalid arguments for the_tool: include[0]: Invalid option: expected one of "branches"|"functions", got "lines".',
  ],
  [
    'a mistyped name',
    { lcovPath: 'a', filepaths: [] },
    'Invalid arguments for the_tool: filepaths: unknown argument (did you mean "filePaths"?).',
  ],
  [
    'an unknown name',
    { lcovPath: 'a', verbose: true },
    'Invalid arguments for the_tool: verbose: unknown argument (known: lcovPath, filePaths, limit, include).',
  ],
  [
    'arguments that are not an object',
    ['a'],
    'Invalid arguments for the_tool: arguments must be an object, got ["a"].',
  ],
])('names the value and what is allowed for %s', (_what, args, message) => {
  expect(explain(args)).toBe(message);
});

test('lists all problems at once, at most eight', () => {
  const message = explain({ lcovPath: 'a', filePaths: Array.from({ length: 100 }, (_, i) => i) });
  expect(message.match(/expected string/g)).toHaveLength(8);
  expect(message).toContain('and 92 more');
});

test('shortens a huge value', () => {
  expect(explain({ lcovPath: ['x'.repeat(1_000_000)] }).length).toBeLessThan(300);
});

test('treats inherited property names as unknown arguments', () => {
  expect(explain({ lcovPath: 'a', constructor: 1 })).toContain('constructor: unknown argument');
});

test('suggests a similar name across spelling conventions, and no distant one', () => {
  expect(findNearestName('lcov-path', ['lcovPath', 'filePaths'])).toBe('lcovPath');
  expect(findNearestName('get_overal_coverage', ['get_overall_coverage', 'get_file_coverage'])).toBe(
    'get_overall_coverage',
  );
  expect(findNearestName('banana', ['lcovPath', 'filePaths'])).toBeUndefined();
});

test.each([
  ['a list of millions', Array.from({ length: 1_000_000 }, () => 1)],
  ['an object of many keys', Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, i]))],
  ['deep nesting', JSON.parse(`${'['.repeat(10_000)}${']'.repeat(10_000)}`)],
])('rejects %s before it is parsed', (_what, value) => {
  expect(() => checkArgumentSize('the_tool', { value })).toThrow(
    /Invalid arguments for the_tool: they (hold more than 20000|are nested)/,
  );
});

test('accepts large arguments within the limits', () => {
  expect(() => checkArgumentSize('the_tool', { paths: Array.from({ length: 10_000 }, String) })).not.toThrow();
  expect(() => checkArgumentSize('the_tool', undefined)).not.toThrow();
});

describe('a text over its length limit', () => {
  test.each([
    ['a path', { lcovPath: 'a/'.repeat(2_049) }, 'lcovPath: at most 4096 characters are allowed, got 4098'],
    [
      'a path in a list',
      { files: ['a', 'a'.repeat(4_097)] },
      'files[1]: at most 4096 characters are allowed, got 4097',
    ],
    ['a path in an object', { paths: { to: 'a'.repeat(5_000) } }, 'paths.to: at most 4096 characters'],
    [
      'another text',
      { message: 'a'.repeat(1_048_577) },
      'message: at most 1048576 characters are allowed, got 1048577',
    ],
    ['a text within data', { data: { files: [{ a: 'a'.repeat(2_000_000) }] } }, 'data.files[0].a: at most 1048576'],
    ['the name of an argument', { ['a'.repeat(5_000)]: 1 }, 'a name may have at most 4096 characters, got 5000'],
    ['a key', { data: { ['a'.repeat(5_000)]: 1 } }, 'data: a name may have at most 4096 characters, got 5000'],
    [
      'a list of paths',
      { filePaths: Array.from({ length: 300 }, () => 'a'.repeat(4_000)) },
      'filePaths: all paths together may have at most 1048576 characters',
    ],
    [
      'a list of paths that becomes long when it is shown',
      { filePaths: Array.from({ length: 300 }, () => '\u202e'.repeat(600)) },
      'filePaths: all paths together may have at most 1048576 characters',
    ],
  ])('is rejected with its field and the limit: %s', (_what, args, problem) => {
    const failure = { code: 'INVALID_ARGUMENTS', message: expect.stringContaining(`for the_tool: ${problem}`) };
    expect(() => checkArgumentSize('the_tool', args)).toThrow(expect.objectContaining(failure));
  });

  test('is not quoted, because it may be a secret', () => {
    expect(() => checkArgumentSize('the_tool', { value: 'hunter2'.repeat(1_000_000) })).not.toThrow(/hunter/);
  });

  test('is accepted for a document, which the tool limits itself', () => {
    expect(() => checkArgumentSize('the_tool', { contentBase64: 'A'.repeat(14_000_000) })).not.toThrow();
  });
});

describe('the arguments of all tools', async () => {
  const toolsets = await Promise.all(toolsetNames.map(loadToolset));
  const tools = toolsets.flatMap((toolset) => toolset.tools);
  const names = new Set(tools.flatMap(({ input }) => Object.keys(input.shape)));

  test('have the path limit for exactly these names', () => {
    expect([...names].filter((name) => maxArgumentLength(name) === 4_096).sort()).toEqual([
      'attestation',
      'fileName',
      'filePaths',
      'files',
      'lcovPath',
      'messageFile',
      'otherLcovPaths',
      'path',
      'repoPath',
      'specFile',
      'workingDirectory',
    ]);
  });

  test('have no length limit for documents only', () => {
    expect([...names].filter((name) => maxArgumentLength(name) === Number.POSITIVE_INFINITY)).toEqual([
      'contentBase64',
    ]);
  });

  test('have the path limit where the description says path or folder', () => {
    const described = tools.flatMap(({ input }) =>
      Object.entries(input.shape).filter(([, schema]) => /^(?:paths?|folder|file) /i.test(schema.description ?? '')),
    );
    expect(described.length).toBeGreaterThan(10);
    expect(described.map(([name]) => name).filter((name) => maxArgumentLength(name) !== 4_096)).toEqual([]);
  });
});

test('rejects a call with an overlong path before the tool runs', async () => {
  const { tools } = await loadToolset('coverage');
  const tool = tools.find(({ name }) => name === 'get_file_coverage');
  const filePaths = ['\u202e'.repeat(1_200_000)];
  const context = { checkPath: () => expect.unreachable() } as unknown as ToolContext;
  await expect(tool?.invoke({ lcovPath: 'lcov.info', filePaths }, context)).rejects.toMatchObject({
    code: 'INVALID_ARGUMENTS',
    details: { issues: [{ field: 'filePaths[0]', problem: 'at most 4096 characters are allowed, got 1200000' }] },
  });
});
