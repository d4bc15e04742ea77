import { expect, test } from 'vitest';
import { findAuthorshipSignals } from './authorship.ts';

const person = { name: 'Ada', email: 'ada@example.test', date: '2026-01-01T00:00:00Z' };

function signalsOf(subject: string, trailers: string[] = [], author = person): string[] {
  const message = `${subject}\n\n${trailers.join('\n')}\n`;
  const commit = { id: 'x', tree: 'x', parents: [], author, committer: person, subject, message, trailers, files: [] };
  return findAuthorshipSignals(commit).map(({ tool, signal, confidence }) => `${tool}: ${signal}, ${confidence}`);
}

test.each([
  ['Co-authored-by: Claude <noreply@anthropic.com>', ['Claude: trailer Co-authored-by (address), high']],
  [
    'Co-Authored-By: Copilot <175728472+Copilot@users.noreply.github.com>',
    ['GitHub Copilot: trailer Co-Authored-By (address), high'],
  ],
  ['Co-authored-by: aider (gpt) <noreply@aider.chat>', ['Aider: trailer Co-authored-by (address), high']],
  ['Co-authored-by: Claude Dupont <claude@example.test>', ['Claude: trailer Co-authored-by (name only), medium']],
  ['Co-authored-by: Alan <alan@example.test>', []],
  ['Assisted-by: Cursor', ['Cursor: trailer Assisted-by, high']],
  ['Generated-by: my own model', ['unnamed: trailer Generated-by, medium']],
  ['Signed-off-by: Cursor <c@example.test>', []],
  ['Replit-Commit-Author: Agent', ['Replit Agent: trailer Replit-Commit-Author, high']],
])('reads the trailer %j', (trailer, expected) => {
  expect(signalsOf('fix: it', [trailer])).toEqual(expected);
});

test('ranks an account above a sentence and a sentence above a mention', () => {
  expect(signalsOf('fix: it', [], { ...person, name: 'copilot-swe-agent[bot]' })).toEqual([
    'GitHub Copilot: author account, high',
  ]);
  expect(signalsOf('fix: generated with Claude Code')).toEqual(['Claude: sentence in the message, medium']);
  expect(signalsOf('fix: move the cursor left')).toEqual(['Cursor: mention in the message, low']);
  expect(signalsOf('fix: it')).toEqual([]);
});
