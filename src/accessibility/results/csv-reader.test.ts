import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCsv } from './csv-reader.ts';
import { createResultsDir } from './test-support.ts';

async function read(content: string | Uint8Array) {
  const dir = await createResultsDir({ 'a.csv': content });
  const rows: string[][] = [];
  let header: readonly string[] = [];
  const reading = await readCsv(join(dir, 'a.csv'), (columns) => {
    header = columns;
    return (cells) => void rows.push([...cells]);
  });
  return { header, rows, reading };
}

describe('readCsv', () => {
  it('supports byte order marks, both line ends, quotes, commas and newlines in fields', async () => {
    for (const end of ['\r\n', '\n']) {
      const { header, rows } = await read(`\uFEFFa,b${end}"x, ""y""","1\r\n2"${end}${end}z,${end}`);
      expect(header).toEqual(['a', 'b']);
      expect(rows).toEqual([
        ['x, "y"', '1\r\n2'],
        ['z', ''],
      ]);
    }
  });

  it('returns the fields that were written', async () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('"', '\n', '\r\n', ',', '""', 'ü€😀', '\uFEFF'));
    const table = fc.array(fc.array(text, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(table, fc.constantFrom('\r\n', '\n'), async (rows, end) => {
        const quoted = rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','));
        const { rows: back, reading } = await read(`\uFEFFa,b${end}${quoted.map((line) => line + end).join('')}`);
        expect(back).toEqual(rows.map((row) => row.map((cell) => cell.toWellFormed())));
        expect(reading).toEqual({ rows: rows.length, skipped: 0 });
      }),
      { numRuns: 60 },
    );
  });

  it('ignores an unfinished last row, wherever it ends', async () => {
    const whole = 'a,b,c\r\n1,2,3\r\n"4, x","5\r\n5",six\r\n';
    const before = 'a,b,c\r\n1,2,3\r\n'.length;
    for (let length = before; length < whole.length - 5; length++) {
      const { rows, reading } = await read(whole.slice(0, length));
      expect(rows, whole.slice(0, length)).toEqual([['1', '2', '3']]);
      expect(reading.skipped).toBe(0);
    }
  });

  it('reads a complete last row without line end', async () => {
    expect((await read('a,b\n1,2\n3,4')).rows).toHaveLength(2);
  });

  it('continues after a damaged row and reports it', async () => {
    const { rows, reading } = await read('a,b,c\n1,2,3\n4,"torn\n5,6,7\n"8","9",10\n11,12,13\n14,15,16\n');
    expect(reading.skipped).toBeGreaterThan(0);
    expect(rows.at(0)).toEqual(['1', '2', '3']);
    expect(rows.at(-1)).toEqual(['14', '15', '16']);
  });

  it('does not load a file into memory after an unclosed quote', async () => {
    const { rows, reading } = await read(`a,b\n1,2\n"open,${'x'.repeat(10_000_000)}\n`);
    expect(rows).toEqual([['1', '2']]);
    expect(reading.rows).toBe(1);
  });

  it('handles binary data, an empty file and a missing file', async () => {
    expect((await read(new Uint8Array([0xff, 0xfe, 0, 1, 2, 0x22, 0x0a, 0]))).rows).toEqual([]);
    expect((await read('')).reading).toEqual({ rows: 0, skipped: 0 });
    const dir = await createResultsDir({});
    const missing = await readCsv(join(dir, 'none.csv'), () => undefined);
    expect(missing.problem).toBe('no such file or folder');
  });

  it('stops when the rows are not needed, and on abort', async () => {
    const dir = await createResultsDir({ 'a.csv': `a,b\n${'1,2\n'.repeat(200_000)}` });
    expect((await readCsv(join(dir, 'a.csv'), () => undefined)).rows).toBe(0);
    await expect(readCsv(join(dir, 'a.csv'), () => () => {}, AbortSignal.abort())).rejects.toThrow();
  });
});
