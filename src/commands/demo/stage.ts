import type { connectToChild } from '../../mcp/client.ts';
import { print } from '../command.ts';

export type Client = Awaited<ReturnType<typeof connectToChild>>;
export type Data = Record<string, unknown>;

const SHOWN = 700;
const LONGEST_CALL_MS = 120_000;

/** Shows a call as an agent makes it, and what comes back. */
export async function call(client: Client, name: string, args: Data): Promise<Data> {
  const shown = JSON.stringify(args);
  await print(`  → ${name} ${shown.length > SHOWN ? `${shown.slice(0, SHOWN)} …` : shown}`);
  const result = await client.callTool({ name, arguments: args }, { timeout: LONGEST_CALL_MS });
  const text = result.content
    .map((content) => (content.type === 'text' ? content.text : `[${content.type}]`))
    .join('\n    ');
  await print(`  ← ${text.length > SHOWN ? `${text.slice(0, SHOWN)} …` : text}`);
  return dataOf(result.structuredContent);
}

/** Calls without showing: for what an agent does again and again, such as waiting. */
export async function ask(client: Client, name: string, args: Data): Promise<Data> {
  const result = await client.callTool({ name, arguments: args }, { timeout: LONGEST_CALL_MS });
  return dataOf(result.structuredContent);
}

export const title = (text: string) => print(`\n${text}`);
export const say = (text: string) => print(`  ${text}`);

function dataOf(content: unknown): Data {
  return { ...(typeof content === 'object' ? content : {}) };
}

/** The objects of a list in an answer. */
export function list(data: Data, key: string): Data[] {
  const found = data[key];
  return Array.isArray(found) ? found.filter((one) => typeof one === 'object' && one !== null) : [];
}
