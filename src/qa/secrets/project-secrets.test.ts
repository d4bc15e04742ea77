import { expect, test } from 'vitest';
import { isUserName } from './project-secrets.ts';

test.each([
  'TEST_USER',
  'testUser',
  'USER_1',
  'USERNAME2',
  'TEST_LOGIN_NAME',
  'UID',
  'account id',
  'adminEmail',
  'e-mail address',
  'Benutzername',
])('treats %s as a user name', (name) => {
  expect(isUserName({ name })).toBe(true);
});

test.each([
  'PASSWORD',
  'USER_PASSWORD',
  'loginToken',
  'ACCOUNT_KEY',
  'EMAIL_CODE',
  'USER_PIN',
  'API',
  'userland-license',
])('treats %s as a credential', (name) => {
  expect(isUserName({ name })).toBe(false);
});
