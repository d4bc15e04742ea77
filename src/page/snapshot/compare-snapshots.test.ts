import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyChanges, compareSnapshots } from './compare-snapshots.ts';
import type { ElementHandle, PageControl, PageSnapshot } from './page-snapshot.ts';

const names = fc.constantFrom('', 'Name', 'City', 'Send', 'Size');
const parents = fc.constantFrom(null, 'r1', 'r2', 'g1');
const common = { role: fc.constantFrom('textbox', 'button', 'group', 'alert'), name: names, parent: parents };
const numbered = <Part extends object>(prefix: string, parts: readonly Part[]) =>
  parts.map((part, index) => ({ ...part, id: `${prefix}${index + 1}` }));
const list = <Part extends object>(prefix: string, part: Record<string, fc.Arbitrary<unknown>>) =>
  fc.array(fc.record(part), { maxLength: 6 }).map((parts) => numbered(prefix, parts) as unknown as Part[]);

const snapshots = fc.record({
  url: fc.constantFrom('http://a/', 'http://b/'),
  title: names,
  language: fc.constant('en'),
  regions: list<PageSnapshot['regions'][number]>('r', { ...common, isModal: fc.boolean() }),
  groups: list<PageSnapshot['groups'][number]>('g', { ...common, description: names, error: names }),
  controls: list<PageControl>('c', {
    ...common,
    value: fc.oneof(names, fc.boolean(), fc.array(names)),
    error: names,
    locators: fc.array(fc.record({ by: fc.constantFrom('id', 'css'), value: names }), { maxLength: 2 }),
    element: fc.constantFrom('x', 'y'),
  }),
  unknown: list<PageSnapshot['unknown'][number]>('u', { ...common, reason: names }),
  messages: list<PageSnapshot['messages'][number]>('m', { ...common, text: names }),
  data: list<PageSnapshot['data'][number]>('d', {
    ...common,
    kind: fc.constant('row'),
    level: fc.constant(0),
    texts: fc.array(names),
  }),
  omitted: fc.array(names, { maxLength: 2 }),
}) as fc.Arbitrary<PageSnapshot>;

describe('for any snapshots', () => {
  test('a snapshot does not differ from itself', () => {
    const property = fc.property(snapshots, (one) => {
      expect(compareSnapshots(one, structuredClone(one))).toEqual([]);
    });
    fc.assert(property);
  });

  test('the differences turn the earlier into the later one', () => {
    const property = fc.property(snapshots, snapshots, (before, after) => {
      expect(applyChanges(before, compareSnapshots(before, after))).toEqual(after);
    });
    fc.assert(property);
  });
});

const control = (id: string, name: string, value: string, more: Partial<PageControl> = {}): PageControl => ({
  id,
  parent: null,
  role: 'textbox',
  name,
  pattern: 'text',
  description: '',
  placeholder: '',
  value,
  state: { isDisabled: false, isReadOnly: false, isRequired: false, isInvalid: false, isObscured: false },
  constraints: {},
  options: [],
  optionCount: 0,
  error: '',
  locators: [],
  element: id as ElementHandle,
  ...more,
});
const snapshot = (...controls: PageControl[]): PageSnapshot => ({
  ...{
    url: 'http://a/',
    title: '',
    language: '',
    regions: [],
    groups: [],
    unknown: [],
    messages: [],
    data: [],
    omitted: [],
  },
  controls,
});

test('finds the same control by role and name when others came before it', () => {
  const before = snapshot(control('c1', 'Name', 'Ann'), control('c2', 'City', ''));
  const after = snapshot(control('c1', 'Country', ''), control('c2', 'Name', 'Ann'), control('c3', 'City', 'Rome'));
  expect(compareSnapshots(before, after)).toMatchObject([
    { change: 'added', at: 0, after: { name: 'Country' } },
    { change: 'moved', before: { id: 'c1' }, after: { id: 'c2', name: 'Name' } },
    { change: 'changed', before: { id: 'c2' }, after: { id: 'c3', name: 'City' }, keys: ['value'] },
  ]);
});

test('finds the same control by its locator when its name changed', () => {
  const locators = [{ by: 'id' as const, value: 'city' }];
  const [only, ...others] = compareSnapshots(
    snapshot(control('c1', 'City', '', { locators })),
    snapshot(control('c1', 'City *', '', { locators })),
  );
  expect(only).toMatchObject({ change: 'changed', keys: ['name'] });
  expect(others).toEqual([]);
});
