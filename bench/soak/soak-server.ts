import { execFileSync } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { findBrowser } from '../../src/platform/browser/installed-browser.ts';
import { describeCatalog } from '../../src/tool/catalog.ts';
import { testHome } from '../../test/sites/workspace.ts';
import { type Connection, connectHttp, connectStdio, startHttp } from '../../test/support/assay.ts';
import { findErrorLines } from './log-errors.ts';

export type Transport = 'stdio' | 'http';

export interface SoakServer {
  client: Connection;
  pid: number;
  onExit(listener: () => void): void;
  /** Log lines that report a defect. */
  errors(): string[];
  close(): Promise<void>;
}

/** Starts a server with its own home folder and the project as working directory. */
export async function startSoakServer(transport: Transport, cwd: string, folder: string): Promise<SoakServer> {
  const env = await homeWithBrowser(join(folder, 'home'));
  if (transport === 'stdio') {
    const client = await connectStdio('modern', { cwd, env });
    const { transport: child } = client;
    if (!(child instanceof StdioClientTransport) || !child.pid) throw new Error('The stdio server has no process id');
    const { pid } = child;
    let log = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      log += chunk.toString();
    });
    return {
      client,
      pid,
      onExit: (listener) => {
        client.onclose = listener;
      },
      errors: () => findErrorLines(log),
      close: async () => client[Symbol.asyncDispose](),
    };
  }
  const server = await startHttp({ args: await httpArguments(), cwd, env });
  const client = await connectHttp('modern', server);
  return {
    client,
    pid: server.child.pid ?? 0,
    errors: () => findErrorLines(server.stderr()),
    onExit: (listener) => void server.child.once('exit', listener),
    async close() {
      await client[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Serves all toolsets, with rate limits that no call reaches. */
async function httpArguments(): Promise<string[]> {
  const { toolsets } = await describeCatalog();
  const limits = toolsets.flatMap(({ tools }) => tools.map(({ name }) => `${name}=1000000`));
  return [
    ...['--toolsets', toolsets.map(({ name }) => name).join(',')],
    ...[
      '--folders',
      '.',
      '--allow-addresses',
      '127.0.0.1',
      '--rate-limits',
      ['*=1000000', 'requests=10000000', ...limits].join(','),
    ],
  ];
}

async function homeWithBrowser(home: string): Promise<Record<string, string>> {
  await mkdir(join(testHome, 'browser'), { recursive: true });
  await findBrowser({ env: process.env, home: testHome });
  await mkdir(home, { recursive: true });
  await symlink(join(testHome, 'browser'), join(home, 'browser'));
  return { ASSAY_HOME: home };
}

export function residentMebibytes(pid: number): number {
  try {
    return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
  } catch {
    return Number.NaN;
  }
}
