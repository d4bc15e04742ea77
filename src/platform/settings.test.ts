import { expect, test } from 'vitest';
import { readSettings, type Setting, settings } from './settings.ts';

const all: Setting<unknown>[] = Object.values(settings);

test('prefers a flag to the environment, and the environment to the default', () => {
  const env = { ASSAY_PORT: '9000', ASSAY_TOOLSETS: 'coverage' };
  expect(readSettings(all, ['--port', '8000'], env).get(settings.port)).toBe(8000);
  expect(readSettings(all, [], env).get(settings.port)).toBe(9000);
  expect(readSettings(all, [], {}).get(settings.port)).toBe(7420);
});

test('splits lists at commas and trims the items', () => {
  expect(readSettings(all, ['--tools', ' a, b,,c '], {}).get(settings.tools)).toEqual(['a', 'b', 'c']);
});

test.each([
  [['--read-only'], {}, true],
  [['--no-read-only'], { ASSAY_READ_ONLY: '1' }, false],
  [[], { ASSAY_READ_ONLY: 'true' }, true],
  [[], { ASSAY_READ_ONLY: '0' }, false],
  [[], { ASSAY_READ_ONLY: '' }, false],
  [[], {}, false],
])('reads read-only from %j and %j as %s', (argv, env, expected) => {
  expect(readSettings(all, argv, env).get(settings.readOnly)).toBe(expected);
});

test.each([
  [
    '--port',
    () => readSettings(all, ['--port', '70000'], {}).get(settings.port),
    /--port must be .*65535, got "70000"/,
  ],
  ['the environment', () => readSettings(all, [], { ASSAY_PORT: 'x' }).get(settings.port), /ASSAY_PORT must be/],
  ['a switch', () => readSettings(all, [], { ASSAY_READ_ONLY: 'maybe' }).get(settings.readOnly), /true or false/],
  ['a level', () => readSettings(all, ['--log-level', 'loud'], {}).get(settings.logLevel), /one of silent, error/],
  ['an issuer', () => readSettings(all, ['--oauth-issuer', 'auth0'], {}).get(settings.oauthIssuer), /http or https/],
  ['a limit', () => readSettings(all, ['--rate-limits', 'a=x'], {}).get(settings.rateLimits), /tool_name=20/],
  ['a number', () => readSettings(all, ['--max-calls', '0'], {}).get(settings.maxCalls), /from 1 to 99999/],
  [
    'a database',
    () => readSettings(all, [], { ASSAY_DATABASE_URL: 'my://s3cret' }).get(settings.databaseUrl),
    /^((?!s3cret).)*$/,
  ],
  [
    'a token, without repeating it',
    () => readSettings(all, [], { ASSAY_TOKEN: 'short' }).get(settings.token),
    /^((?!short).)*$/,
  ],
  ['an unknown flag', () => readSettings(all, ['--prot', '1'], {}), /--prot/],
])('rejects an invalid value of %s and names the setting', (_what, read, message) => {
  expect(read).toThrow(message);
});

test('parses limits as a table and turns off a switch that is on by default', () => {
  const limits = readSettings(all, ['--rate-limits', 'run_it=20, *=600'], {}).get(settings.rateLimits);
  expect([...limits]).toEqual([
    ['run_it', 20],
    ['*', 600],
  ]);
  expect(readSettings(all, [], {}).get(settings.auth)).toBe(true);
  expect(readSettings(all, ['--no-auth'], {}).get(settings.auth)).toBe(false);
});
