import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readReport } from '../report/read-report.ts';
import type { CoverageStore, Measure } from '../store/coverage-store.ts';
import {
  addFiles,
  createTestFolder,
  formatLinesByPath,
  formatTotalsByPath,
  scanLcov,
} from '../test-support/lcov-test-support.ts';

const include: Measure[] = ['branches', 'functions'];
const path = fc.constantFrom('a.ts', './a.ts', 'src/b.ts', 'src\\b.ts', '/abs/c.ts', 'C:\\d.ts', '__proto__');
const small = fc.integer({ min: 0, max: 9 });
const count = fc.oneof(small, fc.constantFrom('1e+19', '-3', '0.0', '18446744073709551615', '  2', '1,checksum'));
const lineNumber = fc.oneof(fc.integer({ min: 1, max: 80 }), fc.constantFrom(255, 256, 257, 100_000, 2147483646));

const detail = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(lineNumber, count).map(([line, hits]) => `DA:${line},${hits}`) },
  fc.tuple(fc.constantFrom('LF', 'LH', 'BRF', 'BRH', 'FNF', 'FNH'), small).map(([key, total]) => `${key}:${total}`),
  fc.tuple(lineNumber, small, small, fc.constantFrom('-', '0', '3')).map((fields) => `BRDA:${fields.join(',')}`),
  fc.tuple(small, fc.constantFrom('f', 'g', 'h, i')).map(([line, name]) => `FN:${line + 1},${name}`),
  fc.tuple(small, fc.constantFrom('f', 'g', 'h, i')).map(([hits, name]) => `FNDA:${hits},${name}`),
);

const recordKey =
  /^(?:\uFEFF)?\s*(?:[SK]F|DA|L[FH]|BR(?:DA|F|H)|FN(?:DA|L|A|F|H)?):|^(?:\uFEFF)?\s*end_of_record\s*$|^\0/;
const noise = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.string(),
    fc.constantFrom('', '#', 'TN:x', 'DA 1,1', 'SF', '\r', 'end_of_recor'),
  )
  .filter((line) => !line.includes('\n') && !recordKey.test(line));

const lineEnd = fc.constantFrom('\n', '\r\n', ' \n');
const fullRecord = fc
  .tuple(path, fc.array(detail, { maxLength: 12 }))
  .map(([name, details]) => [`SF:${name}`, ...details, 'end_of_record']);
const report = fc.array(fullRecord, { minLength: 1, maxLength: 4 }).map((records) => records.flat());

/** Everything that is known, in a form that does not depend on the order in which it came. */
function known(store: CoverageStore): unknown {
  const parts = [
    formatLinesByPath(store),
    formatTotalsByPath(store),
    formatTotalsByPath(store, 'branches'),
    formatTotalsByPath(store, 'functions'),
  ];
  return parts.map((part) =>
    Object.fromEntries(
      Object.entries(part)
        .map(([name, value]) => [tidy(name), value])
        .sort(),
    ),
  );
}

function tidy(name: string): string {
  return name.replaceAll('\\', '/').replace('./', '');
}

function outcome(chunks: readonly Uint8Array[]): unknown {
  try {
    return known(scanLcov(chunks, include));
  } catch (error) {
    return String(error);
  }
}

describe('reading LCOV', () => {
  it('does not depend on where the chunks end', () => {
    const text = fc.array(
      fc.oneof(
        detail,
        noise,
        path.map((name) => `SF:${name}`),
        fc.constant('end_of_record'),
      ),
      {
        maxLength: 25,
      },
    );
    fc.assert(
      fc.property(text, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), lineEnd, (lines, sizes, end) => {
        const bytes = Buffer.from(lines.join(end));
        const chunks: Uint8Array[] = [];
        for (let at = 0, next = 0; at < bytes.length; next++) {
          const size = sizes[next % sizes.length] ?? 1;
          chunks.push(new Uint8Array(bytes.subarray(at, at + size)));
          at += size;
        }
        const whole = outcome([bytes]);
        expect(outcome(chunks)).toEqual(whole);
        expect(outcome(Array.from(bytes, (value) => Uint8Array.of(value)))).toEqual(whole);
      }),
      { numRuns: 300 },
    );
  });

  it('ignores noise between records', () => {
    const noisy = fc.array(fc.tuple(fc.nat(), noise), { maxLength: 15 });
    fc.assert(
      fc.property(report, noisy, lineEnd, (lines, added, end) => {
        const mixed = [...lines];
        for (const [at, line] of added) mixed.splice(at % (mixed.length + 1), 0, line);
        expect(known(scanLcov(mixed.join(end), include))).toEqual(known(scanLcov(lines.join('\n'), include)));
      }),
      { numRuns: 500 },
    );
  });

  it('fails only with a parse failure', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 5 }), (chunks) => {
        try {
          scanLcov(chunks, include);
        } catch (error) {
          expect(error).toMatchObject({ code: 'LCOV_PARSE' });
        }
      }),
      { numRuns: 500 },
    );
  });

  it('agrees with counting lines one by one', () => {
    fc.assert(
      fc.property(report, (lines) => {
        const files = new Map<string, Map<number, boolean>>();
        let current = new Map<number, boolean>();
        for (const line of lines) {
          const source = /^SF:(.*)/.exec(line)?.[1];
          if (source) {
            current = files.get(tidy(source)) ?? new Map();
            files.set(tidy(source), current);
          }
          const [, number, hits] = /^DA:(\d+),\s*([^,]+)/.exec(line) ?? [];
          if (number) current.set(Number(number), (current.get(Number(number)) ?? false) || Number(hits) > 0);
        }
        const expected = [...files].map(([name, found]) => {
          const sorted = [...found].sort(([a], [b]) => a - b);
          return [name, sorted.map(([number, hit]) => `${number}${hit ? '+' : '-'}`).join(' ')];
        });
        const actual = Object.entries(formatLinesByPath(scanLcov(lines.join('\n')))).map(([name, text]) => [
          tidy(name),
          text,
        ]);
        expect(actual).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });
});

describe('several reports', () => {
  it('merge to the same result in any order and when concatenated', async () => {
    const cwd = await createTestFolder();
    const absolute = (lines: readonly string[]) => lines.map((line) => line.replace(/^SF:\.\/a/, `SF:${cwd}/a`));
    await fc.assert(
      fc.asyncProperty(report, report, report, async (...reports) => {
        const texts = reports.map((lines) => `${absolute(lines).join('\n')}\n`);
        await addFiles(cwd, { ...Object.fromEntries(texts.entries()), all: texts.join('') });
        const together = await whole('all', cwd);
        expect(await whole(['0', '1', '2'], cwd)).toEqual(together);
        expect(await whole(['2', '1', '0'], cwd)).toEqual(together);
        expect(await whole(['0', '1', '2', '0', 'all'], cwd)).toEqual(together);
      }),
      { numRuns: 200 },
    );
  });
});

/** Everything that is read, by where the files lie. */
async function whole(paths: string | string[], cwd: string): Promise<unknown> {
  const read = await readReport(paths, { cwd, include });
  const identities = await read.identities();
  const files = read.files.map(({ path: _, visitLines, ...totals }, index) => {
    const words: number[][] = [];
    visitLines((...word) => words.push(word));
    return [identities[index] ?? '', { ...totals, words }] as const;
  });
  const { lines, branches, functions } = read;
  return { lines, branches, functions, files: files.sort(([a], [b]) => (a < b ? -1 : 1)) };
}
