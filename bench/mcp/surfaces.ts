import { readFileSync } from 'node:fs';
import { describeCatalog } from '../../src/tool/catalog.ts';
import { createToolSearch } from '../../src/tool/tool-search.ts';
import { printTable } from '../table.ts';
import { peerServers } from './servers.ts';
import { startStdioServer } from './stdio-server.ts';

/** Characters per token, as for the limits of the tests. */
const CHARACTERS = 4;
const MOST_LEAN_TOKENS = 3000;
const MOST_TOKENS_PER_TOOL = 190;

interface ListedTool {
  name: string;
  description?: string;
  inputSchema: unknown;
}

/** What a host learns of each server when it starts: number and size of the tools. */
export async function compareSurfaces(bin: string): Promise<void> {
  const { toolsets } = await describeCatalog();
  const servers: [name: string, args: string[]][] = [
    ['assay', [bin, 'serve']],
    ['assay --lean', [bin, 'serve', '--lean']],
    ...toolsets.map(({ name }): [string, string[]] => [`assay --toolsets ${name}`, [bin, 'serve', '--toolsets', name]]),
    ...peerServers(),
  ];
  const sizes = new Map<string, { tools: number; tokens: number }>();
  for (const [name, args] of servers) {
    const tools = await listTools(args);
    sizes.set(name, { tools: tools.length, tokens: tokensOf(tools) });
  }
  const rows = servers.map(([name]) => {
    const { tools = 0, tokens = 0 } = sizes.get(name) ?? {};
    return [name, String(tools), String(tokens), (tokens / tools).toFixed(0)];
  });
  const lean = sizes.get('assay --lean')?.tokens ?? 0;
  const all = sizes.get('assay') ?? { tools: 1, tokens: 0 };
  const isMet = lean < MOST_LEAN_TOKENS && all.tokens / all.tools <= MOST_TOKENS_PER_TOOL;
  printTable(
    'tools/list by mode, beside other servers (tokens of 4 characters, without output schemas)',
    ['', 'tools', 'tokens', 'per tool'],
    rows,
    `target: at most ${MOST_TOKENS_PER_TOOL} per tool, --lean below ${MOST_LEAN_TOKENS} — ${isMet ? 'met' : 'MISSED'}`,
  );
}

async function listTools(args: string[]): Promise<ListedTool[]> {
  const server = startStdioServer(args, '2025-11-25');
  await server.open();
  const answer = await server.request('tools/list');
  await server.close();
  const { result }: { result: { tools: ListedTool[] } } = JSON.parse(JSON.stringify(answer));
  return result.tools;
}

function tokensOf(tools: readonly ListedTool[]): number {
  const seen = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return Math.round(JSON.stringify(seen).length / CHARACTERS);
}

interface Sentence {
  sentence: string;
  tool: string;
  also?: string[];
}

/** How often the tool that a user's sentence means is found first, or among the first three. */
export async function searchFigures(): Promise<void> {
  const tools = (await describeCatalog()).toolsets.flatMap((toolset) => toolset.tools);
  const find = createToolSearch(tools);
  let isMet = true;
  const rows = ['own', 'blind'].map((set) => {
    const file = new URL(`../../test/server/search/${set}-sentences.json`, import.meta.url);
    const sentences: Sentence[] = JSON.parse(readFileSync(file, 'utf8'));
    const within = (rank: number) =>
      sentences.filter(({ sentence, tool, also = [] }) =>
        find(sentence)
          .slice(0, rank)
          .some((name) => [tool, ...also].includes(name)),
      ).length / sentences.length;
    isMet &&= within(1) >= 0.7 && within(3) >= 0.9;
    return [`${set} sentences`, String(sentences.length), percent(within(1)), percent(within(3))];
  });
  printTable(
    'Tool search over names and descriptions',
    ['', 'sentences', 'top 1', 'top 3'],
    rows,
    `target: top 1 at least 70 %, top 3 at least 90 % — ${isMet ? 'met' : 'MISSED'}`,
  );
}

const percent = (share: number) => `${Math.round(share * 100)} %`;
