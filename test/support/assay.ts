import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { readLongReply } from './server/long-reply.ts';
import { waitLimitMs } from './vitest/limits.ts';

export const root = fileURLToPath(new URL('../../', import.meta.url));
/** The release that test/support/vitest/build-release.ts has built; outside of the end-to-end tests, the sources. */
export const bin = process.env['ASSAY_TEST_BIN'] ?? join(root, 'bin/assay.js');

/** `legacy` opens with `initialize` (2025), `modern` with the stateless 2026-07-28 envelope. */
export type Era = 'legacy' | 'modern';
export const eras: Era[] = ['legacy', 'modern'];

interface Start {
  args?: string[];
  cwd?: string;
  env?: Record<string, string>;
  /** Destination of its log: a pipe, or the output of the test. */
  stderr?: 'pipe' | 'inherit';
}

/** The variables that find programs, folders and the browser. No others are passed on. */
const inherited = ['PATH', 'HOME', 'TMPDIR', 'ASSAY_BROWSER'];

const environment = (env: Record<string, string> = {}): Record<string, string> => ({
  ...Object.fromEntries(inherited.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
  ...env,
});

class PatientClient extends Client {
  override callTool(...[params, options]: Parameters<Client['callTool']>): ReturnType<Client['callTool']> {
    return super.callTool(params, { timeout: waitLimitMs, ...options });
  }
}

function newClient(era: Era): Client {
  return new PatientClient(
    { name: 'assay-test', version: '1' },
    { versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' } },
  );
}

export type Connection = Client & AsyncDisposable;

function disposable(client: Client, end: () => Promise<void> = async () => {}): Connection {
  return Object.assign(client, {
    async [Symbol.asyncDispose]() {
      await client.close();
      await end();
    },
  });
}

/** A real client on a real server process, over stdio. */
export async function connectStdio(
  era: Era,
  { args = [], cwd = root, env, stderr = 'pipe' }: Start = {},
): Promise<Connection> {
  const client = newClient(era);
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [bin, 'serve', ...args],
      cwd,
      env: environment(env),
      stderr,
    }),
  );
  return disposable(client);
}

export interface HttpServer extends AsyncDisposable {
  url: string;
  token: string;
  child: ChildProcess;
  /** Everything that it has printed on stderr so far. */
  stderr(): string;
}

/** A real server process on a free port of 127.0.0.1 with access to its working directory. */
export async function startHttp({
  args = ['--toolsets', 'coverage', '--folders', '.'],
  cwd = root,
  env,
}: Start = {}): Promise<HttpServer> {
  const child = spawn(process.execPath, [bin, 'serve', '--http', '--port', '0', ...args], {
    cwd,
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  const ready = Promise.withResolvers<void>();
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
    if (/claude mcp add .*\n/.test(stderr)) ready.resolve();
  });
  child.on('close', () => ready.reject(new Error(`the server ended: ${stderr}`)));
  await ready.promise;
  return {
    url: /at (http:\S+)/.exec(stderr)?.[1] ?? '',
    token: env?.['ASSAY_TOKEN'] ?? /Bearer (\S+)"/.exec(stderr)?.[1] ?? '',
    child,
    stderr: () => stderr,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await once(child, 'close');
      }
    },
  };
}

export async function connectHttp(
  era: Era,
  server: Pick<HttpServer, 'url' | 'token'>,
  { query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = {},
): Promise<Connection> {
  const client = newClient(era);
  const transport = new StreamableHTTPClientTransport(new URL(server.url + query), {
    requestInit: { headers: { authorization: `Bearer ${server.token}`, ...headers } },
  });
  await client.connect(transport);
  return disposable(client);
}

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the command line to its end. */
export function runAssay(
  args: string[],
  { cwd = root, env, input = '' }: Omit<Start, 'args'> & { input?: string } = {},
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin, ...args], { cwd, env: environment(env), stdio: 'pipe' });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => void out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => void err.push(chunk));
    child.on('error', reject);
    child.on('close', (code) =>
      resolve({ code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }),
    );
    child.stdin.end(input);
  });
}

/** Calls a tool, and returns the progress that the client has got. Its own handler gets notices in front of a response as well. */
export async function progressOf(client: Connection, name: string, args: Record<string, unknown>) {
  const heard: { progress: number; total?: number | undefined; message?: string | undefined }[] = [];
  client.setNotificationHandler('notifications/progress', ({ params: { progress, total, message } }) => {
    heard.push({ progress, total, message });
  });
  const result: { structuredContent?: Result } = await client.callTool({ name, arguments: args }, { onprogress() {} });
  return { started: result.structuredContent, heard };
}

// biome-ignore lint/suspicious/noExplicitAny: each tool has its own result, and the tests say which
export type Result = any;

/** Calls a tool and returns its data with all parts of a long reply. Throws the text of a tool error. */
export const callOn =
  (client: Pick<Connection, 'callTool'>) =>
  async (name: string, args: Record<string, unknown> = {}): Promise<Result> => {
    const call = async (given: Record<string, unknown>): Promise<Result> => {
      const result = await client.callTool({ name, arguments: given });
      const [content] = result.content;
      const text = content?.type === 'text' ? content.text : '';
      if (result.isError) throw new Error(text);
      return result.structuredContent;
    };
    return readLongReply(call, args);
  };
