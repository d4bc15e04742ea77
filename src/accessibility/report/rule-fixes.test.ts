import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { hasFix } from './rule-fixes.ts';

test('has a fix for each axe rule', () => {
  const axe = z
    .object({ getRules: z.function({ output: z.array(z.looseObject({ ruleId: z.string() })) }) })
    .parse(createRequire(import.meta.url)('axe-core'));
  const rules = axe.getRules().map(({ ruleId }) => ruleId);
  expect(rules.length).toBeGreaterThan(90);
  expect(rules.filter((rule) => !hasFix(rule))).toEqual([]);
});
