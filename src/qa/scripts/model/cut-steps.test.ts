import { expect, test } from 'vitest';
import { cleanText } from '../../../platform/text/untrusted-text.ts';
import { findCutSteps } from './cut-steps.ts';

const long = `Terms: ${'word '.repeat(1_000)}`;
const stored = [
  { do: 'goto', url: '/write' },
  { do: 'expectText', text: 'Write' },
  { do: 'fill', on: { name: 'Name', ladder: [{ by: 'label', value: 'Name' }] }, value: 'Ada' },
  { do: 'expectText', text: long },
];
const cutText = cleanText(long, { max: 100 });

test('finds steps that end where a reply was cut, also after a change of another step', () => {
  expect(findCutSteps(stored.slice(0, 2), stored)).toMatchObject({ offset: 2 });
  expect(findCutSteps([{ do: 'goto', url: '/other' }, stored[1]], stored)).toMatchObject({
    offset: 2,
    problem: 'The script has 4 steps, and these end with its step 2, as a cut reply does.',
  });
});

test('finds the end of a cut reply among equal steps', () => {
  const click = { do: 'click', on: { name: 'Next', ladder: [{ by: 'css', value: 'button' }] } };
  const repeated = [{ do: 'goto', url: '/' }, ...Array(20).fill(click)];
  expect(findCutSteps(repeated.slice(0, 9), repeated)).toMatchObject({ offset: 9 });
  expect(findCutSteps(repeated.slice(9), repeated)).toBeUndefined();
});

test('finds texts that a reply has cut', () => {
  const cut = [...stored.slice(0, 3), { do: 'expectText', text: cutText }];
  expect(findCutSteps(cut, stored)).toMatchObject({
    offset: 3,
    problem: expect.stringContaining('A text of step 4 is cut'),
  });
});

test('accepts whole steps, another end, and texts that only look cut', () => {
  const other = { do: 'expectText', text: 'Shown… (12 characters)' };
  for (const given of [stored, [stored[0], other], [...stored, other], [...stored.slice(0, 2), other]])
    expect(findCutSteps(given, stored)).toBeUndefined();
});
