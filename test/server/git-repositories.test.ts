import { execFileSync } from 'node:child_process';
import { appendFile, chmod, readdir, rename, rm, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { checkPath } from '../../src/platform/files/files.ts';
import { openGitRepository } from '../../src/platform/git/git-repository.ts';
import { type Folder, newFolder } from '../support/folders.ts';
import { isolatedGit, newRepo, type Repo, repoAt } from '../support/git/repos.ts';

let outer: Folder;
beforeEach(async () => {
  outer = await newFolder();
  for (const [name, value] of Object.entries(isolatedGit)) vi.stubEnv(name, value);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await outer[Symbol.asyncDispose]();
});

const text = (word: string) => Array.from({ length: 9 }, (_, line) => `${word} ${line}\n`).join('');

/** A repository with work that is committed, staged, unstaged and untracked. */
async function workOn(repo: Repo): Promise<Repo> {
  repo.git('checkout', '-q', '-b', 'work');
  await repo.commit('work', { 'a.txt': text('b'), 'moved.txt': text('moved') });
  await repo.put({ 'a.txt': text('c'), 'new.txt': text('new'), 'untracked.txt': text('u'), 'x.ignored': '' });
  repo.git('add', 'new.txt');
  return repo;
}
const base = { 'a.txt': text('a'), 'b.txt': text('b'), '.gitignore': '*.ignored\n' };

describe('reads the same as plain git from', () => {
  const kinds: [kind: string, make: () => Promise<Repo>][] = [
    ['an ordinary one', async () => workOn(await newRepo(base))],
    [
      'of SHA-256',
      async () => {
        const repo = repoAt(await newFolder());
        repo.git('init', '-q', '-b', 'main', '--object-format=sha256');
        await repo.commit('begin', base);
        return workOn(repo);
      },
    ],
    [
      'packed, with a split index',
      async () => {
        const repo = await workOn(await newRepo(base));
        repo.git('gc', '-q');
        repo.git('pack-refs', '--all');
        repo.git('update-index', '--split-index');
        return repo;
      },
    ],
    [
      'with line ends of Windows',
      async () => {
        const repo = await newRepo(base);
        repo.git('config', 'core.autocrlf', 'true');
        await workOn(repo);
        await repo.put({ 'b.txt': text('b').replaceAll('\n', '\r\n') });
        return repo;
      },
    ],
    [
      'with a filter like that of Git LFS',
      async () => {
        const repo = await newRepo();
        repo.git('config', 'filter.upper.clean', 'tr a-z A-Z');
        await repo.put({ '.gitattributes': 'filtered.txt filter=upper\n', 'filtered.txt': text('f') });
        // Long before the index is written, so that its times are to be trusted.
        await utimes(join(repo.path, 'filtered.txt'), 1, 1);
        await repo.commit('begin', base);
        return workOn(repo);
      },
    ],
    [
      'with a sparse checkout',
      async () => {
        const repo = await newRepo({ ...base, 'in/a.txt': 'a\n', 'out/a.txt': 'a\n' });
        repo.git('sparse-checkout', 'set', '--cone', '--sparse-index', 'in');
        return workOn(repo);
      },
    ],
    [
      'with patterns in a file of its own and of its user',
      async () => {
        const repo = await workOn(await newRepo(base));
        await repo.put({ 'x.local': '', 'x.user': '', '.patterns': '*.local\n.patterns\n' });
        const config = await outer.write('gitconfig', `[core]\n\tattributesFile = ${outer.path}/attributes\n`);
        await outer.write('attributes', 'a.txt -diff\n');
        vi.stubEnv('GIT_CONFIG_GLOBAL', config);
        repo.git('config', 'core.excludesFile', '.patterns');
        return repo;
      },
    ],
    [
      'with a submodule at another commit',
      async () => {
        const repo = await newRepo(base);
        await using inner = await newRepo({ 'i.txt': 'i\n' });
        repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.path, 'inner');
        await repo.commit('with a submodule');
        await workOn(repo);
        repo.git('-C', 'inner', 'commit', '-q', '--allow-empty', '-m', 'other');
        return repo;
      },
    ],
  ];

  test.each(kinds)('%s', async (_, make) => {
    await using repo = await make();
    await compare(repo.path);
  });

  test('a folder with line ends in its name', async () => {
    await using repo = await workOn(await newRepo(base));
    const odd = join(outer.path, 'two\nlines\n');
    await rename(repo.path, odd);
    expect(await openGitRepository(odd)).toMatchObject({ workTree: odd, commonDir: join(odd, '.git') });
    await compare(odd);
  });

  test('a linked work tree, also from a folder of it', async () => {
    await using main = await workOn(await newRepo({ ...base, 'sub/s.txt': text('s') }));
    main.git('worktree', 'add', '-q', '-b', 'other', join(outer.path, 'linked'), 'main');
    const linked = join(outer.path, 'linked');
    await outer.write('linked/a.txt', text('d'));
    await outer.write('linked/sub/untracked.txt', text('d'));
    await compare(linked);
    await compare(join(linked, 'sub'));
  });

  test.each([
    ['a shallow clone', ['--depth=1']],
    ['a clone that shares the objects of another', ['--shared']],
    ['a clone that refers to another', ['--reference', 'source']],
  ])('%s', async (_, options) => {
    const source = await workOn(await newRepo(base));
    await rename(source.path, join(outer.path, 'source'));
    const from = options[0] === '--shared' ? 'source' : `file://${outer.path}/source`;
    repoAt(outer).git('clone', '-q', '--no-single-branch', ...options, from, 'clone');
    const clone = repoAt({ ...outer, path: join(outer.path, 'clone') });
    clone.git('branch', 'main', 'origin/main');
    await outer.write('clone/a.txt', text('d'));
    await compare(clone.path);
  });

  const plainGit = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' });

  async function compare(folder: string): Promise<void> {
    const opened = await openGitRepository(folder);
    const commands: Parameters<typeof opened.run>[] = [
      ['diff', ['-U0', '-M', 'main']],
      ['diff', ['--raw', '--numstat', '--cached', 'main']],
      ['ls-files', ['--others', '--exclude-standard', '--full-name']],
      ['log', ['--format=%H %an %s', '--name-status']],
      ['for-each-ref', []],
      ['rev-parse', ['--is-shallow-repository', 'HEAD', 'HEAD^{tree}']],
    ];
    for (const [command, args] of commands) {
      const { code, stdout, stderr } = await opened.run(command, args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout.toString('utf8')).toBe(plainGit(folder, command, ...args));
    }
  }
});

test('finds the hooks folder from every folder, with a relative core.hooksPath too', async () => {
  await using repo = await newRepo({ ...base, 'sub/s.txt': text('s') });
  const hooksFrom = async (folder: string) => (await openGitRepository(join(repo.path, folder))).hooks();
  expect(await hooksFrom('sub')).toEqual({ path: join(repo.path, '.git/hooks'), configured: undefined });
  repo.git('config', 'core.hooksPath', '.githooks');
  for (const folder of ['.', 'sub']) {
    expect(await hooksFrom(folder)).toEqual({ path: join(repo.path, '.githooks'), configured: '.githooks' });
  }
});

test('ignores settings that change after the repository was opened', async () => {
  await using repo = await workOn(await newRepo(base));
  const opened = await openGitRepository(repo.path);
  const program = await outer.write('program', `#!/bin/sh\n: > ${outer.path}/started\n`);
  await chmod(program, 0o755);
  repo.git('config', 'diff.external', program);
  const { stdout } = await opened.run('diff', ['main']);
  expect(stdout.toString()).toContain('+++ b/a.txt');
  expect(await readdir(outer.path)).toEqual(['program']);
  repo.git('diff', 'main');
  expect(await readdir(outer.path)).toEqual(['program', 'started']);
});

describe('a caller with allowed folders', () => {
  const open = (path: string) =>
    openGitRepository(path, { checkPath: (one) => checkPath(one, outer.path, [join(outer.path, 'allowed')]) });

  /** A repository in the allowed folder, and one outside of it. */
  async function twoRepositories(): Promise<{ repo: Repo; other: string }> {
    for (const name of ['allowed/repo', 'private']) {
      await outer.write(`${name}/a.txt`, text(name));
      const repo = repoAt({ ...outer, path: join(outer.path, name) });
      repo.git('init', '-q', '-b', 'main');
      repo.git('add', '-A');
      repo.git('commit', '-q', '-m', name);
    }
    return { repo: repoAt({ ...outer, path: join(outer.path, 'allowed/repo') }), other: join(outer.path, 'private') };
  }
  const git = (path: string) => join(outer.path, 'allowed/repo/.git', path);
  const write = (path: string, content: string | Uint8Array) => outer.write(`allowed/repo/.git/${path}`, content);

  const ways: [way: string, arrange: (other: string) => Promise<unknown>, reason: RegExp][] = [
    ['an alternate', (other) => write('objects/info/alternates', `${other}/.git/objects\n`), /an alternate object/],
    ['a relative alternate', () => write('objects/info/alternates', '../../../../private/.git/objects\n'), /alternate/],
    [
      'a quoted alternate',
      (other) => write('objects/info/alternates', `"${other}/.gi\\164/objects"\n`),
      /an alternate object/,
    ],
    [
      'an alternate that is not UTF-8',
      async (other) => {
        const name = Buffer.from(`${outer.path}/allowed/\xff`, 'latin1');
        await symlink(join(other, '.git/objects'), name);
        await write('objects/info/alternates', Buffer.concat([name, Buffer.from('\n')]));
      },
      /an alternate object/,
    ],
    [
      'an alternate of an alternate',
      async (other) => {
        await write('objects/info/alternates', `${outer.path}/allowed/between\n`);
        await outer.write('allowed/between/info/alternates', `${other}/.git/objects\n`);
      },
      /an alternate object/,
    ],
    [
      'alternates from a pipe',
      async () => execFileSync('mkfifo', [git('objects/info/alternates')]),
      /an alternate object/,
    ],
    [
      'a link in its object store',
      async (other) => {
        await rm(git('objects/pack'), { recursive: true });
        await symlink(join(other, '.git/objects/pack'), git('objects/pack'));
      },
      /a link in an object store/,
    ],
    [
      'a link in its git folder',
      (other) => symlink(join(other, '.git/config'), git('packed-refs')),
      /a link in its git folder/,
    ],
    [
      'its git folder',
      async (other) => {
        await rm(git(''), { recursive: true });
        await outer.write('allowed/repo/.git', `gitdir: ${other}/.git\n`);
      },
      /its git folder/,
    ],
    [
      'a file that its settings name',
      (other) => appendFile(git('config'), `[core]\n\texcludesFile = ${other}/a.txt\n`),
      /a file that its settings name/,
    ],
  ];

  test.each(ways)('cannot read another repository by %s', async (_, arrange, reason) => {
    const { repo, other } = await twoRepositories();
    await expect(open(repo.path)).resolves.toMatchObject({ workTree: repo.path });
    await arrange(other);
    await expect(open(repo.path)).rejects.toMatchObject({
      code: 'PATH_NOT_ALLOWED',
      message: expect.stringMatching(reason),
    });
    await expect(openGitRepository(repo.path)).resolves.toMatchObject({ workTree: repo.path });
  });

  test('can read a repository with an alternate in them', async () => {
    const { repo } = await twoRepositories();
    repoAt(outer).git('clone', '-q', '--shared', 'allowed/repo', 'allowed/clone');
    const opened = await open(join(outer.path, 'allowed/clone'));
    const { stdout } = await opened.run('rev-parse', ['HEAD^{commit}']);
    expect(stdout.toString().trim()).toBe(repo.git('rev-parse', 'HEAD'));
  });
});
