import { expect, test } from 'vitest';
import { chooseCredentials } from './login-forms.ts';

const secrets = (...names: string[]) => names.map((name, index) => ({ id: `sec_${index}`, name, description: null }));

test('finds user name and password by the names of the secrets', () => {
  expect(chooseCredentials(secrets('TEST_USER_EMAIL', 'TEST_USER_PASSWORD'))).toEqual({
    username: 'TEST_USER_EMAIL',
    password: 'TEST_USER_PASSWORD',
  });
  expect(chooseCredentials(secrets('login', 'pwd'))).toEqual({ username: 'login', password: 'pwd' });
});

test('pairs the user name with the password of the same user', () => {
  expect(chooseCredentials(secrets('ADMIN_PASSWORD', 'GUEST_USER', 'ADMIN_USER'))).toEqual({
    username: 'ADMIN_USER',
    password: 'ADMIN_PASSWORD',
  });
});

test('finds credentials by the descriptions of the secrets', () => {
  const described = [
    { id: 'sec_1', name: 'kim', description: 'user name of the test customer' },
    { id: 'sec_2', name: 'word', description: 'password of the test customer' },
  ];
  expect(chooseCredentials(described)).toEqual({ username: 'kim', password: 'word' });
});

test('returns nothing unless both user name and password exist', () => {
  expect(chooseCredentials(secrets('API_TOKEN', 'TEST_USER_PASSWORD'))).toBeUndefined();
  expect(chooseCredentials([])).toBeUndefined();
});
