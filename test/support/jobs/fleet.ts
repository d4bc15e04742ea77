import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { findBrowser } from '../../../src/platform/browser/installed-browser.ts';
import { testHome } from '../../sites/workspace.ts';
import { bin, type Connection, connectHttp, type HttpServer, root, startHttp } from '../assay.ts';
import { eventually } from '../eventually.ts';
import { type Folder, newFolder } from '../folders.ts';
import { type Postgres, startPostgres } from '../services/postgres.ts';
import { type S3Server, startS3 } from '../services/s3-server.ts';

const TOKEN = 'token-of-the-fleet-test';

/** Servers that run no jobs, and workers, each with a home folder of its own: they share a database and a bucket. */
export interface Fleet extends AsyncDisposable {
  postgres: Postgres;
  s3: S3Server;
  /** One client for each server. */
  clients: Connection[];
  servers: HttpServer[];
  /** Home folders of the servers. */
  homes: string[];
  workers: FleetWorker[];
  /** Settings of every process, without a home folder. */
  env: Record<string, string>;
  startWorker(args?: string[], env?: Record<string, string>): Promise<FleetWorker>;
}

interface FleetWorker {
  child: ChildProcess;
  home: string;
  /** Address of its probes and metrics. */
  url: string;
  stderr(): string;
}

interface FleetOptions {
  servers?: number;
  workers?: number;
  serverArgs?: string[];
  workerArgs?: string[];
  /** More settings of every process. */
  env?: Record<string, string>;
  /** The token of the clients. */
  token?: string;
}

export async function startFleet({
  servers: serverCount = 2,
  workers: workerCount = 2,
  serverArgs = ['--toolsets', 'accessibility,qa', '--no-jobs'],
  workerArgs = [],
  env: extraEnv = {},
  token,
}: FleetOptions = {}): Promise<Fleet> {
  const stack = new AsyncDisposableStack();
  const postgres = stack.use(await startPostgres());
  const s3 = stack.use(await startS3());
  const folder = stack.use(await newFolder());
  const env = {
    ...{ ASSAY_DATABASE_URL: postgres.url, ASSAY_ACCESSIBILITY_ENGINE: 'native' },
    ...(token === undefined && { ASSAY_TOKEN: TOKEN }),
    ...s3.env,
    ASSAY_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    ...extraEnv,
  };
  let homes = 0;

  async function startWorker(args: string[] = [], extra: Record<string, string> = {}): Promise<FleetWorker> {
    const home = await newHome(folder, `worker-${++homes}`);
    const child = spawn(process.execPath, [bin, 'worker', '--health-port', '0', ...workerArgs, ...args], {
      cwd: root,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env, ASSAY_HOME: home, ...extra },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let printed = '';
    child.stderr.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
    stack.defer(() => endProcess(child));
    const url = await eventually(() => {
      const [address] = /http:\/\/[\d.:]+/.exec(printed) ?? [];
      if (address === undefined) throw new Error(`no address in: ${printed}`);
      return address;
    });
    return { child, home, url, stderr: () => printed };
  }

  const servers: HttpServer[] = [];
  const clients: Connection[] = [];
  const serverHomes: string[] = [];
  for (let number = 1; number <= serverCount; number++) {
    const home = await newHome(folder, `server-${number}`);
    const args = ['--allow-addresses', '127.0.0.1', ...serverArgs];
    const server = stack.use(await startHttp({ args, env: { ...env, ASSAY_HOME: home } }));
    servers.push(server);
    serverHomes.push(home);
    clients.push(stack.use(await connectHttp('modern', token === undefined ? server : { ...server, token })));
  }
  const workers: FleetWorker[] = [];
  for (let number = 1; number <= workerCount; number++) workers.push(await startWorker());
  return {
    ...{ postgres, s3, clients, servers, homes: serverHomes, workers, env, startWorker },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** A home folder with the browser that all tests share. */
async function newHome(folder: Folder, name: string): Promise<string> {
  mkdirSync(join(testHome, 'browser'), { recursive: true });
  await findBrowser({ env: process.env, home: testHome });
  const home = join(folder.path, name);
  mkdirSync(home, { recursive: true });
  symlinkSync(join(testHome, 'browser'), join(home, 'browser'));
  return home;
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'close');
  child.kill('SIGKILL');
  await ended;
}
