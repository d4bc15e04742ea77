import { expect, test } from 'vitest';
import { addReply, completeProposal } from './complete-proposal.ts';

const LONG = 'How many people live in the household of the applicant, counting all children?';
const option = (value: string) => ({ value, label: `Option ${value}`, selector: `#o${value}` });
const field = (name: string, more: object = {}) => ({
  field_id: name,
  label: `Field ${name}`,
  selector: `#${name}`,
  ...more,
});
const page = (fields: object[], more: object = {}) => ({
  page_title: 'Household',
  url_pattern: '/form',
  fields,
  ...more,
});

const proposed = page([
  field('a', { label: LONG, options: ['1', '2', '3', '4'].map(option), locators: ['#a', 'text=a', 'nth=0'] }),
  field('b'),
  field('c'),
  field('d'),
]);
const cutA = field('a', { label: 'How many people…', options: ['1', '2'].map(option), locators: ['#a'] });
const cut = page([cutA, field('b')]);
const shown = addReply(undefined, proposed, { value: cut, skipped: 0 });
const idsOf = ({ metadata }: { metadata: unknown }) =>
  JSON.stringify(metadata)
    .match(/(?<="field_id":")\w+/g)
    ?.join('');

test('completes metadata that is a cut reply as it was', () => {
  expect(completeProposal(cut, shown)).toEqual({ metadata: proposed, added: ['Field c', 'Field d'] });
});

test('keeps what the caller has changed in a cut entry, and completes the rest of it', () => {
  const changed = { ...cutA, field_id: 'people', options: [{ ...option('1'), label: 'One' }, option('2')] };
  const { metadata } = completeProposal(page([changed, field('b')]), shown);
  expect(metadata).toMatchObject({
    fields: [
      {
        field_id: 'people',
        label: LONG,
        options: [{ value: '1', label: 'One' }, option('2'), option('3'), option('4')],
        locators: ['#a', 'text=a', 'nth=0'],
      },
      {},
      {},
      {},
    ],
  });
});

test('leaves out entries that the caller removed after a reply had shown them', () => {
  const { metadata, added } = completeProposal(page([{ ...cutA, options: [option('2')] }]), shown);
  expect(added).toEqual(['Field c', 'Field d']);
  expect(metadata).toMatchObject({ fields: [{ options: ['2', '3', '4'].map(option) }, field('c'), field('d')] });
});

test('adds nothing when replies have shown all fields, together or in full', () => {
  const second = { value: page([field('c'), field('d')]), skipped: 2 };
  const both = addReply(shown, proposed, second);
  expect(idsOf(completeProposal(page([cutA, field('c')]), both))).toBe('ac');
  const full = addReply(shown, proposed, { value: proposed, skipped: 0 });
  expect(idsOf(completeProposal(page([field('b')]), full))).toBe('b');
});

test('puts a field that no reply has shown after its predecessor', () => {
  const last = addReply(shown, proposed, { value: page([field('d')]), skipped: 3 });
  expect(idsOf(completeProposal(page([field('d'), cutA, field('b')]), last))).toBe('dabc');
});

test('adds no field for which the caller wrote its own with one of the selectors', () => {
  const own = { field_id: 'mine', label: 'Mine', selector: '#c' };
  expect(idsOf(completeProposal(page([cutA, field('b'), own]), shown))).toBe('abmined');
});

test('leaves metadata without fields, other keys, and what is no metadata as they are', () => {
  for (const metadata of [{}, { page_title: 'Mine', fields: 'none' }, 'none', null])
    expect(completeProposal(metadata, shown)).toEqual({ metadata, added: [] });
});

test('forgets replies of another page with the same number', () => {
  const other = page([field('x'), field('a')], { page_title: 'Income' });
  const next = addReply(shown, other, { value: page([field('x')], { page_title: 'Income' }), skipped: 0 });
  expect(idsOf(completeProposal(page([field('x')]), next))).toBe('xa');
});
