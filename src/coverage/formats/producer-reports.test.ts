import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSourceFileLookup } from '../paths/source-file-lookup.ts';
import { formatRanges, uncoveredRanges } from '../report/line-ranges.ts';
import { readReport } from '../report/read-report.ts';
import type { Totals } from '../store/coverage-store.ts';
import { createTestFolder } from '../test-support/lcov-test-support.ts';
import { producerTotals } from '../test-support/producer-reports/totals.ts';

const reportFolder = join(import.meta.dirname, '../test-support/producer-reports');
const readProducerReport = (name: string) => readFile(join(reportFolder, name));
const format = (totals: Totals | undefined) => `${totals?.hit}/${totals?.found}`;

/** A project with the report under a name that says nothing about its format. */
async function readInProject(name: string, sources: Record<string, string>) {
  const cwd = await createTestFolder({ ...sources, 'report.txt': await readProducerReport(name) });
  return { cwd, report: await readReport('report.txt', { cwd, include: ['branches', 'functions'] }) };
}

test.each(producerTotals)('reads the totals of $report as its tool prints them', async (expected) => {
  const { report } = await readInProject(expected.report, {});
  expect(format(report.lines)).toBe(expected.lines);
  if (expected.branches) expect(format(report.branches)).toBe(expected.branches);
  if (expected.functions) expect(format(report.functions)).toBe(expected.functions);
});

test('reads the same lines from the two formats of one run', async () => {
  const gaps = await Promise.all(
    ['coverage-py.xml', 'coverage-py.lcov'].map(async (name) => {
      const { report } = await readInProject(name, {});
      return report.files
        .filter(({ lines }) => lines.found > 0)
        .map((file) => [file.path, formatRanges(uncoveredRanges(file)).text]);
    }),
  );
  expect(gaps[0]).toEqual([['shop/price.py', '5,10-14']]);
  expect(gaps[1]).toEqual(gaps[0]);
});

test('notes the statements that Go counts beside the lines of its blocks', async () => {
  const { report } = await readInProject('go-cover.out', {});
  expect(report.notes).toEqual([
    'Go counts statements: 3 of 10 ran (30 %). The figures here count lines of their blocks.',
  ]);
  // Blocks that ran have lines 4, 5, 8 and 11; the other blocks add 6, 7, 9, 10 and 14 to 19.
  expect(format(report.lines)).toBe('4/14');
});

describe('finds sources in the repository', () => {
  test.each([
    ['go-cover.out', { 'go.mod': 'module example.com/shop\n', 'price/price.go': '' }, 'price/price.go'],
    ['go-cover.out', { 'price/price.go': '' }, 'price/price.go'],
    ['jacoco.xml', { 'src/main/java/shop/Price.java': '' }, 'src/main/java/shop/Price.java'],
    ['coverage-py.xml', { 'shop/price.py': '' }, 'shop/price.py'],
    ['istanbul.json', { 'js/price.js': '' }, 'js/price.js'],
  ])('of %s with %j', async (name, sources, path) => {
    const { cwd, report } = await readInProject(name, sources);
    const lookup = await createSourceFileLookup(report);
    const file = await lookup.locate(join(cwd, path));
    expect(file?.lines.found).toBeGreaterThan(0);
  });

  test('below the folder that a Cobertura report names', async () => {
    const text = (await readProducerReport('coverage-py.xml')).toString();
    const cwd = await createTestFolder({ 'lib/shop/price.py': '', 'shop/other.py': '' });
    const folder = await createTestFolder({ 'report.xml': text.replace('/app/python', join(cwd, 'lib')) });
    const report = await readReport(join(folder, 'report.xml'), { cwd });
    expect(await report.identities()).toContain(join(cwd, 'lib/shop/price.py'));
  });

  test('by the module of go.mod, which names files as the repository does', async () => {
    const { report } = await readInProject('go-cover.out', { 'go.mod': 'module "example.com/shop" // shop\n' });
    expect(report.files.map(({ path }) => path)).toEqual(['price/price.go']);
  });
});
