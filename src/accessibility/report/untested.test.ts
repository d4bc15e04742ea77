import { expect, test } from 'vitest';
import { axeRow, columns, csv, resultsWith, sentinel } from '../results/test-support.ts';
import { auditFailed, axeWithout, notTestedIn } from '../results/untested.ts';
import { collectReport } from './collect.ts';
import { renderJunit } from './junit.ts';
import { renderSarif } from './sarif.ts';

const home = 'https://example.org/';
const title = { 'title_audit.csv': csv(columns.title, [{ url: home, audit_id: '1_small', page_id: 1 }]) };

const journal = (partial: string[]) => ({
  'pages.jsonl': `${JSON.stringify({ type: 'page', url: `${home}moved`, final_url: home, outcome: 'scanned', partial })}\n`,
});

test('a page on which an audit did not run is not taken for a clean one', async () => {
  const failed = auditFailed('axe_core_audit', 'small', 'axe took longer than 15 s');
  const model = await collectReport(await resultsWith({ ...title, ...journal([failed]) }));
  expect(model.verdict).toEqual({
    level: 'unknown',
    word: 'Not fully tested',
    sentence: `No faults found, but 1 of 1 page could not be tested in full: ${failed}.`,
  });
  expect(renderJunit(model)).toContain(`<error message="${failed}"`);
  expect(renderSarif(model)).toContain(`1 page only partly tested: ${failed}`);
});

test('a verdict on faults says how many pages were not tested in full', async () => {
  const files = {
    'axe_core_audit.csv': csv(columns.axe, [axeRow({})]),
    ...journal([notTestedIn('medium', 'status 500')]),
  };
  expect((await collectReport(await resultsWith(files))).verdict.sentence).toMatch(
    /on the 1 page\. 1 page could not be tested in full\.$/,
  );
});

test('a page that was slow to load, and tested, is clean', async () => {
  const files = {
    'axe_core_audit.csv': csv(columns.axe, [sentinel(home)]),
    ...journal(['the page did not finish loading']),
  };
  const model = await collectReport(await resultsWith(files));
  expect(model.verdict.level).toBe('clean');
  expect(renderJunit(model)).not.toContain('<error');
});

test.each([
  [auditFailed('axe_core_audit', 'small', 'it failed'), { fixed: 0, not_checked: 2 }],
  [notTestedIn('medium', 'status 500'), { fixed: 0, not_checked: 2 }],
  [axeWithout('color-contrast', 'small'), { fixed: 1, not_checked: 1 }],
  [auditFailed('html_validation', 'small', 'it failed'), { fixed: 2, not_checked: 0 }],
])('what was not tested again is not fixed: %s', async (what, expected) => {
  const faults = [axeRow({ id: 'image-alt' }), axeRow({ id: 'color-contrast', html: '<p class="pale">' })];
  const previous = await resultsWith({ 'axe_core_audit.csv': csv(columns.axe, faults) }, 'before');
  const dir = await resultsWith({ 'axe_core_audit.csv': csv(columns.axe, [sentinel(home)]), ...journal([what]) });
  const { changes } = await collectReport(dir, { previous: [{ dir: previous }] });
  expect(changes).toMatchObject(expected);
});

test('a scan that was cut short is not taken for a whole one', async () => {
  const cutShort = 'The scan was cancelled before its end: these are the results so far.';
  const dir = await resultsWith({ 'axe_core_audit.csv': csv(columns.axe, [sentinel(home)]) });
  const model = await collectReport(dir, { run: { cutShort } });
  expect(model.verdict).toMatchObject({ level: 'unknown', word: 'Not fully tested' });
  expect(model.verdict.sentence).toMatch(new RegExp(`^No faults found on 1 page\\..* ${cutShort}$`));
  expect(renderJunit(model)).toContain(`<error message="${cutShort}"`);
});
