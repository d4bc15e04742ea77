import { expect, test } from 'vitest';
import { saysMore } from './search-word.ts';

test('a page that only repeats the word has found nothing', () => {
  const nothing = ['Tea Coffee Pottery', 'No results for “zzqxwv”.'];
  expect(saysMore(['Tea Coffee Pottery', 'No results for “coffee”.'], nothing, 'coffee')).toBe(false);
  expect(saysMore(['Tea Coffee Pottery', '2 results', 'Coffee beans'], nothing, 'coffee')).toBe(true);
});
