import { Failure } from '../../platform/errors.ts';
import type { connectToChild } from '../../server/client.ts';
import { print } from '../command.ts';

export type Client = Awaited<ReturnType<typeof connectToChild>>;
export type Data = Record<string, unknown>;

const SHOWN = 700;
const LONGEST_CALL_MS = 120_000;

/** Where the story is told: a heading for each chapter, and a few lines below it. */
export interface Stage {
  /** Calls a tool as an agent does; where everything is to be seen, the call and its answer are shown. An error ends it. */
  call(name: string, args: Data): Promise<Data>;
  /** Calls without showing: for what an agent does again and again, such as waiting. */
  ask(name: string, args: Data): Promise<Data>;
  /** Calls where a refusal is the point of the story. */
  refused(name: string, args: Data): Promise<Data>;
  read(uri: string): Promise<string | undefined>;
  chapter(title: string): Promise<void>;
  say(text: string): Promise<void>;
}

export function stage(client: Pick<Client, 'callTool' | 'readResource'>, isVerbose: boolean): Stage {
  const show = async (line: string) => {
    if (isVerbose) await print(`     ${line.length > SHOWN ? `${line.slice(0, SHOWN)} …` : line}`);
  };
  const ask = async (name: string, args: Data, isWanted: boolean) => {
    const result = await client.callTool({ name, arguments: args }, { timeout: LONGEST_CALL_MS });
    const parts = result.content.map((content) => (content.type === 'text' ? content.text : `[${content.type}]`));
    const text = parts.join(' ');
    const data = dataOf(result.structuredContent);
    // A defect has a number of its own, and is nobody's refusal.
    const isFine = result.isError === true ? !isWanted && data['errorId'] === undefined : isWanted;
    if (!isFine) throw new Failure('site_failed', 'DEMO_STEP', `${name}: ${text}`);
    return { data, text };
  };
  const shown = async (name: string, args: Data, isWanted: boolean) => {
    await show(`→ ${name} ${JSON.stringify(args)}`);
    const { data, text } = await ask(name, args, isWanted);
    await show(`← ${text}`);
    return data;
  };
  let chapters = 0;
  return {
    call: (name, args) => shown(name, args, true),
    ask: async (name, args) => (await ask(name, args, true)).data,
    refused: (name, args) => shown(name, args, false),
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
