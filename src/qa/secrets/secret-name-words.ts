/** Words of a secret's name that say that its value is a user name: `TEST_USER`, `loginName`. */
export const userNameWords: ReadonlySet<string> = new Set([
  ...['user', 'username', 'email', 'mail', 'login', 'account', 'uid'],
  // German
  ...['benutzer', 'benutzername'],
]);

/** Words that do not change what a name means: `USER_1`, `account id`. */
export const neutralNameWords: ReadonlySet<string> = new Set([
  ...['name', 'id', 'address', 'test', 'my', 'the', 'qa', 'demo', 'admin', 'e'],
]);

/** Words of a secret's name that say that its value grants access. `kennwort` is German. */
export const credentialWords = /pass|pwd|token|key|secret|code|kennwort|otp|cookie|session/i;
