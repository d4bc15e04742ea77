import { expect, test } from 'vitest';
import { readAnsweredRefusal } from './response-errors.ts';

test.each([
  ['texts by field', { errors: { email: 'Taken', name: '' } }, [{ field: 'email', text: 'Taken' }]],
  [
    'lists by field',
    { errors: { email: ['Taken', 'Too long'] } },
    [
      { field: 'email', text: 'Taken' },
      { field: 'email', text: 'Too long' },
    ],
  ],
  [
    'problem details with invalid-params',
    { type: 'about:blank', status: 400, 'invalid-params': [{ name: 'age', reason: 'must be positive' }] },
    [{ field: 'age', text: 'must be positive' }],
  ],
  [
    'JSON:API',
    { errors: [{ status: '422', source: { pointer: '/data/attributes/email' }, detail: 'Taken' }] },
    [{ field: 'email', text: 'Taken' }],
  ],
  [
    'a GraphQL error',
    { data: null, errors: [{ message: 'Taken', path: ['createUser', 'email'] }] },
    [{ field: 'email', text: 'Taken' }],
  ],
  [
    'errors of a GraphQL mutation',
    { data: { createUser: { user: null, errors: [{ field: 'email', message: 'Taken' }] } } },
    [{ field: 'email', text: 'Taken' }],
  ],
  [
    'violations',
    { violations: [{ propertyPath: 'order.email', message: 'Taken' }] },
    [{ field: 'email', text: 'Taken' }],
  ],
  ['a success flag alone', { success: false, message: 'Try another one' }, [{ field: '', text: 'Try another one' }]],
])('reads %s', (_, answer, errors) => {
  expect(readAnsweredRefusal(answer)).toEqual({ isRefused: true, errors });
});

test.each([
  ['an empty list of errors', { id: 1, errors: [] }],
  ['errors that are null', { data: { ok: true }, errors: null }],
  ['a success flag', { success: true, message: 'Saved' }],
  ['a list', [{ error: 'x' }]],
  ['no JSON object', 'error'],
])('takes %s as no refusal', (_, answer) => {
  expect(readAnsweredRefusal(answer)).toEqual({ isRefused: false, errors: [] });
});
