import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import {
  axeTestRow,
  createResultsDir,
  formatTestCsv,
  resultsRowWithoutIssues,
  testColumns,
} from '../../results/test-support.ts';
import { writeTemplateAwareTable } from './template-aware-table.ts';

const page = (number: number) => ({ url: `https://example.org/${number}`, page_id: number });

test('writes one row per issue with the number of its pages, in CWAC format', async () => {
  const footer = (number: number) => axeTestRow({ ...page(number), id: 'link-name', html: '<a class="more">' });
  const dir = await createResultsDir({
    'axe_core_audit.csv': formatTestCsv(testColumns.axe, [
      footer(1),
      footer(1),
      axeTestRow({ ...page(1), html: '<img class="one">' }),
      { ...resultsRowWithoutIssues('https://example.org/2'), page_id: 2, audit_id: '2_small' },
      footer(3),
      axeTestRow({ ...page(3), id: 'link-name', html: '<a class="more">', viewport_size: 'another' }),
    ]),
  });
  await writeTemplateAwareTable(dir);
  const text = await readFile(join(dir, 'axe_core_audit_template_aware.csv'), 'utf8');
  const [header] = text.split('\n');
  expect(header).toBe(`\uFEFF${testColumns.axe.replace('num_issues', 'num_pages,num_issues')}`);
  const rows = parse<Record<string, string>>(text, { bom: true, columns: true });
  const shown = rows.map(({ url, id, num_pages, num_issues }) => [url?.slice(-1), id, num_pages, num_issues]);
  expect(shown).toEqual([
    ['1', 'link-name', '2', '3'],
    ['1', 'image-alt', '1', '1'],
    ['3', 'link-name', '1', '1'],
    ['2', '', '0', '0'],
  ]);
  expect(text.endsWith('No\n')).toBe(true);
});

test('writes no table without axe results', async () => {
  const dir = await createResultsDir({ 'config.json': '{}' });
  await writeTemplateAwareTable(dir);
  await expect(readFile(join(dir, 'axe_core_audit_template_aware.csv'))).rejects.toThrow('ENOENT');
});
