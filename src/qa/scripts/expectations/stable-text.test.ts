import { describe, expect, test } from 'vitest';
import type { ObservedLine, PageObservation } from '../record/page-observation.ts';
import { assertableLines, commonPath, leadingItems, type ObservationPair, removedLines } from './stable-text.ts';

const line = (text: string, facts: Partial<ObservedLine> = {}): ObservedLine => ({
  text,
  live: false,
  heading: false,
  main: true,
  row: false,
  ...facts,
});
const page = (lines: ObservedLine[], facts: Partial<PageObservation> = {}): PageObservation => ({
  url: 'http://site.test/',
  title: '',
  lines,
  names: [],
  counts: { row: 0, listitem: 0, article: 0 },
  invalid: [],
  alerts: [],
  hasPasswordField: false,
  fields: [],
  marked: [],
  items: [],
  itemRole: null,
  fieldValues: {},
  ...facts,
});
const looks = (first: PageObservation, second: PageObservation, before?: PageObservation): ObservationPair => ({
  ...{ first, second, before },
  uniques: ['aaaa1111', 'bbbb2222'],
  entered: [],
  isPrivate: (text) => text.includes('hush'),
});

describe('assertable lines', () => {
  test('are stable and new', () => {
    const before = page([line('Contact')]);
    const first = page([line('Contact'), line('Ticket 4711 was opened'), line('We will answer soon.')]);
    const second = page([line('Contact'), line('Ticket 4712 was opened'), line('We will answer soon.')]);
    expect(assertableLines(looks(first, second, before))).toEqual(['We will answer soon.']);
  });

  test('are more than control names side by side', () => {
    const seen = page([line('Search Search'), line('Search found 3')], { names: ['Search'] });
    expect(assertableLines(looks(seen, seen))).toEqual(['Search found 3']);
  });

  test('exclude data of other tests', () => {
    const seen = page([line('Ada ada.00a88463@example.com lead'), line('38 customers')]);
    expect(assertableLines(looks(seen, seen))).toEqual(['38 customers']);
    const entered = ['A message that a test wrote, {{unique}}.'];
    const note = page([line('A message that a test wrote, 10909144.'), line('Order 10909144')]);
    expect(assertableLines({ ...looks(note, note), entered })).toEqual(['Order 10909144']);
    const welcome = page([line('Welcome, Ada Lovelace.')]);
    expect(assertableLines(looks(welcome, welcome))).toEqual([]);
    expect(assertableLines({ ...looks(welcome, welcome), entered: ['Ada Lovelace'] })).toEqual([
      'Welcome, Ada Lovelace.',
    ]);
  });

  test('exclude a test-given record name above its form', () => {
    const edit = page([line('Edit Ada Lovelace', { heading: true }), line('Item 1 of 3')], {
      fieldValues: { name: 'Ada Lovelace' },
    });
    const entered = ['Ada Lovelace'];
    expect(assertableLines({ ...looks(edit, edit), entered })).toEqual(['Item 1 of 3']);
    const done = page([line('Ada Lovelace was saved', { heading: true })]);
    expect(assertableLines({ ...looks(done, done), entered })).toEqual(['Ada Lovelace was saved']);
  });

  test('include a table row with an entered value even if its cells repeat control names', () => {
    const seen = page([line('Edda Edit editor', { row: true }), line('Edda Edit editor')], {
      names: ['Edda Edit', 'editor'],
    });
    expect(assertableLines(looks(seen, seen))).toEqual([]);
    expect(assertableLines({ ...looks(seen, seen), entered: ['editor'] })).toEqual(['Edda Edit editor']);
  });

  test('include any entered value', () => {
    const first = page([line('Thank you, Ada aaaa1111')]);
    const second = page([line('Thank you, Ada bbbb2222')]);
    expect(assertableLines(looks(first, second))).toEqual(['Thank you, Ada {{unique}}']);
  });

  test('reduce to the entered value if the rest differs between runs', () => {
    const entered = ['Test {{unique}}', 'Low'];
    const first = page([line('#12 Test aaaa1111 just now'), line('13 tickets')]);
    const second = page([line('#13 Test bbbb2222 just now'), line('14 tickets')]);
    expect(assertableLines({ ...looks(first, second), entered })).toEqual(['Test {{unique}}']);
    const sameNumber = page([line('#12 Test bbbb2222 just now')]);
    expect(assertableLines({ ...looks(first, sameNumber), entered })).toEqual(['Test {{unique}}']);
    expect(assertableLines({ ...looks(first, page([line('Nothing')])), entered })).toEqual([]);
    expect(assertableLines({ ...looks(first, second, page([line('Preview: Test aaaa1111')])), entered })).toEqual([]);
  });

  test('start with live regions and exclude control wording, secrets and times', () => {
    const today = new Date().toISOString().slice(0, 10);
    const lines = [
      line('Log in', { heading: true }),
      line('Kept until 14:30'),
      line(`Since ${today}`),
      line('hush hush'),
      line('Total 42.00'),
      line('Saved', { live: true }),
    ];
    const seen = page(lines, { names: ['Log in'] });
    expect(assertableLines(looks(seen, seen))).toEqual(['Saved', 'Total 42.00']);
  });
});

test('lists lines that both observations lost', () => {
  const before = page([line('We use cookies to count visits.'), line('Welcome to this site')]);
  const after = page([line('Welcome to this site')]);
  expect(removedLines(looks(after, after, before), false)).toEqual(['We use cookies to count visits.']);
  const counted = page([line('0 open tickets'), line('Tickets opened: 0'), line('10 Oolong 7.50', { row: true })]);
  expect(removedLines(looks(after, after, counted), false)).toEqual(['10 Oolong 7.50']);
});

test('expects list items in their order', () => {
  const first = page([line('Tea 5'), line('Mug 9'), line('Pot 12')], { items: ['Tea 5', 'Mug 9', 'Pot 12'] });
  expect(leadingItems(looks(first, first))).toBe('Tea 5 Mug 9 Pot 12');
  const reversed = page([line('Pot 12'), line('Mug 9'), line('Tea 5')], { items: ['Pot 12', 'Mug 9', 'Tea 5'] });
  expect(leadingItems(looks(first, reversed))).toBe('Tea 5');
});

test('replaces differing path segments with wildcards', () => {
  expect(commonPath('/orders/17/done', '/orders/18/done')).toBe('/orders/*/done');
  expect(commonPath('/search?q=1', '/search?q=2')).toBe('/search');
  expect(commonPath('/a?x=1', '/a?x=1')).toBe('/a?x=1');
});
