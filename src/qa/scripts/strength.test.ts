import { expect, test } from 'vitest';
import type { Expectation } from './model.ts';
import { heldOn } from './strength.ts';

const line = { live: false, heading: false, main: true, row: false };
const eve = {
  seen: {
    ...{ url: 'http://site.test/contact?from=home', title: '', names: [], invalid: [], hasPasswordField: false },
    ...{ fields: [], marked: [], items: [], held: {}, counts: { row: 3, listitem: 0, article: 0 } },
    lines: [{ ...line, text: 'Write to us.' }],
  },
  sent: [{ method: 'GET', path: '/contact?from=home', status: 200, type: 'document' }],
};
const stage = { baseUrl: 'http://site.test', fillIn: (text: string) => text.replaceAll('{{unique}}', 'aaaa1111') };
const oracle = 'observed' as const;

test.each<[string, boolean, Expectation]>([
  ['the address', true, { do: 'expectUrl', path: '/contact', oracle }],
  ['another address', false, { do: 'expectUrl', path: '/contact/sent', oracle }],
  ['what was said', true, { do: 'expectText', text: 'Write to us.', oracle }],
  ['what was not said yet', false, { do: 'expectText', text: 'Thank you, {{unique}}', oracle }],
  ['what is still there', false, { do: 'expectNoText', text: 'Write', oracle }],
  ['how many rows there were', true, { do: 'expectCount', role: 'row', count: 3, oracle }],
  ['another number of rows', false, { do: 'expectCount', role: 'row', count: 2, oracle }],
  ['a request that was not sent', false, { do: 'expectRequest', method: 'POST', path: '/contact', oracle }],
  ['that nothing was sent', true, { do: 'expectNoRequest', method: 'POST', path: '/contact', oracle }],
  ['that nothing failed', true, { do: 'expectNoErrors', oracle }],
])('on the eve of the last step it can be told whether it held: %s', (_, held, expectation) => {
  expect(heldOn(eve, expectation, stage)).toBe(held);
});
