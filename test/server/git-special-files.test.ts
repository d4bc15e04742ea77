import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Connection, connectHttp, connectStdio, startHttp } from '../support/assay.ts';
import { newFolder } from '../support/folders.ts';
import { isolatedGit, newRepo, type Repo } from '../support/git/repos.ts';

let client: Connection;
beforeAll(async () => {
  client = await connectStdio('modern', { args: ['--toolsets', 'coverage,standards'], env: isolatedGit });
});
afterAll(() => client[Symbol.asyncDispose]());

const gitIn = (path: string) =>
  execFileSync('ps', ['-eo', 'stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(`-C ${path}`) && !line.startsWith('Z'));

const clear = (path: string) => {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
};
const makePipe = (path: string) => {
  clear(path);
  execFileSync('mkfifo', [path]);
};
const linkToDevice = (path: string) => {
  clear(path);
  symlinkSync('/dev/zero', path);
};
const makeHuge = (path: string, end = '') => {
  writeFileSync(path, end, { flag: 'a' });
  truncateSync(path, 100 * 1024 ** 3);
};
const makeHugeSetting = (path: string) => {
  writeFileSync(path, '[a]\n\tb = ', { flag: 'a' });
  makeHuge(path);
};

/** A repository with a change, a folder and a nested repository. */
async function changedRepo(): Promise<Repo> {
  const repo = await newRepo({ 'a.txt': 'a\n', 'folder/b.txt': 'b\n' });
  repo.git('init', '-q', '-b', 'main', 'nested');
  repo.git('-C', 'nested', 'commit', '-q', '--allow-empty', '-m', 'chore: begin');
  await repo.commit('chore: nested');
  await repo.put({ 'a.txt': 'b\n', 'lcov.info': 'SF:a.txt\nDA:1,1\nend_of_record\n' });
  return repo;
}

async function readChange(repo: Repo): Promise<string> {
  const args = { lcovPath: join(repo.path, 'lcov.info'), repoPath: repo.path, base: 'main' };
  const { isError, content } = await client.callTool({ name: 'get_patch_coverage', arguments: args });
  expect(isError).toBe(true);
  return JSON.stringify(content);
}

test.each([
  '.git/HEAD',
  '.git/config',
  '.git/commondir',
  '.git/index',
  '.git/packed-refs',
  '.git/refs/heads/main',
  '.git/refs/replace/0000000000000000000000000000000000000000',
  '.git/info/exclude',
  '.git/objects/info/alternates',
  '.gitattributes',
  'folder/.gitignore',
  'nested/.git/HEAD',
])('names %s instead of waiting for it when it is a named pipe', async (name) => {
  await using repo = await changedRepo();
  makePipe(join(repo.path, name));
  expect(await readChange(repo)).toContain(`${name} is a named pipe, which git cannot read`);
  expect(gitIn(repo.path)).toEqual([]);
});

test('names a named pipe in an alternate object store, behind a link and in included settings', async () => {
  await using outer = await newFolder();
  const pipe = join(outer.path, 'store/info/alternates');
  makePipe(pipe);
  const lead: ((repo: Repo) => void)[] = [
    (repo) => writeFileSync(join(repo.path, '.git/objects/info/alternates'), `${join(outer.path, 'store')}\n`),
    (repo) => {
      clear(join(repo.path, '.git/info'));
      symlinkSync(join(outer.path, 'store/info'), join(repo.path, '.git/info'));
      symlinkSync('alternates', join(outer.path, 'store/info/exclude'));
    },
    (repo) => {
      writeFileSync(join(outer.path, 'settings'), `[include]\n\tpath = ${pipe}\n`);
      repo.git('config', 'include.path', '../included');
      symlinkSync(join(outer.path, 'settings'), join(repo.path, 'included'));
    },
  ];
  for (const change of lead) {
    await using repo = await changedRepo();
    change(repo);
    expect(await readChange(repo)).toMatch(/\/(?:alternates|exclude) is a named pipe, which git cannot read/);
    expect(gitIn(repo.path)).toEqual([]);
  }
});

test('names the named pipe in the errors of the standards tools', async () => {
  await using repo = await changedRepo();
  makePipe(join(repo.path, '.git/HEAD'));
  const { content } = await client.callTool({ name: 'caws_status', arguments: { workingDirectory: repo.path } });
  expect(JSON.stringify(content)).toContain('.git/HEAD is a named pipe, which git cannot read');
});

test('does not name files outside of the folders of an HTTP caller', async () => {
  await using outer = await newFolder();
  await outer.write('allowed/.git', 'gitdir: ../private\n');
  await outer.write('allowed/lcov.info', 'SF:a.txt\nDA:1,1\nend_of_record\n');
  makePipe(join(outer.path, 'private/HEAD'));
  mkdirSync(join(outer.path, 'private/objects'));
  mkdirSync(join(outer.path, 'private/refs'));
  const args = ['--toolsets', 'coverage', '--folders', 'allowed'];
  await using server = await startHttp({ cwd: outer.path, args, env: isolatedGit });
  await using caller = await connectHttp('modern', server);
  const path = join(outer.path, 'allowed');
  const given = { lcovPath: join(path, 'lcov.info'), repoPath: path };
  const { content } = await caller.callTool({ name: 'get_patch_coverage', arguments: given });
  expect(JSON.stringify(content)).toContain('A file outside of the allowed folders is a named pipe');
  expect(JSON.stringify(content)).not.toContain('private');
});

/** Files that git reads to their end, with a way to make them endless. */
const endless: [path: string, change: (path: string) => void, error: RegExp][] = [
  ['.git/objects/info/alternates', linkToDevice, /alternates is a device/],
  ['.git/objects/info/alternates', makeHuge, /git used more than \d+ MiB of memory/],
  ['.git/commondir', linkToDevice, /commondir is a device/],
  ['.git/HEAD', makeHuge, /git used more than \d+ MiB of memory/],
  ['.git/refs/heads/main', linkToDevice, /main is a device/],
  ['.git/refs/replace/0000000000000000000000000000000000000000', linkToDevice, /0000 is a device/],
  ['.git/info/grafts', linkToDevice, /grafts is a device/],
  ['.git/info/attributes', linkToDevice, /attributes is a device/],
  ['.git/config', makeHugeSetting, /git used more than \d+ MiB of memory/],
];

test.each(endless)('rejects a repository whose %s has no end', async (name, change, error) => {
  await using repo = await changedRepo();
  change(join(repo.path, name));
  expect(await readChange(repo)).toMatch(error);
  expect(gitIn(repo.path)).toEqual([]);
});
