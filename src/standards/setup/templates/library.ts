import { acceptanceCriterion, formatJson, type ProjectTemplate, testScripts } from './template.ts';

export const library: ProjectTemplate = {
  spec: {
    risk_tier: 2,
    blast_radius: { modules: ['public exports'], data_migration: false },
    operational_rollback_slo: '1h',
    change_budget: { max_files: 20, max_loc: 800 },
    scope: {
      in: ['src/', 'lib/', 'test/', 'docs/options.schema.json', 'package.json', '.gitignore', 'codemods/', '.github/'],
      out: ['examples/', 'node_modules/', 'dist/'],
    },
    invariants: [
      'What a released version exports keeps its name, its arguments and its meaning until the next major version',
      'Importing the library has no side effects',
    ],
    acceptance: [
      acceptanceCriterion(
        'A1',
        'a program that imports the library',
        'it calls an export with valid options',
        'it gets the documented result',
      ),
      acceptanceCriterion(
        'A2',
        'a program that imports the library',
        'it gives an option that is not allowed',
        'an error names the option',
      ),
    ],
    non_functional: { perf: { bundle_size_kb: 50 }, security: ['Options are checked before they are used'] },
    contracts: [
      { type: 'json-schema', path: 'docs/options.schema.json', description: 'The options that callers may give' },
    ],
    rollback: ['Deprecate the broken version and release the last good one under a new number'],
  },
  extraInvariants: ['There are no dependencies at run time'],
  contracts: {
    'docs/options.schema.json': formatJson({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'Options',
      type: 'object',
      properties: { separator: { type: 'string', maxLength: 1, description: 'What stands between two words' } },
      additionalProperties: false,
    }),
  },
  starter: (name) => ({
    'package.json': formatJson({
      name,
      version: '0.1.0',
      type: 'module',
      exports: './src/index.js',
      files: ['src', 'docs'],
      sideEffects: false,
      scripts: testScripts,
    }),
    'src/index.js': `/**
 * The words of a text, fit for an address.
 * @param {string} text
 * @param {{ separator?: string }} [options] see docs/options.schema.json
 */
export function slug(text, { separator = '-' } = {}) {
  if (typeof separator !== 'string' || separator.length > 1) throw new TypeError('separator must be one character');
  return (text.normalize('NFKD').toLowerCase().match(/[a-z0-9]+/g) ?? []).join(separator);
}
`,
    'test/index.test.js': `import assert from 'node:assert/strict';
import test from 'node:test';
import { slug } from '../src/index.js';

test('A1: gives the documented result', () => {
  assert.equal(slug('Hello, World'), 'hello-world');
  assert.equal(slug('Hello, World', { separator: '_' }), 'hello_world');
  assert.equal(slug('?'), '');
});

test('A2: names an option that is not allowed', () => {
  assert.throws(() => slug('a b', { separator: '--' }), { name: 'TypeError', message: /separator/ });
});
`,
  }),
};
