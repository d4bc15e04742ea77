import type { LoggedCommit } from '../history/git-log.ts';
import type { AuthorshipSignal } from './chain-entry.ts';

interface AiTool {
  tool: string;
  /** An address or account that only this tool uses. */
  account: RegExp;
  /** Its name, which a person may also have or mention. */
  name: RegExp;
}

const aiTools: AiTool[] = [
  {
    tool: 'Claude',
    account: /\bnoreply@anthropic\.com$|^claude(-code)?\[bot\]/i,
    name: /\bclaude(\s+(code|opus|sonnet|haiku))?\b/i,
  },
  {
    tool: 'GitHub Copilot',
    account: /\+copilot@users\.noreply\.|^(copilot-swe-agent|github-copilot)\[bot\]/i,
    name: /\bcopilot\b/i,
  },
  { tool: 'Cursor', account: /\bcursoragent@cursor\.com$/i, name: /\bcursor(\s*agent)?\b/i },
  { tool: 'Aider', account: /\bnoreply@aider\.chat$|\(aider\)$/i, name: /\baider\b/i },
  {
    tool: 'Codex',
    account: /\bnoreply@openai\.com$|\bcodex@openai\.com$|^(chatgpt-)?codex(-connector)?\[bot\]/i,
    name: /\b(codex|chatgpt)\b/i,
  },
  { tool: 'Devin', account: /^devin-ai-integration\[bot\]|\+devin-ai-integration\[bot\]@/i, name: /\bdevin\s*ai\b/i },
  { tool: 'Gemini', account: /^(gemini-code-assist|google-labs-jules)\[bot\]/i, name: /\b(gemini|jules)\b/i },
  { tool: 'Windsurf', account: /\b(cascade|windsurf)@(codeium|windsurf)\.com$/i, name: /\b(windsurf|codeium)\b/i },
  { tool: 'Amazon Q', account: /^amazon-q-developer\[bot\]/i, name: /\bamazon\s*q\b/i },
  { tool: 'OpenHands', account: /\bopenhands@all-hands\.dev$/i, name: /\bopenhands\b/i },
  { tool: 'Replit Agent', account: /^replit-agent\b/i, name: /\breplit(\s*agent)?\b/i },
];

const disclosureTrailer = /^(assisted-by|generated-by|generated-with|made-with|ai-assisted-by|ai-generated-by)$/i;
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
    if (/\b(generated|written|created|made)\s+(with|by)\b/i.test(line))
      add(agent.tool, 'sentence in the message', 'medium');
    else add(agent.tool, 'mention in the message', 'low');
  }
}
