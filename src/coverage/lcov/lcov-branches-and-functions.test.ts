import { describe, expect, it } from 'vitest';
import { formatTotalsByPath, scanLcov } from '../test-support/lcov-test-support.ts';

function branches(...lines: string[]): Record<string, string> {
  return formatTotalsByPath(scanLcov(`SF:a\nDA:1,1\n${lines.join('\n')}\nend_of_record\n`, ['branches']), 'branches');
}

function functions(...lines: string[]): Record<string, string> {
  return formatTotalsByPath(scanLcov(`SF:a\nDA:1,1\n${lines.join('\n')}\nend_of_record\n`, ['functions']), 'functions');
}

describe('branches', () => {
  it.each<[string, string[], string]>([
    ['taken and not', ['BRDA:1,0,0,1', 'BRDA:1,0,1,0'], '1/2'],
    ['never reached', ['BRDA:1,0,0,-', 'BRDA:1,0,1,-'], '0/2'],
    ['with text that has commas', ['BRDA:1,0,jump to line 3, then 4,2', 'BRDA:1,0,jump to line 3, then 5,0'], '1/2'],
    ['that handle exceptions', ['BRDA:1,e0,0,1', 'BRDA:1,f0,1,0'], '1/2'],
    ['that are excluded', ['BRDA:1,U0,0,1', 'BRDA:1,eU0,1,0', 'BRDA:1,0,2,1'], '1/1'],
    ['in an unusual form', ['BRDA:1,0,0,0', ' BRDA:1,0,0,1 ', 'BRDA:2,0,0,1e+19', 'BRDA:3,0,0,-\r'], '2/3'],
    ['twice', ['BRDA:1,0,0,0', 'BRDA:1,0,0,4', 'BRDA:1,e0,0,0'], '1/1'],
    ['of the same number on other lines and blocks', ['BRDA:1,0,0,0', 'BRDA:2,0,0,1', 'BRDA:1,1,0,1'], '2/3'],
    ['that contradict their totals', ['BRDA:1,0,0,1', 'BRF:10', 'BRH:10'], '1/1'],
    ['as totals only', ['BRF:4', 'BRH:3'], '3/4'],
    ['as totals that cannot be', ['BRF:4', 'BRH:30'], '4/4'],
    ['on line 0, where functions are left', ['BRDA:0,0,exit,1', 'BRDA:0,1,exit,0', 'BRDA:1,0,0,1'], '2/3'],
    ['none', [], '0/0'],
    [
      'broken',
      ['BRDA:1,0,0', 'BRDA:1,0', 'BRDA:x,0,0,1', 'BRDA:-1,0,0,1', 'BRDA:1,0,0,x', 'BRDA:', 'BRDA:1,0,0,'],
      '0/0',
    ],
  ])('%s', (_, lines, expected) => {
    expect(branches(...lines)).toEqual({ a: expected });
  });

  it('are all counted over many lines', () => {
    const lines = Array.from({ length: 5000 }, (_, n) => `BRDA:${(n % 700) + 1},${n % 3},${n},${n % 2}`);
    expect(branches(...lines, ...lines)).toEqual({ a: '2500/5000' });
  });

  it('are merged over the records of a file', () => {
    const text = 'SF:a\nBRDA:1,0,0,1\nBRDA:1,0,1,0\nSF:b\nBRDA:1,0,0,0\nSF:a\nBRDA:1,0,1,1\nBRDA:9,0,0,-\n';
    expect(formatTotalsByPath(scanLcov(text, ['branches']), 'branches')).toEqual({ a: '2/3', b: '0/1' });
  });
});

describe('functions', () => {
  it.each<[string, string[], string]>([
    ['called and not', ['FN:1,one', 'FN:5,two', 'FNDA:3,one', 'FNDA:0,two'], '1/2'],
    ['with the line of their end', ['FN:1,4,one', 'FN:5,9,two', 'FNDA:3,one', 'FNDA:0,two'], '1/2'],
    [
      'with commas in their names',
      ['FN:1,map<int, int>', 'FNDA:1,map<int, int>', 'FN:2,7,f(a, b)', 'FNDA:0,f(a, b)'],
      '1/2',
    ],
    ['counted before they are declared', ['FNDA:3,one', 'FN:1,one'], '1/1'],
    ['never counted', ['FN:1,one'], '0/1'],
    ['never declared', ['FNDA:1,one', 'FNDA:0,two'], '1/2'],
    ['of one name in two places', ['FN:1,cb', 'FN:9,cb', 'FNDA:0,cb', 'FNDA:2,cb'], '1/2'],
    ['declared twice', ['FN:1,one', 'FN:1,one', 'FNDA:0,one', 'FNDA:2,one'], '1/1'],
    ['in groups', ['FNL:0,1,4', 'FNA:0,0,one', 'FNA:0,2,alias', 'FNL:1,9', 'FNA:1,0,two'], '1/2'],
    ['in groups that begin on one line', ['FNL:0,1,4', 'FNL:1,1,2', 'FNA:0,1,one', 'FNA:1,0,two'], '1/2'],
    ['in groups that are never declared', ['FNA:0,1,one', 'FNA:1,0,two'], '1/2'],
    ['in groups that are counted first', ['FNA:0,2,one', 'FNL:0,1,4'], '1/1'],
    ['that contradict their totals', ['FN:1,one', 'FNDA:1,one', 'FNF:7', 'FNH:7'], '1/1'],
    ['as totals only', ['FNF:4', 'FNH:3'], '3/4'],
    ['none', [], '0/0'],
    [
      'broken',
      ['FN:x,one', 'FN:1', 'FN:', 'FNDA:x,one', 'FNDA:1', 'FNL:x,1', 'FNL:1', 'FNA:1', 'FNX:1,one', 'FNDB:1,a'],
      '0/0',
    ],
  ])('%s', (_, lines, expected) => {
    expect(functions(...lines)).toEqual({ a: expected });
  });

  it('are merged over the records of a file', () => {
    const shard = (one: number, two: number) => `SF:a\nFN:1,one\nFN:2,two\nFNDA:${one},one\nFNDA:${two},two\n`;
    expect(
      formatTotalsByPath(scanLcov(`${shard(1, 0)}end_of_record\n${shard(0, 1)}`, ['functions']), 'functions'),
    ).toEqual({
      a: '2/2',
    });
  });
});

it('skips measures that were not requested', () => {
  const store = scanLcov('SF:a\nBRDA:1,0,0,1\nFN:1,one\nBRF:4\nFNF:4\nDA:1,1\n');
  expect([store.branches, store.functions]).toEqual([undefined, undefined]);
  expect(formatTotalsByPath(store)).toEqual({ a: '1/1' });
});
