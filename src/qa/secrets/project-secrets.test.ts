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
])('takes %s for the name of a user', (name) => {
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
])('takes %s for a secret', (name) => {
  expect(isUserName({ name })).toBe(false);
});
