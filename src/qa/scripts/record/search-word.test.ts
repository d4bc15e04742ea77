import { expect, test } from 'vitest';
import { hasMoreResults, searchWordCandidates } from './search-word.ts';

test('does not count a repeated search word as a result', () => {
  const nothing = ['Tea Coffee Pottery', 'No results for “zzqxwv”.'];
  expect(hasMoreResults(['Tea Coffee Pottery', 'No results for “coffee”.'], nothing, 'coffee')).toBe(false);
  expect(hasMoreResults(['Tea Coffee Pottery', '2 results', 'Coffee beans'], nothing, 'coffee')).toBe(true);
});

test('takes search words from list items first, then from links and headings', () => {
  const heading = { text: 'Our tea house', live: false, heading: true, main: true, row: false };
  const names = ['Book a room', 'Account', 'Book a table'];
  const items = ['Red kettle', 'Blue kettle', 'Copper spoon', 'Green bowl'];
  expect(searchWordCandidates({ names, lines: [heading], items })).toEqual([
    'kettle',
    'blue',
    'copper',
    'book',
    'room',
    'account',
    'table',
    'house',
  ]);
  expect(searchWordCandidates({ names, lines: [heading], items: [] })[0]).toBe('book');
});
