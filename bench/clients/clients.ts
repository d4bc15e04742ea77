/** Third-party MCP clients behind one interface. An operation is missing when the client has no public function or command for it that is known here. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { clientModule, clientProgram } from './packages.ts';
import { pythonSdk } from './python-sdk.ts';

export interface ServerAddress {
  folder: string;
  stdio: { command: string; args: string[]; cwd: string; env: Record<string, string> };
  http?: { url: string; headers: Record<string, string> };
}

const PROMPT = 'check_coverage_of_change';

/** Every operation throws when it does not get what it asked for. */
export interface ConnectedClient {
  list(): Promise<number>;
  call(lcovPath: string): Promise<unknown>;
  /** The URIs of resources. */
  resources?(): Promise<string[]>;
  /** What a resource contains, in the form that the client returns. */
  read?(uri: string): Promise<unknown>;
  prompt?(): Promise<unknown>;
  complete?(): Promise<string[]>;
  /** Number of progress notifications of a call. */
  progress?(lcovPath: string): Promise<number>;
  /** Cancels a running call; resolves when the client has ended it and the server answers the next request. */
  cancel?(lcovPath: string): Promise<void>;
  close(): Promise<void>;
}

/** The only client that npm does not install. */
export const PYTHON_SDK = 'Python SDK 2';

export const clients: Record<string, (server: ServerAddress) => Promise<ConnectedClient>> = {
  'MCP SDK 1': connectSdk1,
  'MCP SDK 2': connectSdk2,
  'AI SDK': connectAiSdk,
  'OpenAI Agents': connectOpenAiAgents,
  LangChain: connectLangChain,
  Inspector: async (server) => inspector(server),
  mcporter: async (server) => mcporter(server),
  [PYTHON_SDK]: async (server) => pythonSdk(server),
};

const PROMPT_ARGUMENTS = { lcovPath: 'lcov.info' };
const CALL = 'get_overall_coverage';
const REFERENCE = { type: 'ref/prompt', name: PROMPT };

async function connectSdk1({ stdio, http }: ServerAddress): Promise<ConnectedClient> {
  const { Client } = await import(clientModule('@modelcontextprotocol/sdk/client/index.js'));
  const { StdioClientTransport } = await import(clientModule('@modelcontextprotocol/sdk/client/stdio.js'));
  const { StreamableHTTPClientTransport } = await import(
    clientModule('@modelcontextprotocol/sdk/client/streamableHttp.js')
  );
  const client = new Client({ name: 'sdk1', version: '1' });
  await client.connect(
    http
      ? new StreamableHTTPClientTransport(new URL(http.url), { requestInit: { headers: http.headers } })
      : new StdioClientTransport({ ...stdio, stderr: 'ignore' }),
  );
  return sdkOperations(client, (params, options) => client.callTool(params, undefined, options));
}

async function connectSdk2({ stdio, http }: ServerAddress): Promise<ConnectedClient> {
  const { Client, StreamableHTTPClientTransport } = await import(clientModule('@modelcontextprotocol/client'));
  const { StdioClientTransport } = await import(clientModule('@modelcontextprotocol/client/stdio'));
  const client = new Client({ name: 'sdk2', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(
    http
      ? new StreamableHTTPClientTransport(new URL(http.url), { requestInit: { headers: http.headers } })
      : new StdioClientTransport({ ...stdio, stderr: 'ignore' }),
  );
  return sdkOperations(client, (params, options) => client.callTool(params, options));
}

const urisOf = (resources: unknown) =>
  Array.isArray(resources) ? resources.map(({ uri }: { uri: string }) => uri) : [];

interface SdkClient {
  listTools(): Promise<{ tools: unknown[] }>;
  listResources(): Promise<{ resources: unknown[] }>;
  readResource(params: { uri: string }): Promise<{ contents: unknown[] }>;
  getPrompt(params: unknown): Promise<{ messages: unknown[] }>;
  complete(params: unknown): Promise<{ completion: { values: string[] } }>;
  close(): Promise<void>;
}

type CallWithOptions = (params: unknown, options?: Record<string, unknown>) => Promise<{ structuredContent: unknown }>;

function sdkOperations(client: SdkClient, callTool: CallWithOptions): ConnectedClient {
  const request = (lcovPath: string) => ({ name: CALL, arguments: { lcovPath } });
  return {
    list: async () => (await client.listTools()).tools.length,
    call: async (lcovPath) => (await callTool(request(lcovPath))).structuredContent,
    resources: async () => urisOf((await client.listResources()).resources),
    read: async (uri) => (await client.readResource({ uri })).contents,
    prompt: async () => (await client.getPrompt({ name: PROMPT, arguments: PROMPT_ARGUMENTS })).messages,
    async complete() {
      const argument = { name: 'lcovPath', value: '' };
      return (await client.complete({ ref: REFERENCE, argument })).completion.values;
    },
    async progress(lcovPath) {
      let heard = 0;
      await callTool(request(lcovPath), { onprogress: () => void heard++ });
      return heard;
    },
    async cancel(lcovPath) {
      const controller = new AbortController();
      const options = { signal: controller.signal, onprogress: () => controller.abort() };
      const outcome = await callTool(request(lcovPath), options).then(
        () => 'completed',
        () => 'cancelled',
      );
      if (outcome !== 'cancelled') throw new Error('the call was not cancelled');
      await client.listTools();
    },
    close: () => client.close(),
  };
}

async function connectAiSdk({ stdio, http }: ServerAddress): Promise<ConnectedClient> {
  const { createMCPClient } = await import(clientModule('@ai-sdk/mcp'));
  const { Experimental_StdioMCPTransport: Stdio } = await import(clientModule('@ai-sdk/mcp/mcp-stdio'));
  const client = await createMCPClient({
    transport: http ? { type: 'http', ...http } : new Stdio({ ...stdio, stderr: 'ignore' }),
  });
  const tools = await client.tools();
  return {
    list: async () => Object.keys(tools).length,
    call: (lcovPath) => tools[CALL].execute({ lcovPath }, { toolCallId: '1', messages: [] }),
    resources: async () => urisOf((await client.listResources()).resources),
    read: async (uri) => (await client.readResource({ uri })).contents,
    prompt: async () => (await client.experimental_getPrompt({ name: PROMPT, arguments: PROMPT_ARGUMENTS })).messages,
    close: () => client.close(),
  };
}

async function connectOpenAiAgents({ stdio, http }: ServerAddress): Promise<ConnectedClient> {
  const { MCPServerStdio, MCPServerStreamableHttp } = await import(clientModule('@openai/agents'));
  const server = http
    ? new MCPServerStreamableHttp({ url: http.url, name: 'assay', requestInit: { headers: http.headers } })
    : new MCPServerStdio({ ...stdio, name: 'assay' });
  await server.connect();
  return {
    list: async () => (await server.listTools()).length,
    call: (lcovPath) => server.callTool(CALL, { lcovPath }),
    resources: async () => urisOf((await server.listResources()).resources),
    read: async (uri) => (await server.readResource(uri)).contents,
    close: () => server.close(),
  };
}

async function connectLangChain({ stdio, http }: ServerAddress): Promise<ConnectedClient> {
  const { MultiServerMCPClient } = await import(clientModule('@langchain/mcp-adapters'));
  let heard = 0;
  const client = new MultiServerMCPClient({
    mcpServers: { assay: http ? { transport: 'http', ...http } : { transport: 'stdio', ...stdio, stderr: 'ignore' } },
    onProgress: () => void heard++,
  });
  const tools: { name: string; invoke(args: unknown): Promise<unknown> }[] = await client.getTools();
  const call = (lcovPath: string) => tools.find(({ name }) => name === CALL)?.invoke({ lcovPath });
  return {
    list: async () => tools.length,
    call: async (lcovPath) => call(lcovPath),
    resources: async () => urisOf((await client.listResources('assay')).assay),
    read: (uri) => client.readResource('assay', uri),
    async progress(lcovPath) {
      heard = 0;
      await call(lcovPath);
      return heard;
    },
    close: () => client.close(),
  };
}

async function printJson(program: string, args: string[]): Promise<{ json: Record<string, unknown>; stderr: string }> {
  const options = { maxBuffer: 64 * 1024 * 1024 };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, ...args], options);
  return { json: JSON.parse(stdout), stderr };
}

const lengthOf = (value: unknown) => (Array.isArray(value) ? value.length : 0);

/** Lists with `--strict`, which ends with an error for input schemas that hosts do not understand. */
function inspector({ folder, stdio, http }: ServerAddress): ConnectedClient {
  const config = join(folder, 'inspector.json');
  const server = http ? { type: 'streamable-http', ...http } : { type: 'stdio', ...stdio };
  writeFileSync(config, JSON.stringify({ mcpServers: { assay: server } }));
  const ask = (method: string, ...rest: string[]) =>
    printJson(clientProgram('mcp-inspector'), [
      '--cli',
      '--config',
      config,
      '--server',
      'assay',
      '--method',
      method,
      ...rest,
    ]);
  return {
    async list() {
      const { json, stderr } = await ask('tools/list', '--strict');
      const problems = stderr.split('\n').filter((line) => /inputSchema/.test(line));
      if (problems.length > 0) throw new Error(problems.join('; '));
      return lengthOf(json['tools']);
    },
    async call(lcovPath) {
      const { json } = await ask('tools/call', '--tool-name', CALL, '--tool-arg', `lcovPath=${lcovPath}`);
      return json['structuredContent'];
    },
    resources: async () => urisOf((await ask('resources/list')).json['resources']),
    read: async (uri) => (await ask('resources/read', '--uri', uri)).json['contents'],
    prompt: async () =>
      (await ask('prompts/get', '--prompt-name', PROMPT, '--prompt-args', 'lcovPath=lcov.info')).json['messages'],
    close: async () => {},
  };
}

function mcporter({ folder, stdio, http }: ServerAddress): ConnectedClient {
  const config = join(folder, 'mcporter.json');
  writeFileSync(config, JSON.stringify({ mcpServers: { assay: http ?? stdio } }));
  const ask = async (...args: string[]) =>
    (await printJson(clientProgram('mcporter'), ['--config', config, ...args])).json;
  return {
    list: async () => lengthOf((await ask('list', 'assay', '--json'))['tools']),
    call: (lcovPath) => ask('call', `assay.${CALL}`, `lcovPath=${lcovPath}`, '--output', 'json'),
    resources: async () => urisOf((await ask('resource', 'assay', '--json'))['resources']),
    read: (uri) => ask('resource', 'assay', uri, '--json'),
    close: async () => {},
  };
}
