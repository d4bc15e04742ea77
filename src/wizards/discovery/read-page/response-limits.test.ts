import { expect, test } from 'vitest';
import { describeOmission, fitErrors, fitFailedActions } from './response-limits.ts';

const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

test.each(['x', '"', '日', '😀'])('cuts long texts of %s and shows at least the first item', (character) => {
  const long = character.repeat(5_000);
  const failed = Array.from({ length: 200 }, (_, i) => ({
    index: i + 1,
    action: 'fill',
    error: long,
    suggestion: long,
  }));
  const errors = Array.from({ length: 100 }, () => ({ message: long, field: long }));
  expect(bytes(fitFailedActions(failed))).toBeLessThanOrEqual(4_002);
  expect(fitFailedActions(failed)[0]).toMatchObject({ index: 1, error: expect.stringContaining('characters)') });
  expect(bytes(fitErrors(errors))).toBeLessThanOrEqual(2_002);
  expect(fitErrors(errors).length).toBeGreaterThan(0);
});

test('keeps short lists without a remark', () => {
  const failed = [{ index: 1, action: 'fill', error: 'No.' }];
  const errors = [{ message: 'Enter a name', field: 'Name' }];
  expect(fitFailedActions(failed)).toEqual(failed);
  expect(fitErrors(errors)).toEqual(errors);
  expect(describeOmission('errors', errors, errors, 'ask again')).toEqual([]);
});

test('counts the omitted items and says how to get them', () => {
  expect(describeOmission('errors', [1], [1, 2, 3], 'full: true returns all of them')).toEqual([
    'Only 1 of 3 errors fit into the response; full: true returns all of them.',
  ]);
});
