import { createWriteStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { expect, it } from 'vitest';
import { axeTestRow, createResultsDir, formatTestCsv, type TestRow, testColumns } from '../results/test-support.ts';
import { writeScanReports } from './write-reports.ts';

const pages = 10_000;
const rowsPerPage = 20;

function* rows(): Generator<TestRow> {
  for (let page = 0; page < pages; page++) {
    for (let position = 0; position < rowsPerPage; position++) {
      yield axeTestRow({
        url: `https://example.org/section-${page % 40}/a-page-with-a-rather-long-name/${page}`,
        page_id: page,
        audit_id: `${page}_${position % 2 ? 'small' : 'medium'}`,
        id: `rule-${position % 12}`,
        impact: ['critical', 'serious', 'moderate', 'minor'][position % 4] ?? '',
        // Every tenth element is unique, the worst case for grouping.
        html: `<a class="${position % 10 ? 'link' : `w${'abcdefghij'[page % 10]}${'klmnopqrst'[(page >> 4) % 10]}${'uvwxyz'[(page >> 7) % 6]}`}" href="/x/${page}/${position}"><span>${'long text '.repeat(6)}</span></a>`,
        target: `/html/body/div[${page % 7}]/main/ul/li[${position}]/a`,
        issue_id: `i${page}x${position}`,
      });
    }
  }
}

function* lines(): Generator<string> {
  let text = formatTestCsv(testColumns.axe, []);
  const start = text.length;
  for (const row of rows()) {
    text += formatTestCsv(testColumns.axe, [row]).slice(start);
    if (text.length < 1_000_000) continue;
    yield text;
    text = '';
  }
  yield text;
}

it('renders ten thousand pages into a bounded page with bounded memory', async () => {
  const dir = await createResultsDir({});
  await pipeline(lines, createWriteStream(join(dir, 'axe_core_audit.csv')));
  expect((await stat(join(dir, 'axe_core_audit.csv'))).size).toBeGreaterThan(70_000_000);
  const before = process.memoryUsage().rss;
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  });
  const { model } = await writeScanReports(dir);
  clearInterval(watch);
  expect(model.numbers).toMatchObject({ issues: pages * rowsPerPage, rules: 12, pages_with_issues: pages });
  expect((await readFile(join(dir, 'report.html'))).length).toBeLessThan(10_000_000);
  expect((await stat(join(dir, 'report_data.json'))).size).toBeLessThan(5_000_000);
  expect(peak - before).toBeLessThan(500_000_000);
});
