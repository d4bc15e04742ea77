import { expect, test } from 'vitest';
import { withoutGiven } from './expectations.ts';
import type { Action } from './model.ts';
import { withoutPassingRows } from './witnessed.ts';

const name: Action = { do: 'fill', on: { name: 'Name', ladder: [{ by: 'name', value: 'name' }] }, value: 'Ada' };

test('the number that the site gives to a record is left open, one that the script opens is not', () => {
  expect(withoutGiven('/customers/38', [{ do: 'goto', url: '/customers/new' }, name])).toBe('/customers/*');
  expect(withoutGiven('/customers/38?saved=1', [{ do: 'goto', url: '/customers/38/edit' }, name])).toBe(
    '/customers/38?saved=1',
  );
  expect(withoutGiven('/orders/10021', [{ do: 'goto', url: '/orders' }])).toBe('/orders/10021');
});

test('rows that were not there when the site was scanned are not expected', () => {
  const line = (text: string) => ({ text, live: false, heading: false, main: true, row: /^\d/.test(text) });
  const rows = ['10021 €22.10', '10022 €23.80', '10023 €55.00'];
  const seen = {
    ...{ url: '', title: '', names: [], invalid: [], hasPasswordField: false, fields: [], marked: [], held: {} },
    counts: { row: 4, listitem: 0, article: 0 },
    lines: ['Your orders', ...rows].map(line),
    items: rows,
  };
  const controls = ['10021', '10022'].map((name) => ({ name, role: 'link', kind: 'link', href: null, ladder: [] }));
  const kept = withoutPassingRows(seen, { class: 'view', controls }, { entered: [], unique: 'aaaa1111' });
  expect(kept.items).toEqual(rows.slice(0, 2));
  expect(kept.lines.map(({ text }) => text)).toEqual(['Your orders', ...rows.slice(0, 2)]);
  expect(withoutPassingRows(seen, { class: 'sort', controls }, { entered: [], unique: 'aaaa1111' })).toBe(seen);
});

test('where it is not about a list, only rows with what was entered are expected', () => {
  const line = (text: string, row = true) => ({ text, live: false, heading: false, main: true, row });
  const seen = {
    ...{
      url: '',
      title: '',
      names: [],
      invalid: [],
      hasPasswordField: false,
      fields: [],
      marked: [],
      held: {},
      items: [],
    },
    counts: { row: 0, listitem: 0, article: 0 },
    lines: [line('The role was changed.', false), line('Viktor View editor'), line('Rosa Admin admin')],
  };
  const about = { class: 'edit' as const, controls: [] };
  const kept = withoutPassingRows(seen, about, { entered: ['editor'], unique: 'aaaa1111' });
  expect(kept.lines.map(({ text }) => text)).toEqual(['The role was changed.', 'Viktor View editor']);
  const made = { ...seen, lines: [line('Viktor View editor'), line('ada.aaaa1111@example.com editor')] };
  const own = withoutPassingRows(made, about, { entered: ['editor'], unique: 'aaaa1111' });
  expect(own.lines.map(({ text }) => text)).toEqual(['ada.aaaa1111@example.com editor']);
});
