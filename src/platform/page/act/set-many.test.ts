import { expect, test } from 'vitest';
import type { Ladder } from '../page-model.ts';
import { testPages } from '../test-support.ts';
import { readMany, setMany } from './set-many.ts';
import type { SettableControl } from './settable-control.ts';

const open = testPages();

const ladder = (id: string, role: string, name: string): Ladder => [
  { by: 'id', value: id },
  { by: 'role', role, value: name },
];
const text = (id: string, name: string): SettableControl => ({
  kind: 'text',
  name,
  ladder: ladder(id, 'textbox', name),
});
const labelled = (id: string, name: string) => `<label for="${id}">${name}</label><input id="${id}">`;

test('sets several controls at once, including cards with hidden inputs', async () => {
  const page = await open(`${labelled('a', 'First')}${labelled('b', 'Second')}
    <select id="c" aria-label="County"><option value="">-</option><option value="y">York’s</option></select>
    <input type="radio" name="r" id="yes" style="display:none"><label for="yes"><span>Yes</span><b aria-hidden="true">Yes</b></label>
    <input type="checkbox" id="on"><label for="on">On</label>`);
  const radio: SettableControl = {
    kind: 'radio-group',
    name: 'Sure?',
    ladder: [],
    options: [{ label: 'Yes', value: 'y', ladder: ladder('yes', 'radio', 'Yes') }],
  };
  const done = await setMany(page, [
    { control: text('a', 'First'), value: 'one' },
    { control: text('b', 'Second'), value: 'two' },
    { control: { kind: 'select', name: 'County', ladder: ladder('c', 'combobox', 'County') }, value: "york's" },
    { control: radio, value: 'y' },
    { control: { kind: 'checkbox', name: 'On', ladder: ladder('on', 'checkbox', 'On') }, value: true },
  ]);
  expect(done.map(({ readBack }) => readBack)).toEqual(['one', 'two', 'y', 'y', 'true']);
  await page.locator('#a').fill('changed');
  const again = done.flatMap(({ found }) => found.again ?? []);
  expect(await readMany(again)).toEqual(['changed', 'two', 'y', 'y', 'true']);
});

test.each([
  ['ids that changed places', `${labelled('b', 'First')}${labelled('a', 'Second')}`, ['First', 'Second']],
  ['a look-alike', `${labelled('a', 'Other')}${labelled('x', 'First')}${labelled('b', 'Second')}`, ['First', 'Second']],
  ['an id that is there twice', `${labelled('a', 'First')}${labelled('a', 'First')}`, ['First', 'Second']],
  ['one that is disabled', `<label for="a">First</label><input id="a" disabled>`, ['First', 'Second']],
])('sets nothing where the element is ambiguous: %s', async (_, html, [first = '', second = '']) => {
  const page = await open(html);
  const settings = [
    { control: text('a', first), value: 'one' },
    { control: text('b', second), value: 'two' },
  ];
  expect(await setMany(page, settings)).toEqual([]);
  expect(await page.locator('input').evaluateAll((all) => all.map((each) => Reflect.get(each, 'value')).join(''))).toBe(
    '',
  );
});

test('does not choose a hidden radio button with another label', async () => {
  const page = await open('<input type="radio" id="yes" style="display:none"><label for="yes">No</label>');
  const options = [{ label: 'Yes', value: 'y', ladder: ladder('yes', 'radio', 'Yes') }];
  const control: SettableControl = { kind: 'radio-group', name: 'Sure?', ladder: [], options };
  expect(await setMany(page, [{ control, value: 'y' }])).toEqual([]);
  expect(await page.locator('#yes').isChecked()).toBe(false);
});

test('stops before the first control that it cannot set, and counts reverted values as not set', async () => {
  const page = await open(`${labelled('a', 'First')}${labelled('b', 'Second')}${labelled('c', 'Third')}`);
  await page.evaluate(() => {
    const second = document.querySelector('#b');
    second?.addEventListener('input', () => second.replaceWith(second.cloneNode()));
  });
  const done = await setMany(page, [
    { control: text('a', 'First'), value: 'one' },
    { control: text('b', 'Second'), value: 'two' },
    { control: text('c', 'Third'), value: 'three' },
  ]);
  expect(done.map(({ readBack }) => readBack)).toEqual(['one']);
  expect(await page.locator('#c').inputValue()).toBe('');
});

test('fills a secret only on its own origin', async () => {
  const page = await open(`${labelled('a', 'User')}<label for="p">Password</label><input id="p" type="password">`);
  const password: SettableControl = { kind: 'text', name: 'Password', ladder: [{ by: 'label', value: 'Password' }] };
  const give = (within: string) =>
    setMany(page, [
      { control: { ...text('a', 'User'), within }, value: 'kim' },
      { control: { ...password, within }, value: 's3cret' },
    ]);
  const current = () => page.evaluate(() => [...document.querySelectorAll('input')].map(({ value }) => value));
  expect(await give('http://elsewhere.test')).toEqual([]);
  expect(await current()).toEqual(['', '']);
  expect(await give(await page.evaluate(() => location.origin))).toHaveLength(2);
  expect(await current()).toEqual(['kim', 's3cret']);
});
