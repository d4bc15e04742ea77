import { expect, test } from 'vitest';
import { chooseCredentials } from './login-forms.ts';

const secrets = (...names: string[]) => names.map((name, index) => ({ id: `sec_${index}`, name, description: null }));

test('a user’s name and a password are found by their names', () => {
  expect(chooseCredentials(secrets('TEST_USER_EMAIL', 'TEST_USER_PASSWORD'))).toEqual({
    username: 'TEST_USER_EMAIL',
    password: 'TEST_USER_PASSWORD',
  });
  expect(chooseCredentials(secrets('login', 'pwd'))).toEqual({ username: 'login', password: 'pwd' });
});

test('of several users, name and password of the same one are taken', () => {
  expect(chooseCredentials(secrets('ADMIN_PASSWORD', 'GUEST_USER', 'ADMIN_USER'))).toEqual({
    username: 'ADMIN_USER',
    password: 'ADMIN_PASSWORD',
  });
});

test('what a secret is for may stand in its description', () => {
  const described = [
    { id: 'sec_1', name: 'kim', description: 'user name of the test customer' },
    { id: 'sec_2', name: 'word', description: 'password of the test customer' },
  ];
  expect(chooseCredentials(described)).toEqual({ username: 'kim', password: 'word' });
});

test('without both there is no login', () => {
  expect(chooseCredentials(secrets('API_TOKEN', 'TEST_USER_PASSWORD'))).toBeUndefined();
  expect(chooseCredentials([])).toBeUndefined();
});
