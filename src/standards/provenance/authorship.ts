import type { LoggedCommit } from '../history/git-log.ts';
import { aiTools, attribution, disclosureTrailer } from './ai-tools.ts';
import type { AuthorshipSignal } from './chain-entry.ts';

const MAX_SIGNALS = 10;

/**
 * Finds signs that an AI tool took part in a commit, each with its confidence. No sign proves that a person wrote a commit
 * alone, so a commit without a sign is unknown.
 */
export function findAuthorshipSignals(commit: LoggedCommit, hasNote = false): AuthorshipSignal[] {
  const found: AuthorshipSignal[] = [];
  const add = (tool: string, signal: string, confidence: AuthorshipSignal['confidence']) => {
    if (!found.some((other) => other.tool === tool && other.signal === signal))
      found.push({ tool, signal, confidence });
  };
  if (hasNote) add('unnamed', 'git note (refs/notes/ai)', 'high');
  for (const [role, { name, email }] of [
    ['author', commit.author],
    ['committer', commit.committer],
  ] as const) {
    const agent = aiTools.find(({ account }) => account.test(email) || account.test(name));
    if (agent) add(agent.tool, `${role} account`, 'high');
  }
  for (const line of commit.trailers) addTrailerSignals(line, add);
  addTextSignals(commit, add);
  return found.slice(0, MAX_SIGNALS);
}

type AddSignal = (tool: string, signal: string, confidence: AuthorshipSignal['confidence']) => void;

function addTrailerSignals(line: string, add: AddSignal): void {
  const colon = line.indexOf(':');
  const key = line.slice(0, colon).trim();
  const value = line.slice(colon + 1).trim();
  const named = aiTools.find(({ name }) => name.test(value));
  if (disclosureTrailer.test(key)) add(named?.tool ?? 'unnamed', `trailer ${key}`, named ? 'high' : 'medium');
  else if (/^replit-commit-author$/i.test(key) && /^agent$/i.test(value)) add('Replit Agent', `trailer ${key}`, 'high');
  if (!/^co-authored-by$/i.test(key)) return;
  const [, name = value, email = ''] = /^(.*?)\s*<([^>]*)>$/.exec(value) ?? [];
  const account = aiTools.find((agent) => agent.account.test(email) || agent.account.test(name));
  if (account) add(account.tool, `trailer ${key} (address)`, 'high');
  else if (named) add(named.tool, `trailer ${key} (name only)`, 'medium');
}

function addTextSignals({ message, trailers }: LoggedCommit, add: AddSignal): void {
  const prose = message
    .split('\n')
    .filter((line) => !trailers.some((trailer) => trailer.startsWith(line.trim()) && line.trim() !== ''));
  for (const line of prose) {
    const agent = aiTools.find(({ name }) => name.test(line));
    if (!agent) continue;
    if (attribution.some(({ words }) => words.test(line))) add(agent.tool, 'sentence in the message', 'medium');
    else add(agent.tool, 'mention in the message', 'low');
  }
}
