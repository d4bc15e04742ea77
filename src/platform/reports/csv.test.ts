import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanText } from '../text/untrusted-text.ts';
import { formatCsvLine, restoreCsvCell } from './csv.ts';

test.each([
  ['=HYPERLINK("http://x.nz","y")', `"'=HYPERLINK(""http://x.nz"",""y"")"`],
  ['+1+cmd|x', `"'+1+cmd|x"`],
  ['-2+3', "'-2+3"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', `"\t'=1"`],
  ['\n=1', `"\n'=1"`],
  ['\r=1', `"\n'=1"`],
  ['\r\n=1', `"\r\n'=1"`],
  ["'\n=1", `"'\n'=1"`],
  [' =1', " '=1"],
  ['x;=1', `"x;'=1"`],
  ['x;"=1"', `"x;""'=1"""`],
  ['x\t@SUM(A1);-2', `"x\t'@SUM(A1);'-2"`],
  ["x; '=1", `"x; ''=1"`],
  ['＝1+1', "'＝1+1"],
  ["'=1", "''=1"],
  ['\u202e=1', "'=1"],
])('turns the formula %j into text', (cell, written) => {
  expect(formatCsvLine([cell])).toBe(written);
});

test('leaves numbers and other text unchanged', () => {
  expect(formatCsvLine([-5, '-5', '+1.5', '-2e-3', 'a=b', "it's", "'tis", ''])).toBe("-5,-5,+1.5,-2e-3,a=b,it's,'tis,");
});

test('leaves no formula at the start of a cell for any separator', () => {
  const cell = fc.stringMatching(/^[-=+@a;|\t\n"', ]{1,8}$/);
  fc.assert(
    fc.property(
      fc.array(cell, { minLength: 1, maxLength: 3 }),
      fc.constantFrom(',', ';', '\t', '|'),
      (cells, delimiter) => {
        const options = { delimiter, relax_quotes: true, relax_column_count: true, skip_records_with_error: true };
        for (const row of parse(`${formatCsvLine(['x', ...cells])}\n`, options))
          for (const read of row) expect(read).not.toMatch(/^["\s]*[=+@-]/);
      },
    ),
  );
});

test('restores every cell as it was before formatting', () => {
  const cell = fc
    .oneof(fc.string(), fc.stringMatching(/^'{0,3}[-=+@\t\n"',;|5 ]{1,6}.?$/))
    .map((text) => cleanText(text));
  fc.assert(
    fc.property(fc.array(cell, { minLength: 2 }), (cells) => {
      const [read] = parse(`${formatCsvLine(cells)}\n`, { record_delimiter: '\n' });
      expect(read?.map(restoreCsvCell)).toEqual(cells);
    }),
  );
});
