import { describe, expect, test } from 'vitest';
import { testPages } from '../../../platform/page/test-support.ts';
import { readNamedResults } from './read-results.ts';

const open = testPages();

test('skips only the value of a slow pattern and does not try it again', async () => {
  const page = await open(`<p>Grant: 42</p><p>${'\u4e2d'.repeat(60)}?</p>`);
  const pattern = '(?:[\\u4e00-\\u9fff]+)+!';
  const named = {
    lost: { pattern, type: 'text' as const },
    grant: { pattern: 'Grant: (\\d+)', type: 'text' as const },
  };
  const slow = new Set<string>();
  expect((await readNamedResults(page, named, slow)).values).toEqual({ grant: '42' });
  expect([...slow]).toEqual([pattern]);
  expect((await readNamedResults(page, named, slow)).values).toEqual({ grant: '42' });
});

describe('a value by its label', () => {
  const read = async (html: string, how: { label: string; heading?: string }) =>
    (await readNamedResults(await open(html), { it: { ...how, type: 'text' } }, new Set())).values['it'];

  test.each([
    ['in a card', '<div><h3>Grant</h3><p>$5,000</p></div>', { label: 'Grant' }, '$5,000'],
    ['above its label', '<div><b>$5,000</b><span>Grant</span></div>', { label: 'Grant' }, '$5,000'],
    [
      'in a table',
      '<table><thead><tr><td></td><th>Now</th><th>Later</th></tr></thead><tr><th>Grant</th><td>Yes</td><td>No</td></tr></table>',
      { label: 'Grant, Later' },
      'No',
    ],
    ['in a sentence', '<p>You may get <b>$512</b> a month.</p>', { label: 'You may get … a month.' }, '$512'],
    ['with a number of its own', '<dl><dt>Grant at age 62</dt><dd>7</dd></dl>', { label: 'Grant at age *' }, '7'],
    [
      'under its heading',
      '<h2>You</h2><p>Grant: 1</p><h2>Spouse</h2><p>Grant: 2</p>',
      { label: 'Grant', heading: 'Spouse' },
      '2',
    ],
    [
      'under the caption of its table',
      '<table><caption>A</caption><tr><th>Grant</th><td>1</td></tr></table><table><caption>B</caption><tr><th>Grant</th><td>2</td></tr></table>',
      { label: 'Grant', heading: 'B' },
      '2',
    ],
  ])('%s', async (_where, html, how, value) => {
    expect(await read(html, how)).toBe(value);
  });

  test.each([
    [
      'another number of a label that leaves none open',
      '<dl><dt>Grant at age 62</dt><dd>7</dd></dl>',
      'Grant at age 67',
    ],
    ['one of two numbers', '<p>Grant at age 62: 7</p><p>Grant at age 70: 9</p>', 'Grant at age *'],
    ['words for a number', '<p>Grant at age old: 7</p>', 'Grant at age *'],
    ['one of two sums', '<p>You may get $5 or $7 a month.</p>', 'You may get … or $7 a month.'],
    ['a sum in a form', '<form><div><h3>Grant</h3><p>$5,000</p></div></form>', 'Grant'],
    ['a card that cannot be seen', '<div style="opacity:0"><h3>Grant</h3><p>$5,000</p></div>', 'Grant'],
  ])('is not %s', async (_what, html, label) => {
    expect(await read(html, { label })).toBeUndefined();
  });
});
