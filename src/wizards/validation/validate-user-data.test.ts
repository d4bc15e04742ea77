import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../platform/json.ts';
import { describeWizard } from '../files/wizard-info.ts';
import { readSingleAnswer, testField, testRadioField, testWizard } from './test-support.ts';
import { validateUserData } from './validate-user-data.ts';

test('reports all problems at once', () => {
  const stored = testWizard([
    testField('name', { required: true }),
    testField('age', { field_type: 'number', required: true, min: 1 }),
    testRadioField('status', ['married', 'single'], { required: true }),
    testField('born', { field_type: 'date', required: true }),
  ]);
  const { valid, missing_fields, invalid_fields, warnings } = validateUserData(stored, {
    age: 'old',
    status: 'widowed',
    nam: 'Ann',
    zodiac: 'x',
  });
  expect(valid).toBe(false);
  expect(missing_fields.map(({ field_id }) => field_id)).toEqual(['name', 'born']);
  expect(missing_fields[0]).toEqual({ label: 'The name', field_id: 'name', example: 'x', required: true });
  expect(invalid_fields).toEqual([
    { field_id: 'age', provided_value: 'old', expected_type: 'number', error: 'is not a number' },
    {
      field_id: 'status',
      provided_value: 'widowed',
      expected_type: 'one of: married, single',
      error: 'is not one of the choices',
    },
  ]);
  expect(warnings).toEqual([
    { field_id: 'nam', message: 'is not asked for by this wizard; did you mean name?', severity: 'high' },
    { field_id: 'zodiac', message: 'is not asked for by this wizard', severity: 'medium' },
  ]);
});

describe('values as people write them', () => {
  const income = { field_id: 'parent_income', label: 'Parent income', example_value: '85000' };
  test.each([
    ['$85k', '85000'],
    ['85,000', '85000'],
    ['1.2 million', '1200000'],
    [85000, '85000'],
    ['0', '0'],
  ])('reads %j as the amount %s', (given, text) => {
    expect(readSingleAnswer(income, given).answer).toEqual({ kind: 'text', text });
  });
  test.each([
    ['four', '4'],
    ['twenty-one', '21'],
    ['5.5%', '5.5'],
    [' 7 ', '7'],
  ])('reads %j as the number %s', (given, text) => {
    const { answer, note } = readSingleAnswer({ field_type: 'number' }, given);
    expect(answer).toEqual({ kind: 'text', text });
    expect(note).toBe(`read as ${text}`);
  });
  test.each(['abc', '', '12 34', '1,23,4', '--1', 'NaN', 'Infinity', 'fourty-'])('rejects %j as a number', (given) => {
    expect(readSingleAnswer({ field_type: 'number', required: true }, given).answer).toBeUndefined();
  });
  test.each([
    ['IL', 'Illinois'],
    ['TEXAS', 'Texas'],
    ['washington dc', 'washington dc'],
  ])('reads the state %j as %s', (given, text) => {
    expect(
      readSingleAnswer({ field_id: 'state', field_type: 'typeahead', example_value: 'Ohio' }, given).answer,
    ).toEqual({
      kind: 'text',
      text,
    });
  });
  test.each([true, 'Y', 'yes', 'YES'])('reads %j as yes', (given) => {
    expect(readSingleAnswer(testRadioField('it', ['yes', 'no']), given).answer).toEqual({
      kind: 'choice',
      value: 'yes',
    });
  });
  test.each(['unchecked', false, 'no'])('leaves a checkbox off for %j', (given) => {
    expect(readSingleAnswer({ field_type: 'checkbox' }, given).answer).toEqual({ kind: 'switch', on: false });
  });
  test('ignores typographic apostrophes in choices', () => {
    expect(readSingleAnswer(testRadioField('it', ['Bachelor’s degree']), "bachelor's degree").answer).toEqual({
      kind: 'choice',
      value: 'Bachelor’s degree',
    });
  });
  test('suggests the nearest choice for a typo, but does not accept it', () => {
    expect(readSingleAnswer(testRadioField('it', ['married', 'single']), 'maried')).toMatchObject({
      answer: undefined,
      error: 'is not one of the choices; did you mean "married"?',
    });
  });
});

describe('dates', () => {
  const parts = (['month', 'day', 'year'] as const).map((part) => testField(`birth_${part}`, { example_value: '05' }));
  const group = testField('birthdate', { field_type: 'group', sub_fields: parts, example_value: '2007-05-15' });
  const born = { year: 2007, month: 5, day: 15 };

  test.each([['2007-05-15'], [{ year: '2007', month: 'May', day: 15 }], ['5/15/2007'], ['May 15, 2007']])(
    'are read from %j',
    (given) => {
      const { answers, valid } = validateUserData(testWizard([group]), { birthdate: given });
      expect(valid).toBe(true);
      expect(answers.get('birthdate')).toEqual({ kind: 'date', date: born });
    },
  );
  test('are read in parts for one field, and whole for several fields', () => {
    const { answers } = validateUserData(testWizard([group]), {
      birth_month: '05',
      birth_day: '15',
      birth_year: '2007',
    });
    expect(answers.get('birthdate')).toEqual({ kind: 'date', date: born });
    const split = validateUserData(
      testWizard(parts.map((part) => ({ ...part, example_value: part.field_id === 'birth_year' ? '2007' : '05' }))),
      { student_birthdate: '2007-05-15' },
    );
    expect(split.answers.get('birth_month')).toEqual({ kind: 'text', text: '05' });
    expect(split.answers.get('birth_year')).toEqual({ kind: 'text', text: '2007' });
  });
  test.each(['2007-02-29', '2007-13-01', '2007-00-10', '2007-04-31', 'yesterday'])('are rejected as %s', (given) => {
    const { invalid_fields } = validateUserData(testWizard([group]), { birthdate: given });
    expect(invalid_fields).toMatchObject([{ field_id: 'birthdate', expected_type: 'date (YYYY-MM-DD)' }]);
  });
  test('that are ambiguous are read as month/day with a warning, and rejected with dots', () => {
    const { answers, warnings } = validateUserData(testWizard([group]), { birthdate: '4/5/2007' });
    expect(answers.get('birthdate')).toEqual({ kind: 'date', date: { year: 2007, month: 4, day: 5 } });
    expect(warnings).toEqual([
      { field_id: 'birthdate', message: expect.stringContaining('month/day/year'), severity: 'medium' },
    ]);
    const dotted = validateUserData(testWizard([group]), { birthdate: '04.05.2007' });
    expect(dotted.invalid_fields).toMatchObject([{ error: expect.stringContaining('two dates') }]);
    expect(validateUserData(testWizard([group]), { birthdate: '15.05.2007' }).answers.get('birthdate')).toEqual({
      kind: 'date',
      date: born,
    });
  });
  test.each([
    ['2025-12-31', 'must not be before 2026-01-01'],
    ['2027-01-01', 'must not be after 2026-12-31'],
    ['2026-12-31', undefined],
  ])('%s against the limits of the field', (given, error) => {
    const limited = { field_type: 'date', min: '2026-01-01', max: '2026-12-31' };
    expect(readSingleAnswer(limited, given).error).toBe(error);
  });
  test('reject 31 February in three separate fields', () => {
    const fields = parts.map((part) => ({ ...part, example_value: part.field_id === 'birth_year' ? '2007' : '05' }));
    const { invalid_fields } = validateUserData(testWizard(fields), {
      birth_month: '2',
      birth_day: '31',
      birth_year: '2007',
    });
    expect(invalid_fields).toMatchObject([{ field_id: 'birth_day', provided_value: '[private]' }]);
  });
});

describe('conditions', () => {
  const form = [
    testRadioField('filed', ['yes', 'no'], { required: true }),
    testField('income', { required: true, field_type: 'number', visible_when: { field: 'filed', equals: 'yes' } }),
  ];
  test('require a field only with the answer that shows it', () => {
    expect(validateUserData(testWizard(form), { filed: 'yes' }).missing_fields).toMatchObject([{ field_id: 'income' }]);
    expect(validateUserData(testWizard(form), { filed: 'no' }).valid).toBe(true);
  });
  test('leave out a field that is not asked, with a warning', () => {
    const { valid, answers, warnings } = validateUserData(testWizard(form), { filed: 'no', income: 5 });
    expect(valid).toBe(true);
    expect(answers.has('income')).toBe(false);
    expect(warnings).toMatchObject([{ field_id: 'income', severity: 'medium' }]);
  });
  test('leave untried answers to the page, unless no value is given', () => {
    const visible_when = { field: 'status', equals: 'married', hidden_with: ['single'] };
    const open = [
      testRadioField('status', ['single', 'married', 'separated']),
      testField('hours', { required: true, visible_when }),
    ];
    const given = (status: string) => validateUserData(testWizard(open), { status, hours: '5' });
    expect(given('separated').answers.has('hours')).toBe(true);
    expect(given('separated').warnings).toMatchObject([
      { field_id: 'hours', message: expect.stringContaining('was not seen') },
    ]);
    expect(given('single').answers.has('hours')).toBe(false);
    expect(validateUserData(testWizard(open), { status: 'separated' })).toMatchObject({ valid: true, warnings: [] });
  });
  test('of an old schema with if and then count', () => {
    const schema: JsonObject = JSON.parse(
      '{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"filed":{"type":"string"},"income":{"type":"number","maximum":10}},"required":["filed"],"if":{"properties":{"filed":{"const":"yes"}}},"then":{"required":["income"]}}',
    );
    const old = [testRadioField('filed', ['yes', 'no']), testField('income', { required: true, field_type: 'number' })];
    expect(validateUserData(testWizard(old, schema), { filed: 'yes' }).missing_fields).toMatchObject([
      { field_id: 'income' },
    ]);
    expect(validateUserData(testWizard(old, schema), { filed: 'no' }).valid).toBe(true);
    expect(validateUserData(testWizard(old, schema), { filed: 'yes', income: '11' }).invalid_fields).toMatchObject([
      { field_id: 'income', provided_value: '[private]', error: 'must be <= 10' },
    ]);
  });
});

test('accepts an exclusive choice only alone', () => {
  const options = ['veteran', 'orphan', 'none'].map((value) => ({ value, label: value }));
  const group = testField('applies', { field_type: 'checkbox', options });
  expect(validateUserData(testWizard([group]), { applies: ['orphan', 'veteran'] }).valid).toBe(true);
  expect(validateUserData(testWizard([group]), { applies: ['none', 'veteran'] }).invalid_fields).toMatchObject([
    { field_id: 'applies', error: '"none" excludes every other choice' },
  ]);
  const boxes = [
    testField('veteran', { field_type: 'checkbox' }),
    testField('none', { field_type: 'checkbox', label: 'Circumstances - None of these apply' }),
  ];
  expect(validateUserData(testWizard(boxes), { none: true, veteran: false }).valid).toBe(true);
  expect(validateUserData(testWizard(boxes), { none: true, veteran: true }).invalid_fields).toMatchObject([
    { field_id: 'none' },
  ]);
});

test('excludes only choices of the same question by "None of these"', () => {
  const box = (id: string, more: object) => testField(id, { field_type: 'checkbox', required: false, ...more });
  const within = (question: string) => ({ surroundings: { question } });
  const boxes = [
    box('veteran', within('Do any apply?')),
    box('none', { label: 'None of these apply', ...within('Do any apply?') }),
    box('letters', within('How may we write to you?')),
    box('true', { label: 'I certify that this is true', required: true, surroundings: {} }),
  ];
  expect(validateUserData(testWizard(boxes), { none: true, letters: true, true: true }).invalid_fields).toEqual([]);
  expect(validateUserData(testWizard(boxes), { none: true, veteran: true, true: true }).invalid_fields).toMatchObject([
    { field_id: 'none', error: expect.stringContaining('veteran is also true') },
  ]);
  const old = [
    box('none', { label: 'Circumstances - None of these' }),
    box('letters', { label: 'Contact - Letters' }),
    box('agreed', { label: 'I agree' }),
  ];
  expect(validateUserData(testWizard(old), { none: true, letters: true, agreed: true }).invalid_fields).toEqual([]);
});

describe('a list whose choices depend on another answer', () => {
  const list = (id: string, values: string[], more: object = {}) =>
    testRadioField(id, values, { field_type: 'select', ...more });
  const region = list('region', ['North', 'South']);

  test('is left to the page with a warning', () => {
    const stored = testWizard([region, list('town', ['Nash', 'Noble'])]);
    const { valid, answers, warnings } = validateUserData(stored, { region: 'South', town: 'Stone' });
    expect(valid).toBe(true);
    expect(answers.get('town')).toEqual({ kind: 'choice', value: 'Stone' });
    expect(warnings).toMatchObject([{ field_id: 'town', severity: 'medium' }]);
    expect(validateUserData(stored, { region: 'East', town: 'Nash' }).invalid_fields).toMatchObject([
      { field_id: 'region' },
    ]);
    const said = testWizard([region, list('desk', ['A'], { options_depend_on: 'region' })]);
    expect(validateUserData(said, { region: 'South', desk: 'B' }).valid).toBe(true);
  });

  test('is rejected if no earlier field can determine it', () => {
    for (const fields of [
      [list('town', ['Nash']), region],
      [region, list('status', ['single'])],
    ]) {
      const { invalid_fields } = validateUserData(testWizard(fields), { town: 'Stone', status: 'x' });
      expect(invalid_fields).toMatchObject([{ error: expect.stringContaining('not one of the choices') }]);
    }
  });
});

describe('a repeatable group', () => {
  const loans = testField('loans', {
    field_type: 'group',
    repeatable: true,
    add_button_selector: '#add',
    min_instances: 1,
    max_instances: 2,
    example_value: [],
    sub_fields: [
      testField('kind', { options: [{ value: 'a', label: 'A' }], field_type: 'select', required: true }),
      testField('balance', { field_type: 'number', required: true }),
    ],
  });
  test('reads each row like a form', () => {
    const { answers, valid } = validateUserData(testWizard([loans]), { loans: [{ kind: 'A', balance: '$10k' }] });
    expect(valid).toBe(true);
    const answer = answers.get('loans');
    expect(answer?.kind === 'rows' && answer.rows.map((row) => Object.fromEntries(row))).toEqual([
      { kind: { kind: 'choice', value: 'a' }, balance: { kind: 'text', text: '10000' } },
    ]);
  });
  test.each([
    [{}, 'The loans'],
    [{ loans: [] }, 'needs at least 1'],
    [{ loans: [{}, {}, {}] }, 'takes at most 2, got 3'],
    [{ loans: [{ kind: 'a' }] }, '[0].balance is missing'],
    [{ loans: [{ kind: 'zz', balance: 1 }] }, '[0].kind is not one of the choices'],
    [{ loans: 'many' }, 'takes a list of objects'],
  ])('rejects %j with the location', (data, reported) => {
    const { invalid_fields, missing_fields } = validateUserData(testWizard([loans]), data);
    expect([...invalid_fields.map(({ error }) => error), ...missing_fields.map(({ label }) => label)]).toContain(
      reported,
    );
  });
});

test.each(['__proto__', 'constructor', 'toString'])('treats the key %s as data', (key) => {
  const data: Record<string, unknown> = JSON.parse(`{"${key}": 1}`);
  expect(validateUserData(testWizard([testField('name')]), data).warnings).toMatchObject([{ field_id: key }]);
});

test.each([
  ['earnings_last_year', '45000', '10000'],
  ['spent_per_month', '12', '640'],
  ['hours_per_day', '8', '40'],
])('does not take an amount for a date part by its name: %s', (field_id, example_value, value) => {
  const one = { field_id, example_value, field_type: 'number' };
  expect(readSingleAnswer(one, value)).toMatchObject({ answer: { kind: 'text', text: value }, error: undefined });
});

test('describes and reports the same required fields if the schema differs from them', () => {
  const fields = [testField('a', { required: true }), testField('b'), testField('c', { required: true })];
  const schema: JsonObject = { type: 'object', properties: { a: {}, b: {} }, required: ['b'] };
  const stored = testWizard(fields, schema);
  const info = describeWizard(stored);
  const missing = validateUserData(stored, {}).missing_fields.map(({ field_id }) => field_id);
  expect(missing).toEqual(['b', 'c']);
  expect(Object.keys(info.required_user_data)).toEqual(missing);
  expect(info.pages_summary[0]?.required_fields).toEqual(['The b', 'The c']);
});

describe('a schema', () => {
  const fields = [testField('a'), testField('b'), testField('c')];
  const schema = (more: JsonObject): JsonObject => ({ type: 'object', properties: { a: {}, b: {}, c: {} }, ...more });
  const said = (more: JsonObject, data: object) => {
    const { missing_fields, invalid_fields } = validateUserData(testWizard(fields, schema(more)), { ...data });
    return [
      ...missing_fields.map(({ field_id }) => `${field_id} is missing`),
      ...invalid_fields.map(({ field_id, error }) => `${field_id} ${error}`),
    ];
  };
  test('applies all rules between fields', () => {
    expect(said({ dependentRequired: { a: ['b'] } }, { a: '1' })).toEqual(['b is missing']);
    expect(said({ dependentRequired: { a: ['b'] } }, { c: '1' })).toEqual([]);
    expect(said({ not: { required: ['a', 'b'] } }, { a: '1', b: '2' })).toEqual([
      'a together with b is excluded by a rule of the schema',
    ]);
    expect(said({ anyOf: [{ required: ['a'] }, { required: ['b'] }] }, { c: '1' })).toEqual([
      'a together with b must match a schema in anyOf by a rule of the schema',
    ]);
    expect(said({ allOf: [{ required: ['c'] }] }, { a: '1' })).toEqual(['c is missing']);
    expect(said({ minProperties: 2 }, { a: '1' })).toHaveLength(1);
    expect(said({ additionalProperties: false }, { a: '1', zzz: '2' })).toEqual(['zzz is not allowed by the schema']);
    expect(said({ required: ['elsewhere'] }, { a: '1' })).toEqual(['elsewhere is missing']);
    const old = { $schema: 'http://json-schema.org/draft-07/schema#', dependencies: { a: ['b'] } };
    expect(said(old, { a: '1' })).toEqual(['b is missing']);
  });
  test.each([
    { type: 'objekt' },
    { properties: { a: { type: 'text' } } },
    { required: 'a' },
    { properties: { a: { pattern: '(' } } },
  ])('is reported as broken: %j', (more: JsonObject) => {
    expect(() => said(more, { a: '1' })).toThrow('The user-data schema of the wizard is broken');
  });
});
