import { expect, test } from 'vitest';
import * as z from 'zod';
import { nearest } from '../platform/nearest.ts';
import { explainArguments, refuseTooMuch } from './arguments.ts';

const schema = z.strictObject({
  lcovPath: z.string().min(1),
  filePaths: z.array(z.string()).optional(),
  limit: z.number().int().min(1).max(500).optional(),
  include: z.array(z.enum(['branches', 'functions'])).optional(),
});

function explain(args: unknown): string {
  const parsed = schema.safeParse(args);
  if (parsed.success) throw new Error('nothing was wrong');
  return explainArguments('the_tool', Object.keys(schema.shape), parsed.error.issues, args).message;
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
    'a value that is not one of those allowed',
    { lcovPath: 'a', include: ['lines'] },
    'Invalid arguments for the_tool: include[0]: Invalid option: expected one of "branches"|"functions", got "lines".',
  ],
  [
    'a mistyped name',
    { lcovPath: 'a', filepaths: [] },
    'Invalid arguments for the_tool: filepaths: unknown argument (did you mean "filePaths"?).',
  ],
  [
    'a name out of nowhere',
    { lcovPath: 'a', verbose: true },
    'Invalid arguments for the_tool: verbose: unknown argument (known: lcovPath, filePaths, limit, include).',
  ],
  ['no object at all', ['a'], 'Invalid arguments for the_tool: arguments must be an object, got ["a"].'],
])('%s is named with its value and what is allowed', (_what, args, message) => {
  expect(explain(args)).toBe(message);
});

test('everything that is wrong is said at once, up to eight problems', () => {
  const message = explain({ lcovPath: 'a', filePaths: Array.from({ length: 100 }, (_, i) => i) });
  expect(message.match(/expected string/g)).toHaveLength(8);
  expect(message).toContain('and 92 more');
});

test('a huge value is cut', () => {
  expect(explain({ lcovPath: ['x'.repeat(1_000_000)] }).length).toBeLessThan(300);
});

test('own and inherited names are not mixed up', () => {
  expect(explain({ lcovPath: 'a', constructor: 1 })).toContain('constructor: unknown argument');
});

test('a near name is found across spelling conventions, a far one is not', () => {
  expect(nearest('lcov-path', ['lcovPath', 'filePaths'])).toBe('lcovPath');
  expect(nearest('get_overal_coverage', ['get_overall_coverage', 'get_file_coverage'])).toBe('get_overall_coverage');
  expect(nearest('banana', ['lcovPath', 'filePaths'])).toBeUndefined();
});

test.each([
  ['a list of millions', Array.from({ length: 1_000_000 }, () => 1)],
  ['an object of many keys', Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, i]))],
  ['deep nesting', JSON.parse(`${'['.repeat(10_000)}${']'.repeat(10_000)}`)],
])('%s is refused before anybody looks inside', (_what, value) => {
  expect(() => refuseTooMuch('the_tool', { value })).toThrow(
    /Invalid arguments for the_tool: they (hold more than 50000|are nested)/,
  );
});

test('what is large but reasonable is let through', () => {
  expect(() => refuseTooMuch('the_tool', { paths: Array.from({ length: 10_000 }, String) })).not.toThrow();
  expect(() => refuseTooMuch('the_tool', undefined)).not.toThrow();
});
