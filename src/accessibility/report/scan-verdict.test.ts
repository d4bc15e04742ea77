import { expect, test } from 'vitest';
import {
  axeTestRow,
  createResultsDir,
  formatTestCsv,
  resultsRowWithoutIssues,
  testColumns,
} from '../results/test-support.ts';
import { describeExcludedRule, describeFailedAudit, describeUntestedViewport } from '../results/untested-checks.ts';
import { collectScanReport } from './collect-report.ts';
import { renderScanJunit } from './junit-report.ts';
import { renderScanSarif } from './sarif-report.ts';

const home = 'https://example.org/';
const title = { 'title_audit.csv': formatTestCsv(testColumns.title, [{ url: home, audit_id: '1_small', page_id: 1 }]) };

const journal = (partial: string[]) => ({
  'pages.jsonl': `${JSON.stringify({ type: 'page', url: `${home}moved`, final_url: home, outcome: 'scanned', partial })}\n`,
});

test('does not report a page as clean when an audit did not run on it', async () => {
  const failed = describeFailedAudit('axe_core_audit', 'small', 'axe took longer than 15 s');
  const model = await collectScanReport(await createResultsDir({ ...title, ...journal([failed]) }));
  expect(model.verdict).toEqual({
    level: 'unknown',
    word: 'Not fully tested',
    sentence: `No issues found, but 1 of 1 page could not be fully tested: ${failed}.`,
  });
  expect(renderScanJunit(model)).toContain(`<error message="${failed}"`);
  expect(renderScanSarif(model)).toContain(`1 page only partly tested: ${failed}`);
});

test('states in the verdict how many pages were not fully tested', async () => {
  const files = {
    'axe_core_audit.csv': formatTestCsv(testColumns.axe, [axeTestRow({})]),
    ...journal([describeUntestedViewport('medium', 'status 500')]),
  };
  expect((await collectScanReport(await createResultsDir(files))).verdict.sentence).toMatch(
    /on the 1 page\. 1 page could not be fully tested\.$/,
  );
});

test('reports a slow page that was tested as clean', async () => {
  const files = {
    'axe_core_audit.csv': formatTestCsv(testColumns.axe, [resultsRowWithoutIssues(home)]),
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
])('does not report an issue as fixed when it was not tested again: %s', async (what, expected) => {
  const issues = [axeTestRow({ id: 'image-alt' }), axeTestRow({ id: 'color-contrast', html: '<p class="pale">' })];
  const previous = await createResultsDir({ 'axe_core_audit.csv': formatTestCsv(testColumns.axe, issues) }, 'before');
  const dir = await createResultsDir({
    'axe_core_audit.csv': formatTestCsv(testColumns.axe, [resultsRowWithoutIssues(home)]),
    ...journal([what]),
  });
  const { changes } = await collectScanReport(dir, { previous: [{ dir: previous }] });
  expect(changes).toMatchObject(expected);
});

test('does not report an interrupted scan as complete', async () => {
  const cutShort = 'The scan was cancelled before it finished; these are the results so far.';
  const dir = await createResultsDir({
    'axe_core_audit.csv': formatTestCsv(testColumns.axe, [resultsRowWithoutIssues(home)]),
  });
  const model = await collectScanReport(dir, { run: { cutShort } });
  expect(model.verdict).toMatchObject({ level: 'unknown', word: 'Not fully tested' });
  expect(model.verdict.sentence).toMatch(new RegExp(`^No issues found on 1 page\\..* ${cutShort}$`));
  expect(renderScanJunit(model)).toContain(`<error message="${cutShort}"`);
});
