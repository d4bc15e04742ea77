import type { connectToChild } from '../../mcp/client.ts';
import { print } from '../command.ts';

export type Client = Awaited<ReturnType<typeof connectToChild>>;
export type Data = Record<string, unknown>;

const SHOWN = 700;
const LONGEST_CALL_MS = 120_000;

/** Where the story is told: a heading for each chapter, and a few lines below it. */
export interface Stage {
  /** Calls a tool as an agent does; where everything is to be seen, the call and its answer are shown. */
  call(name: string, args: Data): Promise<Data>;
  /** Calls without showing: for what an agent does again and again, such as waiting. */
  ask(name: string, args: Data): Promise<Data>;
  /** The text of an answer, which for an error is all there is. */
  hear(name: string, args: Data): Promise<string>;
  read(uri: string): Promise<string | undefined>;
  chapter(title: string): Promise<void>;
  say(text: string): Promise<void>;
}

export function stage(client: Client, isVerbose: boolean): Stage {
  const show = async (line: string) => {
    if (isVerbose) await print(`     ${line.length > SHOWN ? `${line.slice(0, SHOWN)} …` : line}`);
  };
  const ask = (name: string, args: Data) => client.callTool({ name, arguments: args }, { timeout: LONGEST_CALL_MS });
  const shown = async (name: string, args: Data) => {
    await show(`→ ${name} ${JSON.stringify(args)}`);
    const result = await ask(name, args);
    const parts = result.content.map((content) => (content.type === 'text' ? content.text : `[${content.type}]`));
    await show(`← ${parts.join(' ')}`);
    return { data: dataOf(result.structuredContent), text: parts.join(' ') };
  };
  let chapters = 0;
  return {
    call: async (name, args) => (await shown(name, args)).data,
    ask: async (name, args) => dataOf((await ask(name, args)).structuredContent),
    hear: async (name, args) => (await shown(name, args)).text,
    async read(uri) {
      const [content] = (await client.readResource({ uri })).contents;
      if (!content) return undefined;
      return 'blob' in content ? Buffer.from(content.blob, 'base64').toString('utf8') : content.text;
    },
    chapter: (title) => print(`\n${++chapters}. ${title}`),
    say: (text) => print(`   ${text}`),
  };
}

export function dataOf(content: unknown): Data {
  return { ...(typeof content === 'object' ? content : {}) };
}

/** The objects of a list in an answer. */
export function list(data: Data, key: string): Data[] {
  const found = data[key];
  return Array.isArray(found) ? found.filter((one) => typeof one === 'object' && one !== null) : [];
}
