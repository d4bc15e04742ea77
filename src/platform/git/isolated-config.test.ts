import { expect, test } from 'vitest';
import { buildIsolatedConfig } from './isolated-config.ts';

/** As `git config --list --show-scope -z` prints it. */
const listing = (...settings: [scope: string, key: string, value?: string][]) =>
  Buffer.from(
    settings.map(([scope, key, value]) => `${scope}\0${key}${value === undefined ? '' : `\n${value}`}\0`).join(''),
    'latin1',
  );
const configFrom = (...settings: Parameters<typeof listing>) => {
  const { bytes, ...rest } = buildIsolatedConfig(listing(...settings), { workTree: '/work' });
  return { text: bytes.toString('latin1'), ...rest };
};
const ours = configFrom().text;

test('keeps the last value of settings that affect results, and no other setting', () => {
  const { text } = configFrom(
    ['global', 'core.autocrlf', 'true'],
    ['local', 'core.autocrlf', 'input'],
    ['local', 'core.ignorecase'],
    ['local', 'core.fsmonitor', '/evil'],
    ['local', 'filter.\xff.clean', '/evil'],
    ['local', 'diff.external', '/evil'],
    ['local', 'core.bare', 'false'],
  );
  expect(text).toBe(`[core]\n\tautocrlf = "input"\n[core]\n\tignorecase = "true"\n${ours}`);
});

test('quotes a value so that it cannot start another setting', () => {
  const { text } = configFrom(['local', 'core.eol', 'lf"\n[diff]\n\texternal = /evil\\ # ; \xff']);
  expect(text).toBe(`[core]\n\teol = "lf\\"\\n[diff]\\n\\texternal = /evil\\\\ # ; \xff"\n${ours}`);
});

test('overrides settings of the repository with its own', () => {
  const { text } = configFrom(['local', 'core.quotepath', 'true'], ['local', 'core.repositoryformatversion', '0']);
  expect(text).toBe(ours);
});

test('lists files that repository settings, not user settings, make git read', () => {
  expect(
    configFrom(['global', 'core.excludesfile', '~/ignored'], ['local', 'core.attributesfile', 'my/attributes']),
  ).toMatchObject({ namedFiles: ['/work/my/attributes'], text: expect.stringContaining('excludesfile = "~/ignored"') });
});

test.each([['extensions.partialclone'], ['remote.origin.promisor']])('recognizes a partial clone by %s', (key) => {
  expect(configFrom(['local', key, 'true']).isPartialClone).toBe(true);
  expect(configFrom(['local', 'remote.origin.url', 'x']).isPartialClone).toBe(false);
});
