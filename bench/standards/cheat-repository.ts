import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { git } from './bench-repository.ts';

/** Files by path; null deletes one. */
export type Files = Record<string, string | null>;

const command = [
  process.execPath,
  '--test',
  '--experimental-test-coverage',
  '--test-coverage-exclude=test/**',
  '--test-reporter=junit',
  '--test-reporter-destination=reports/junit.xml',
  '--test-reporter=lcov',
  '--test-reporter-destination=coverage/lcov.info',
].join(' ');

export const policy = `version: 1
gates:
  mutation_threshold: { mode: skip }
tests: { command: [${command.split(' ').join(', ')}] }
`;

export const spec = `id: FEAT-0001
title: A basket that adds up its prices
risk_tier: 2
mode: feature
blast_radius: { modules: [basket] }
operational_rollback_slo: 5m
scope: { in: [src/, test/, package.json], out: [docs/] }
invariants: [Sums are exact]
acceptance:
  - { id: A1, given: two prices, when: they are added, then: the total is their sum }
  - { id: A2, given: a text, when: it is added, then: it is refused }
non_functional: {}
contracts: [{ type: json-schema, path: contract.json }]
`;

export const oldTest = `import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { names, round } from '../src/old.js';
test('rounds half up', () => {
  equal(round(1.5), 2);
  equal(round(-1.2), -1);
});
test('sorts names', () => deepEqual(names(['b', 'a']), ['a', 'b']));
`;

const base: Files = {
  '.gitignore': 'reports/\ncoverage/\nnode_modules/\n',
  '.caws/policy.yaml': policy,
  '.caws/working-spec.yaml': spec,
  'contract.json': '{"type":"object","properties":{"total":{"type":"number"}}}\n',
  'package.json': `{"type":"module","scripts":{"test":"${command}"}}\n`,
  'src/old.js':
    'export function round(value) {\n  return Math.round(value);\n}\nexport function names(list) {\n  return [...list].sort();\n}\n',
  'test/old.test.js': oldTest,
  'test/__snapshots__/old.snap': 'total: 1\n',
};

export const basket =
  "export function total(prices) {\n  for (const price of prices) {\n    if (typeof price !== 'number') throw new TypeError('price');\n  }\n  return prices.reduce((sum, price) => sum + price, 0);\n}\n";
export const basketTest = `import { equal, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { total } from '../src/basket.js';
test('A1 adds two prices', () => equal(total([1, 2]), 3));
test('A2 refuses a text', () => throws(() => total(['1'])));
`;

/** The finished, honest change that every case starts from. */
export const goodChange: Files = { 'src/basket.js': basket, 'test/basket.test.js': basketTest };

export function putFiles(folder: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    const whole = join(folder, path);
    if (text === null) rmSync(whole, { recursive: true, force: true });
    else {
      mkdirSync(dirname(whole), { recursive: true });
      writeFileSync(whole, text);
    }
  }
}

/** A repository with rules and tests on main and an empty branch for the work. */
export function createCheatRepository(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-cheat-'));
  git(folder, 'init', '-q', '-b', 'main');
  putFiles(folder, { ...base, 'reports/keep': '', 'coverage/keep': '' });
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '-m', 'chore: begin');
  git(folder, 'checkout', '-q', '-b', 'work');
  return folder;
}
