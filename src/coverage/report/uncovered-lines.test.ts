import { describe, expect, it } from 'vitest';
import { createTestFolder, lcovRecord } from '../test-support/lcov-test-support.ts';
import { formatRanges } from './line-ranges.ts';
import { readReport } from './read-report.ts';
import { listUncoveredLines } from './uncovered-lines.ts';

async function reportOf(text: string) {
  return readReport('lcov.info', { cwd: await createTestFolder({ 'lcov.info': text }) });
}

describe('uncovered lines', () => {
  it('are listed as ranges, worst file first, then by path', async () => {
    const report = await reportOf(
      lcovRecord('b.ts', 1, 0, 1, 0, 0) +
        lcovRecord('good.ts', 1, 1) +
        lcovRecord('worst.ts', 0, 0, 0, 0, 1) +
        lcovRecord('a.ts', 0, 1, 0, 0),
    );
    expect(listUncoveredLines(report, { limit: 10 })).toEqual({
      files: [
        { path: 'worst.ts', percent: 20, uncovered: 4, lines: '1-4' },
        { path: 'a.ts', percent: 25, uncovered: 3, lines: '1,3-4' },
        { path: 'b.ts', percent: 40, uncovered: 3, lines: '2,4-5' },
      ],
      totalFiles: 3,
      totalLines: 10,
    });
  });

  it('span lines without code, but never a line that ran', async () => {
    const report = await reportOf(
      'SF:a\nDA:3,0\nDA:7,0\nDA:8,1\nDA:12,0\nDA:31,0\nDA:32,0\nDA:300,0\nDA:301,1\nend_of_record\n',
    );
    expect(listUncoveredLines(report, { limit: 1 }).files).toEqual([
      { path: 'a', percent: 25, uncovered: 6, lines: '3-7,12-300' },
    ]);
  });

  it('are limited, with totals of all files', async () => {
    const report = await reportOf(lcovRecord('a', 0, 0) + lcovRecord('b', 0) + lcovRecord('c', 0));
    const { files, ...totals } = listUncoveredLines(report, { limit: 1 });
    expect(files.map(({ path }) => path)).toEqual(['a']);
    expect(totals).toEqual({ totalFiles: 3, totalLines: 4 });
  });

  it('are those of the requested files', async () => {
    const report = await reportOf(lcovRecord('a', 0, 0) + lcovRecord('b', 0) + lcovRecord('c', 1));
    const files = report.files.slice(1);
    expect(listUncoveredLines(report, { files: [...files, ...files], limit: 5 })).toEqual({
      files: [{ path: 'b', percent: 0, uncovered: 1, lines: '1' }],
      totalFiles: 1,
      totalLines: 1,
    });
  });

  it('are only a number if the report has only totals', async () => {
    const report = await reportOf('SF:a\nLF:10\nLH:4\nend_of_record\n');
    expect(listUncoveredLines(report, { limit: 5 }).files).toEqual([
      { path: 'a', percent: 40, uncovered: 6, lines: '' },
    ]);
  });

  it('of one file are shortened with the number of omitted ranges', async () => {
    const report = await reportOf(lcovRecord('a', ...Array.from({ length: 2000 }, (_, n) => n % 2)));
    const [file] = listUncoveredLines(report, { limit: 1 }).files;
    expect(file?.uncovered).toBe(1000);
    expect(file?.lines.length).toBeLessThanOrEqual(360);
    expect((file?.lines.split(',').length ?? 0) + (file?.moreRanges ?? 0)).toBe(1000);
  });

  it('of a fully covered report are empty', async () => {
    expect(listUncoveredLines(await reportOf(lcovRecord('a', 1)), { limit: 5 })).toEqual({
      files: [],
      totalFiles: 0,
      totalLines: 0,
    });
  });
});

it.each([
  [[], { text: '', more: 0 }],
  [
    [
      [3, 7],
      [12, 12],
    ] as const,
    { text: '3-7,12', more: 0 },
  ],
  [
    [
      [3, 7],
      [12, 12],
      [20, 29],
    ] as const,
    { text: '3-7,12', more: 1 },
  ],
])('ranges %j as text', (ranges, expected) => {
  expect(formatRanges(ranges, 8)).toEqual(expected);
});
