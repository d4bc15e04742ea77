import { expect, test } from 'vitest';
import { testField } from '../validation/test-support.ts';
import { parseWizard } from './wizard-files.ts';

const parse =
  (pages: object[][], more: object = {}) =>
  () =>
    parseWizard(
      {
        wizard_id: 'form',
        name: 'Form',
        url: 'https://example.org',
        discovered_at: '2026-01-01T00:00:00Z',
        discovery_version: '1.0.0',
        total_pages: pages.length,
        pages: pages.map((fields, i) => ({
          page_number: i + 1,
          page_title: 'Page',
          fields,
          continue_button: { text: 'Continue', selector: '#continue' },
        })),
        ...more,
      },
      'form.json',
    );
const when = (id: string, other: string) => testField(id, { visible_when: { field: other, equals: 'yes' } });

test('rejects an id that two fields have, with both positions', () => {
  expect(parse([[testField('a')], [testField('b'), testField('a')]])).toThrow(
    'pages[1].fields[1].field_id: a is already the id of pages[0].fields[0]; give each field its own id',
  );
});

test.each([
  ['of a field on itself', [when('a', 'a')], 'pages[0].fields[0].visible_when: depends on itself (a → a)'],
  ['of two fields', [when('a', 'b'), when('b', 'a')], 'pages[0].fields[1].visible_when: depends on itself (b → a → b)'],
  ['over three fields', [when('a', 'b'), when('b', 'c'), when('c', 'a')], '(c → a → b → c)'],
])('rejects a circular condition %s, with its position', (_, fields, message) => {
  expect(parse([fields])).toThrow(message);
});

test('accepts conditions on fields that share a condition', () => {
  const shared = testField('d', { visible_when: ['b', 'c'].map((field) => ({ field, equals: 'yes' })) });
  expect(parse([[testField('a'), when('b', 'a'), when('c', 'a'), shared]])).not.toThrow();
});

test('rejects a file of a later version of the format', () => {
  expect(parse([[testField('a')]], { discovery_version: '1.9.0' })).not.toThrow();
  expect(parse([[testField('a')]], { discovery_version: '2.0.0' })).toThrow(
    'discovery_version: is 2.0.0, but this version of Assay reads 1.x; update Assay, or discover the form again',
  );
});
