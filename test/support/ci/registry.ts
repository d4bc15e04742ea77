import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { root } from '../assay.ts';
import type { Folder } from '../folders.ts';

/** Does not block: this process must notice connections that are closed meanwhile. */
const run = promisify(execFile);

const manifest = z.looseObject({
  name: z.string(),
  version: z.string(),
  files: z.array(z.string()).default([]),
  dependencies: z.record(z.string(), z.string()).default({}),
});
type Manifest = z.output<typeof manifest>;

/** One version of a package, and its tarball, made on request. */
interface Release {
  manifest: Manifest;
  tarball(): Promise<string>;
}

export interface Registry extends AsyncDisposable {
  url: string;
  /** Tarballs that were fetched, by their names. */
  fetched: string[];
}

/** An npm registry with our own package, as it would be published now, and those of this checkout that it depends on. */
export async function startRegistry(folder: Folder): Promise<Registry> {
  const ours = release(await buildOurs(folder), folder);
  const releases = [ours, ...dependenciesOf(ours.manifest, root, folder)];
  const fetched: string[] = [];
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1);
    const wanted = releases.find((one) => path === `${fileOf(one.manifest)}`);
    if (wanted) {
      fetched.push(path);
      response.setHeader('content-type', 'application/octet-stream');
      response.end(readFileSync(await wanted.tarball()));
      return;
    }
    const versions = releases.filter(({ manifest: { name } }) => name === path);
    if (versions.length === 0) response.statusCode = 404;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(documentFor(path, versions, `http://${request.headers.host}`)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    fetched,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const fileOf = ({ name, version }: Manifest) => `${name.replace('/', '-')}-${version}.tgz`;

/** The metadata of a package in a registry. */
function documentFor(name: string, releases: readonly Release[], host: string) {
  const versions = releases.map(({ manifest: own }) => [
    own.version,
    { ...own, dist: { tarball: `${host}/${fileOf(own)}` } },
  ]);
  return { name, 'dist-tags': { latest: versions[0]?.[0] }, versions: Object.fromEntries(versions) };
}

/** The folder that would be packed, with a new bundle of its own: other tests may build one at the same time. */
async function buildOurs(folder: Folder): Promise<string> {
  const directory = join(folder.path, 'ours');
  mkdirSync(directory, { recursive: true });
  await run(process.execPath, ['scripts/build.ts', join(directory, 'dist')], { cwd: root });
  const own = manifestOf(root);
  for (const name of ['package.json', ...own.files.filter((file) => file !== 'dist')])
    cpSync(join(root, name), join(directory, name), { recursive: true });
  return directory;
}

function release(directory: string, folder: Folder): Release {
  const own = manifestOf(directory);
  const file = join(folder.path, fileOf(own));
  // npm leaves out the first folder of each path, whatever it is called.
  const args = ['-czf', file, '--exclude=node_modules', '-C', dirname(directory), basename(directory)];
  let packed: Promise<unknown> | undefined;
  return {
    manifest: own,
    async tarball() {
      packed ??= run('tar', args);
      await packed;
      return file;
    },
  };
}

/** All dependencies of a package, each in the version of this checkout. */
function dependenciesOf(of: Manifest, from: string, folder: Folder, known = new Map<string, Release>()): Release[] {
  for (const name of Object.keys(of.dependencies)) {
    const directory = installed(name, from);
    if (known.has(directory)) continue;
    const found = release(directory, folder);
    known.set(directory, found);
    dependenciesOf(found.manifest, directory, folder, known);
  }
  return [...known.values()];
}

function installed(name: string, from: string): string {
  for (let directory = from; ; directory = dirname(directory)) {
    const candidate = join(directory, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return candidate;
    if (dirname(directory) === directory) throw new Error(`${name} is not installed`);
  }
}

function manifestOf(directory: string): Manifest {
  return manifest.parse(JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')));
}
