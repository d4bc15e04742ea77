import { describe, expect, test } from 'vitest';
import { testField, testRadioField, testWizard } from './test-support.ts';
import { validateUserData } from './validate-user-data.ts';

describe('a private value', () => {
  test('is redacted as given and as read', () => {
    const fields = [
      testField('full_name', { pattern: '[A-Z]+', required: true }),
      testField('code_word', { private: true, max_length: 3 }),
      testField('monthly_income', { field_type: 'number', max: 10 }),
      testField('phone', { private: false, max_length: 2 }),
      testRadioField('gender', ['female', 'male']),
    ];
    const data = { full_name: 'ann quack', code_word: 'xyzzy', monthly_income: '$85k', phone: '555', gender: 'Femail' };
    const { invalid_fields, warnings } = validateUserData(testWizard(fields), data);
    expect(Object.fromEntries(invalid_fields.map((one) => [one.field_id, one.provided_value]))).toEqual({
      full_name: '[private]',
      code_word: '[private]',
      monthly_income: '[private]',
      phone: '555',
      gender: '[private]',
    });
    const read = validateUserData(testWizard([testField('monthly_income', { field_type: 'number' })]), {
      monthly_income: '$85k',
    });
    expect(read.warnings).toEqual([{ field_id: 'monthly_income', message: 'read as a number', severity: 'low' }]);
    expect(JSON.stringify([invalid_fields, warnings])).not.toMatch(/quack|xyzzy|85/);
  });
  test('is shown if it cannot be an amount', () => {
    const { invalid_fields } = validateUserData(testWizard([testField('income', { field_type: 'number' })]), {
      income: 'abc',
    });
    expect(invalid_fields).toMatchObject([{ provided_value: 'abc', error: 'is not a number' }]);
  });
  test('is redacted if it may be a name in the field of an amount', () => {
    const one = testWizard([testField('income', { field_type: 'number' })]);
    for (const income of ['John Smith', 'Smith', 'john smith'])
      expect(validateUserData(one, { income }).invalid_fields).toMatchObject([{ provided_value: '[private]' }]);
  });
  test('is redacted in the rows of a group, with unknown keys', () => {
    const rows = testField('people', {
      field_type: 'group',
      repeatable: true,
      add_button_selector: '#add',
      example_value: [],
      sub_fields: [
        testField('first_name', { required: true }),
        testField('grade', { field_type: 'number', required: true }),
      ],
    });
    const { invalid_fields, warnings } = validateUserData(testWizard([rows]), {
      people: [{ first_name: 'Ann', grade: 'x', nme: 'Q' }],
    });
    expect(invalid_fields).toMatchObject([
      { provided_value: [{ first_name: '[private]', grade: 'x', nme: '[private]' }] },
    ]);
    expect(warnings).toEqual([{ field_id: 'people', message: '[0].nme is not asked for', severity: 'medium' }]);
  });
});
