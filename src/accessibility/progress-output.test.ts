import { expect, test } from 'vitest';
import { parseProgressOutput } from './progress-output.ts';

test('parses pages done, pages found, speed and remaining time of both engines', () => {
  const ours = 'Number of websites to be scanned: 1\n[3/12] scanned http://a.example/ (axe 2) 1.5 pages/s, 0m 6s left';
  expect(parseProgressOutput(`${ours}\n9 pages of http://a.example/ skipped: why`)).toEqual({
    done: 3,
    total: 12,
    message: '3 of 12 found: scanned http://a.example/ (axe 2) 1.5 pages/s, 0m 6s left',
  });
  const full = 'Error: Cannot write the results: the disk is full.';
  expect(parseProgressOutput(`${ours}\n${full}`)).toEqual({ done: 3, total: 12, message: `3 of 12 found: ${full}` });
  const cwac = '|█-------------------| 5.0% p:1/20 v:0.06p/s t:0h 0m  t-:0h 5m      ';
  expect(parseProgressOutput(cwac)).toEqual({ done: 1, total: 20, message: '1 of 20 found: 0.06 pages/s, 0h 5m left' });
  const begun = 'Assay accessibility scan: x\nNumber of websites to be scanned: 2';
  expect(parseProgressOutput(begun)).toEqual({ done: 0, total: 2, message: '0 of 2 found: opening the first page' });
  expect(parseProgressOutput('')).toEqual({ done: 0, message: 'waiting for the first page' });
});
