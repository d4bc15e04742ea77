import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

export interface Postgres extends AsyncDisposable {
  url: string;
  /** Goes away as a server does that is restarted; nobody's connection outlives it. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** A PostgreSQL of the test's own, in a private folder, on a socket in it; undefined, said loudly, where there is none. */
export async function startPostgres(): Promise<Postgres | undefined> {
  const bin = folderOfPostgres();
  if (!bin) {
    process.stderr.write('\n!!! No PostgreSQL on this machine (initdb, postgres): its tests are SKIPPED.\n\n');
    return undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), 'assay-pg-'));
  const user = unprivileged();
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const init = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-A', 'trust', '-U', 'assay', '-E', 'UTF8', '--no-locale', '-N'],
    {
      ...user,
      cwd: folder,
      encoding: 'utf8',
    },
  );
  if (init.status !== 0) throw new Error(`initdb: ${init.stderr}`);
  const settings = ['listen_addresses=', `unix_socket_directories=${folder}`, 'fsync=off', 'shared_buffers=16MB'];
  let server: ChildProcess;
  const start = async () => {
    server = spawn(join(bin, 'postgres'), ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], {
      ...user,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await ready(server);
  };
  const stop = async () => {
    if (server.exitCode !== null) return;
    const ended = once(server, 'close');
    server.kill('SIGINT');
    await ended;
  };
  await start();
  return {
    url: `postgres://assay@${encodeURIComponent(folder)}/postgres`,
    start,
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function folderOfPostgres(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...globSync('/usr/lib/postgresql/*/bin')];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}

/** PostgreSQL refuses to run as root. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout);
  return { uid: id('-u'), gid: id('-g') };
}

async function ready(server: ChildProcess): Promise<void> {
  let said = '';
  await new Promise<void>((resolve, reject) => {
    server.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('ready to accept connections')) resolve();
    });
    server.on('close', () => reject(new Error(`postgres: ${said}`)));
  });
}
