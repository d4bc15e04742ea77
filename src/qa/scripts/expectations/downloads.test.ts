import { expect, test } from 'vitest';
import { expectDownload } from './downloads.ts';

const uniques: [string, string] = ['aaaa1111', 'bbbb2222'];
const isPrivate = (text: string) => text.includes('hunter2');

test.each<[string, [string, string], [string, string], object[]]>([
  ['the same', ['all.csv', 'Name;Sum'], ['all.csv', 'Name;Sum'], [{ file: 'all.csv', begins: 'Name;Sum' }]],
  ['a day in one piece', ['m-20261116.csv', 'Name'], ['m-20261116.csv', 'Name'], [{ file: 'm-*.csv', begins: 'Name' }]],
  [
    'a day in parts',
    ['m_2026_11_16.csv', 'Name'],
    ['m_2026_11_16.csv', 'Name'],
    [{ file: 'm_*_*_*.csv', begins: 'Name' }],
  ],
  [
    'a number of its own',
    ['bill-17.pdf', '%PDF-1.7'],
    ['bill-18.pdf', '%PDF-1.7'],
    [{ file: 'bill-*.pdf', begins: '%PDF-1.7' }],
  ],
  [
    'what one run has entered',
    ['aaaa1111.txt', 'For aaaa1111'],
    ['bbbb2222.txt', 'For bbbb2222'],
    [{ file: '{{unique}}.txt', begins: 'For {{unique}}' }],
  ],
  ['another first line', ['a.txt', 'One'], ['a.txt', 'Two'], [{ file: 'a.txt' }]],
  [
    'a first line of another test',
    ['a.csv', 'Ada 3f9a23a1;active'],
    ['a.csv', 'Ada 3f9a23a1;active'],
    [{ file: 'a.csv' }],
  ],
  ['no text', ['a.zip', 'PK\u0003\u0004'], ['a.zip', 'PK\u0003\u0004'], [{ file: 'a.zip' }]],
  ['a secret in it', ['a.txt', 'hunter2'], ['a.txt', 'hunter2'], [{ file: 'a.txt' }]],
  ['a secret in its name', ['hunter2.txt', 'Hello'], ['hunter2.txt', 'Hello'], []],
  ['another file', ['a.txt', 'Hello'], ['b.txt', 'Hello'], []],
])('expects only the stable parts of a file downloaded twice: %s', (_, one, other, expected) => {
  const [first, second] = [one, other].map(([name, firstLine]) => [{ name, firstLine }]);
  const oracle = 'observed';
  expect(expectDownload({ first: first ?? [], second: second ?? [], uniques, isPrivate })).toEqual(
    expected.map((facts) => ({ do: 'expectDownload', ...facts, oracle })),
  );
});
