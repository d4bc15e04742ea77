import { expect, test } from 'vitest';
import { axeTestRow, createResultsDir, formatTestCsv, noIssuesRow, testColumns } from '../results/test-support.ts';
import { describeExcludedRule, describeFailedAudit, describeUntestedViewport } from '../results/untested-checks.ts';
import { collectScanReport } from './collect-report.ts';
import { renderScanJunit } from './junit-report.ts';
import { renderScanSarif } from './sarif-report.ts';

const home = 'https://example.org/';
const title = { 'title_audit.csv': formatTestCsv(testColumns.title, [{ url: home, audit_id: '1_small', page_id: 1 }]) };

const journal = (partial: string[]) => ({
  'pages.jsonl': `${JSON.stringify({ type: 'page', url: `${home}moved`, final_url: home, outcome: 'scanned', partial })}\n`,
});

test('a page on which an audit did not run is not taken for a clean one', async () => {
  const failed = describeFailedAudit('axe_core_audit', 'small', 'axe took longer than 15 s');
  const model = await collectScanReport(await createResultsDir({ ...title, ...journal([failed]) }));
  expect(model.verdict).toEqual({
    level: 'unknown',
    word: 'Not fully tested',
    sentence: `No faults found, but 1 of 1 page could not be tested in full: ${failed}.`,
  });
  expect(renderScanJunit(model)).toContain(`<error message="${failed}"`);
  expect(renderScanSarif(model)).toContain(`1 page only partly tested: ${failed}`);
});

test('a verdict on faults says how many pages were not tested in full', async () => {
  const files = {
    'axe_core_audit.csv': formatTestCsv(testColumns.axe, [axeTestRow({})]),
    ...journal([describeUntestedViewport('medium', 'status 500')]),
  };
  expect((await collectScanReport(await createResultsDir(files))).verdict.sentence).toMatch(
    /on the 1 page\. 1 page could not be tested in full\.$/,
  );
});

test('a page that was slow to load, and tested, is clean', async () => {
  const files = {
    'axe_core_audit.csv': formatTestCsv(testColumns.axe, [noIssuesRow(home)]),
    ...journal(['the page did not finish loading']),
  };
  const model = await collectScanReport(await createResultsDir(files));
  expect(model.verdict.level).toBe('clean');
  expect(renderScanJunit(model)).not.toContain('<error');
});

test.each([
  [describeFailedAudit('axe_core_audit', 'small', 'it failed'), { fixed: 0, not_checked: 2 }],
  [describeUntestedViewport('medium', 'status 500'), { fixed: 0, not_checked: 2 }],
  [describeExcludedRule('color-contrast', 'small'), { fixed: 1, not_checked: 1 }],
  [describeFailedAudit('html_validation', 'small', 'it failed'), { fixed: 2, not_checked: 0 }],
])('what was not tested again is not fixed: %s', async (what, expected) => {
  const faults = [axeTestRow({ id: 'image-alt' }), axeTestRow({ id: 'color-contrast', html: '<p class="pale">' })];
  const previous = await createResultsDir({ 'axe_core_audit.csv': formatTestCsv(testColumns.axe, faults) }, 'before');
  const dir = await createResultsDir({
    'axe_core_audit.csv': formatTestCsv(testColumns.axe, [noIssuesRow(home)]),
    ...journal([what]),
  });
  const { changes } = await collectScanReport(dir, { previous: [{ dir: previous }] });
  expect(changes).toMatchObject(expected);
});

test('a scan that was cut short is not taken for a whole one', async () => {
  const cutShort = 'The scan was cancelled before its end: these are the results so far.';
  const dir = await createResultsDir({ 'axe_core_audit.csv': formatTestCsv(testColumns.axe, [noIssuesRow(home)]) });
  const model = await collectScanReport(dir, { run: { cutShort } });
  expect(model.verdict).toMatchObject({ level: 'unknown', word: 'Not fully tested' });
  expect(model.verdict.sentence).toMatch(new RegExp(`^No faults found on 1 page\\..* ${cutShort}$`));
  expect(renderScanJunit(model)).toContain(`<error message="${cutShort}"`);
});
