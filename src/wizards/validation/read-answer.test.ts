import { describe, expect, test } from 'vitest';
import { readSingleAnswer } from './test-support.ts';

test('rejects a misspelt state with a suggestion, and other texts only in state fields', () => {
  const state = { field_id: 'state', example_value: 'Ohio' };
  expect(readSingleAnswer(state, 'Illinios').error).toBe('is not the name of a state; did you mean "Illinois"?');
  expect(readSingleAnswer({ ...state, format: 'state' }, 'Bavaria').error).toBe('is not the name of a state');
  expect(readSingleAnswer(state, 'Bavaria')).toMatchObject({
    answer: { kind: 'text', text: 'Bavaria' },
    note: expect.stringContaining('not a known state'),
  });
  expect(readSingleAnswer(state, 'Guam').error).toBeUndefined();
});

describe('a state', () => {
  test.each([
    ['of another country', { field_id: 'state', example_value: 'Hessen' }, 'WA'],
    ['of a form of which nothing is known', { field_id: 'state', example_value: '' }, 'MH'],
    ['in a sentence', { field_id: 'reason', label: 'State your reason', example_value: 'Ohio' }, 'Me'],
  ])('keeps %s as given', (_, one, given) => {
    expect(readSingleAnswer(one, given)).toMatchObject({ answer: { kind: 'text', text: given }, note: undefined });
  });
  test('is recognized from the options of its field', () => {
    const options = ['Ohio', 'Utah', 'Texas'].map((label) => ({ value: label.toLowerCase(), label }));
    const one = { field_id: 'state', field_type: 'typeahead', example_value: '', options };
    expect(readSingleAnswer(one, 'UT').answer).toEqual({ kind: 'choice', value: 'utah' });
  });
});

describe('a long number', () => {
  test.each([
    ['123,456,789,012,345,678', '123456789012345678'],
    ['123456789012345678', '123456789012345678'],
    ['$9,007,199,254,740,993.10', '9007199254740993.1'],
  ])('keeps its digits: %s', (given, text) => {
    expect(readSingleAnswer({ field_type: 'number' }, given).answer).toEqual({ kind: 'text', text });
  });
  test.each(['number', 'text'])('with lost digits is rejected in a field of type %s', (field_type) => {
    // biome-ignore lint/correctness/noPrecisionLoss: that it is lost is what this is about
    expect(readSingleAnswer({ field_type }, 12345678901234567890).error).toBe(
      'has more digits than a JSON number keeps; pass it as a string',
    );
  });
});

test('rejects an ambiguous amount but not a number with thousandths', () => {
  const income = { field_id: 'income', field_type: 'number' };
  expect(readSingleAnswer(income, '85.000').error).toContain('could be two amounts');
  expect(readSingleAnswer(income, '85.00').answer).toEqual({ kind: 'text', text: '85.00' });
  expect(readSingleAnswer(income, 85.125).answer).toEqual({ kind: 'text', text: '85.125' });
  expect(readSingleAnswer({ field_type: 'number' }, '1.250').answer).toEqual({ kind: 'text', text: '1.250' });
});

test.each([
  [{ step: 0.01 }, '10.555', 'must be 0 plus a multiple of 0.01'],
  [{ step: 0.1 }, '0.3', undefined],
  [{ step: 10, min: 5 }, '25', undefined],
  [{ step: 10, min: 5 }, '20', 'must be 5 plus a multiple of 10'],
])('checks the step of a number, %j: %s', (limits, given, error) => {
  expect(readSingleAnswer({ field_type: 'number', ...limits }, given).error).toBe(error);
});

test('rejects a text below the minimum length', () => {
  expect(readSingleAnswer({ min_length: 3 }, 'ab').error).toBe('must NOT have fewer than 3 characters');
  expect(readSingleAnswer({ min_length: 3 }, 'abc').error).toBeUndefined();
});

test('reports a slow pattern with its field but without the value', () => {
  const value = `${'a'.repeat(60)}!`;
  expect(() => readSingleAnswer({ field_id: 'code', pattern: '(a+)+' }, value)).toThrow(
    'The pattern "^(?:(a+)+)$" of code takes too long to check this value.',
  );
  expect(readSingleAnswer({ field_id: 'code', pattern: '(a+)+' }, 'aaa').error).toBeUndefined();
});

describe('a text field with a date format', () => {
  const asking = (placeholder: string, more: object = {}) => ({ surroundings: { placeholder }, ...more });

  test.each([
    ['MM/DD/YYYY', '2007-05-16', '05/16/2007'],
    ['MM/DD/YYYY', { year: 2007, month: 'May', day: 16 }, '05/16/2007'],
    ['MM/DD/YYYY', '5/16/2007', '05/16/2007'],
    ['MM/DD/YYYY', 'May 16, 2007', '05/16/2007'],
    ['dd.mm.yyyy', '2007-05-16', '16.05.2007'],
    ['DD/MM/YYYY', '05/16/2007', '16/05/2007'],
    ['DD / MM / YYYY', '2007-05-16', '16/05/2007'],
    ['MMDDYYYY', '2007-05-16', '05162007'],
    ['YYYY-MM-DD', '2007-05-16', '2007-05-16'],
    ['MM/DD/YYYY', '05162007', '05162007'],
  ])('gets the date as %s for %j', (shape, given, text) => {
    expect(readSingleAnswer(asking(shape), given).answer).toEqual({ kind: 'text', text });
  });

  test('reads a date in its own order and warns if it is ambiguous', () => {
    const { answer, note } = readSingleAnswer(asking('DD/MM/YYYY'), '04/05/2007');
    expect(answer).toEqual({ kind: 'text', text: '04/05/2007' });
    expect(note).toContain('is read as day/month/year');
    expect(readSingleAnswer({ label: 'First day (MM/DD/YYYY)' }, '2007-05-16').answer).toMatchObject({
      text: '05/16/2007',
    });
  });

  test('rejects a date that does not exist, and ignores contradictory formats', () => {
    expect(readSingleAnswer(asking('MM/DD/YYYY'), '2007-02-31').error).toContain('does not exist in the calendar');
    const unclear = asking('MM/DD/YYYY', { label: 'Day (DD/MM/YYYY)' });
    expect(readSingleAnswer(unclear, '2007-05-16').answer).toMatchObject({ text: '2007-05-16' });
  });
});
