/** By what AI tools are recognized in a commit, as data. */

interface AiTool {
  tool: string;
  /** An address or account that only this tool uses. */
  account: RegExp;
  /** Its name, which a person may also have or mention. */
  name: RegExp;
}

/** Which tool an account or a name belongs to. */
export const aiTools: readonly AiTool[] = [
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

/** Trailers that disclose the use of a tool. */
export const disclosureTrailer =
  /^(assisted-by|generated-by|generated-with|made-with|ai-assisted-by|ai-generated-by)$/i;
/** A sentence of a commit message that says who or what wrote the change. */
export const attribution: readonly { language: 'en'; words: RegExp }[] = [
  { language: 'en', words: /\b(generated|written|created|made)\s+(with|by)\b/i },
];
