import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commitNewRepository } from '../../platform/git/create-repository.ts';
import { runProgram } from '../../platform/process/run-program.ts';

export interface DemoProject {
  folder: string;
  addDiscount(): Promise<void>;
  testDiscount(): Promise<void>;
}

/** A real git repository with a real test run behind each LCOV report. */
export async function createDemoProject(folder: string): Promise<DemoProject> {
  for (const name of ['src', 'coverage', 'reports', '.caws']) await mkdir(join(folder, name), { recursive: true });
  const source = join(folder, 'src/cart.js');
  const test = join(folder, 'src/cart.test.js');
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n');
  await writeFile(join(folder, '.gitignore'), 'coverage/\nreports/\n');
  await writeFile(join(folder, '.caws/working-spec.yaml'), SPEC);
  const command = [process.execPath, ...TEST_RUN];
  await writeFile(join(folder, '.caws/policy.yaml'), `tests: { command: ${JSON.stringify(command)} }\n`);
  await writeFile(source, CART);
  await writeFile(test, CART_TEST);
  await commitNewRepository(folder, 'Add the cart');
  const measure = () => runTests(folder);
  await measure();
  return {
    folder,
    async addDiscount() {
      await appendFile(source, DISCOUNT);
      await measure();
    },
    testDiscount: () => appendFile(test, DISCOUNT_TEST),
  };
}

const TEST_RUN = [
  '--test',
  '--experimental-test-coverage',
  '--test-coverage-exclude=**/*.test.js',
  '--test-reporter=lcov',
  '--test-reporter-destination=coverage/lcov.info',
  '--test-reporter=junit',
  '--test-reporter-destination=reports/junit.xml',
];

async function runTests(cwd: string): Promise<void> {
  const { code, stderr } = await runProgram(process.execPath, TEST_RUN, { cwd });
  if (code !== 0) throw new Error(`the tests of the demo project ended with code ${code}: ${stderr}`);
}

const SPEC = `id: SHOP-0001
title: A discount for regular customers
risk_tier: 3
mode: feature
blast_radius: { modules: [cart], data_migration: false }
operational_rollback_slo: 1h
scope: { in: [src/, package.json], out: [node_modules/] }
invariants: [A total is never negative]
acceptance:
  - { id: A1, given: a cart, when: it is added up, then: prices count by the number of pieces }
  - { id: A2, given: a discount of more than half, when: it is taken off, then: half of the price is left }
non_functional: { security: [Counts are checked] }
contracts: []
`;

const CART = `export function total(items) {
  let sum = 0;
  for (const { price, count } of items) {
    if (count < 0) {
      throw new RangeError('a count cannot be negative');
    }
    sum += price * count;
  }
  return sum;
}
`;

const CART_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as cart from './cart.js';

test('A1: adds up the prices', () => {
  assert.equal(cart.total([{ price: 2, count: 3 }]), 6);
});
`;

const DISCOUNT = `
export function discounted(items, percent) {
  const sum = total(items);
  if (percent > 50) {
    return sum / 2;
  }
  return sum * (1 - percent / 100);
}
`;

const DISCOUNT_TEST = `
test('A2: takes off the discount, and never more than half', () => {
  const items = [{ price: 10, count: 1 }];
  assert.equal(cart.discounted(items, 10), 9);
  assert.equal(cart.discounted(items, 90), 5);
});
`;
