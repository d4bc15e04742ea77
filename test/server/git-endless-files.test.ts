import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Connection, connectStdio } from '../support/assay.ts';
import { isolatedGit, newRepo } from '../support/repos.ts';

let client: Connection;
beforeAll(async () => {
  client = await connectStdio('modern', { args: ['--toolsets', 'coverage,standards'], env: isolatedGit });
});
afterAll(() => client[Symbol.asyncDispose]());

const gitIn = (path: string) =>
  execFileSync('ps', ['-eo', 'stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(`-C ${path}`) && !line.startsWith('Z'));

const linkToDevice = (path: string) => {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
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

/** Files that git reads to their end, with a way to make them endless. */
const files: [path: string, change: (path: string) => void][] = [
  ['.git/objects/info/alternates', linkToDevice],
  ['.git/objects/info/alternates', makeHuge],
  ['.git/commondir', linkToDevice],
  ['.git/HEAD', makeHuge],
  ['.git/refs/heads/main', linkToDevice],
  ['.git/refs/replace/0000000000000000000000000000000000000000', linkToDevice],
  ['.git/info/grafts', linkToDevice],
  ['.git/info/attributes', linkToDevice],
  ['.git/config', makeHugeSetting],
];

test.each(files)('rejects a repository whose %s has no end', async (name, change) => {
  await using repo = await newRepo({ 'a.txt': 'a\n', 'lcov.info': 'SF:a.txt\nDA:1,1\nend_of_record\n' });
  writeFileSync(join(repo.path, 'a.txt'), 'b\n');
  change(join(repo.path, name));
  const args = { lcovPath: join(repo.path, 'lcov.info'), repoPath: repo.path, base: 'main' };
  const { isError, content } = await client.callTool({ name: 'get_patch_coverage', arguments: args });
  expect(isError).toBe(true);
  expect(JSON.stringify(content)).toMatch(/git used more than \d+ MiB of memory/);
  expect(gitIn(repo.path)).toEqual([]);
});
