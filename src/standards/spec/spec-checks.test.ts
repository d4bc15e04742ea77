import { expect, test } from 'vitest';
import { specText } from '../../../test/support/standards/governed-repo.ts';
import { checkWorkingSpec } from './working-spec.ts';

const errorsOf = (changes: Record<string, unknown>) =>
  checkWorkingSpec(specText(changes))
    .problems.filter(({ severity }) => severity === 'error')
    .map(({ message }) => message);

const complete = { rollback: ['Deploy the last release'], observability: { logs: ['sums'] } };

test('demands rollback, observability and security of tier 1', () => {
  expect(errorsOf({ risk_tier: 1 })).toEqual(['Tier 1 work needs rollback', 'Tier 1 work needs observability']);
  expect(errorsOf({ risk_tier: 1, ...complete, non_functional: { security: [] } })).toEqual([
    'Tier 1 work needs non_functional.security',
  ]);
  expect(errorsOf({ risk_tier: 1, ...complete })).toEqual([]);
  expect(errorsOf({ risk_tier: 1, mode: 'doc' })).toEqual([]);
  expect(errorsOf({ risk_tier: 2 })).toEqual([]);
});

test.each(['FEAT-1', 'APC-01a', 'SHOP-WEB-12'])('accepts the id %s', (id) => {
  expect(errorsOf({ id })).toEqual([]);
});
