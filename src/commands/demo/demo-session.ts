import { Failure } from '../../platform/errors.ts';
import type { connectToChild } from '../../server/mcp-client.ts';
import { printStdout } from '../command.ts';

export type DemoClient = Awaited<ReturnType<typeof connectToChild>>;
export type ToolData = Record<string, unknown>;

const MOST_SHOWN_CHARACTERS = 700;
const LONGEST_CALL_MS = 120_000;

/** Calls tools, and prints headings and lines about their results. */
export interface DemoSession {
  /** Calls a tool; shows the call and its result in verbose mode. Throws on an error result. */
  call(name: string, args: ToolData): Promise<ToolData>;
  /** Calls a tool without showing it, for polling. */
  callQuietly(name: string, args: ToolData): Promise<ToolData>;
  /** Calls a tool that must return an error result. Throws on success and on internal errors. */
  callExpectingError(name: string, args: ToolData): Promise<ToolData>;
  read(uri: string): Promise<string | undefined>;
  printHeading(title: string): Promise<void>;
  printLine(text: string): Promise<void>;
}

export function createDemoSession(
  client: Pick<DemoClient, 'callTool' | 'readResource'>,
  isVerbose: boolean,
): DemoSession {
  const show = async (line: string) => {
    if (isVerbose)
      await printStdout(
        `     ${line.length > MOST_SHOWN_CHARACTERS ? `${line.slice(0, MOST_SHOWN_CHARACTERS)} …` : line}`,
      );
  };
  const call = async (name: string, args: ToolData, isSuccessExpected: boolean) => {
    const result = await client.callTool({ name, arguments: args }, { timeout: LONGEST_CALL_MS });
    const parts = result.content.map((content) => (content.type === 'text' ? content.text : `[${content.type}]`));
    const text = parts.join(' ');
    const data = toToolData(result.structuredContent);
    // An internal error has an errorId and is not the expected error.
    const isFine = result.isError === true ? !isSuccessExpected && data['errorId'] === undefined : isSuccessExpected;
    if (!isFine) throw new Failure('site_failed', 'DEMO_STEP', `${name}: ${text}`);
    return { data, text };
  };
  const shown = async (name: string, args: ToolData, isSuccessExpected: boolean) => {
    await show(`→ ${name} ${JSON.stringify(args)}`);
    const { data, text } = await call(name, args, isSuccessExpected);
    await show(`← ${text}`);
    return data;
  };
  let chapters = 0;
  return {
    call: (name, args) => shown(name, args, true),
    callQuietly: async (name, args) => (await call(name, args, true)).data,
    callExpectingError: (name, args) => shown(name, args, false),
    async read(uri) {
      const [content] = (await client.readResource({ uri })).contents;
      if (!content) return undefined;
      return 'blob' in content ? Buffer.from(content.blob, 'base64').toString('utf8') : content.text;
    },
    printHeading: (title) => printStdout(`\n${++chapters}. ${title}`),
    printLine: (text) => printStdout(`   ${text}`),
  };
}

export function toToolData(content: unknown): ToolData {
  return { ...(typeof content === 'object' ? content : {}) };
}

/** Returns the objects of a list in a result. */
export function listRecords(data: ToolData, key: string): ToolData[] {
  const found = data[key];
  return Array.isArray(found) ? found.filter((one) => typeof one === 'object' && one !== null) : [];
}
