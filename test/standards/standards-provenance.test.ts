import { spawn, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { chmod, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bin, type Connection, connectStdio } from '../support/assay.ts';
import { type Folder, newFolder } from '../support/folders.ts';
import { isolatedGit, newRepo, type Repo, repoAt } from '../support/git/repos.ts';

/** A server without a key, one that signs, and one that knows only the public key. */
let keys: Folder;
let plain: Connection;
let signing: Connection;
let trusting: Connection;
beforeAll(async () => {
  keys = await newFolder();
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const secret = await keys.write('secret.pem', privateKey.export({ format: 'pem', type: 'pkcs8' }));
  const known = await keys.write('public.pem', publicKey.export({ format: 'pem', type: 'spki' }));
  const connect = (env = {}) =>
    connectStdio('modern', { args: ['--toolsets', 'standards'], env: { ...isolatedGit, ...env } });
  [plain, signing, trusting] = await Promise.all([
    connect(),
    connect({ ASSAY_SIGNING_KEY: secret }),
    connect({ ASSAY_VERIFY_KEY: known }),
  ]);
});
afterAll(async () => {
  for (const each of [plain, signing, trusting, keys]) await each[Symbol.asyncDispose]();
});

// biome-ignore lint/suspicious/noExplicitAny: each subcommand has its own result, and the tests say which
async function provenance(folder: Folder, subcommand: string, args = {}, client = plain): Promise<any> {
  const result = await client.callTool({
    name: 'caws_provenance',
    arguments: { subcommand, workingDirectory: folder.path, ...args },
  });
  const [content] = result.content;
  const answer = JSON.parse(content?.type === 'text' ? content.text : '');
  expect(answer.success).toBe(!result.isError);
  return answer;
}

const chainOf = (repo: Folder) => join(repo.path, '.caws/provenance/chain.jsonl');
const headOf = (repo: Folder) => join(repo.path, '.caws/provenance/head.json');
const codes = ({ faults = [] }: { faults?: { code: string; line?: number }[] }) =>
  faults.map(({ code, line }) => `${code}@${line ?? '-'}`);

/** A repository whose chain holds two commits. */
async function recorded(client = plain): Promise<Repo> {
  const repo = await newRepo({ 'a.txt': '1\n' });
  await provenance(repo, 'init', {}, client);
  for (const text of ['2', '3']) {
    repo.git('add', 'a.txt');
    await writeFile(join(repo.path, 'a.txt'), `${text}\n`);
    repo.git('commit', '-q', '-am', `fix: write ${text}`);
    await provenance(repo, 'update', { commit: 'HEAD' }, client);
  }
  return repo;
}

describe('caws_provenance', () => {
  test('records a commit from git, shows it and verifies it', async () => {
    await using repo = await newRepo({ 'a.txt': '1\n', 'b.txt': '1\n' });
    expect((await provenance(repo, 'init')).output).toContain('.caws/provenance/chain.jsonl');
    const id = await repo.commit('feat: add\n\nCo-authored-by: Claude <noreply@anthropic.com>', {
      'a.txt': '1\n2\n',
      'c.txt': 'x\n',
      'b.txt': null,
    });
    const { entries } = await provenance(repo, 'update', {
      commit: id.slice(0, 8),
      message: 'feat: add',
      author: 'tester@example.test',
    });
    expect(entries[0]).toMatchObject({
      seq: 2,
      event: 'commit',
      commit: {
        id,
        tree: repo.git('rev-parse', 'HEAD^{tree}'),
        parents: [repo.git('rev-parse', 'HEAD^')],
        subject: 'feat: add',
        author: { name: 'Tester' },
      },
      assisted_by: [{ tool: 'Claude', confidence: 'high' }],
    });
    expect(await provenance(repo, 'show')).toMatchObject({
      totalEntries: 2,
      output: expect.stringContaining('feat: add (Tester;'),
    });
    expect(await provenance(repo, 'verify')).toMatchObject({ valid: true, totalEntries: 2, warnings: [] });
    expect((await provenance(repo, 'verify', { quiet: true })).output).toBe('');
    expect((await provenance(repo, 'update', { commit: id })).output).toContain('Already recorded');
    expect((await readFile(chainOf(repo), 'utf8')).split('\n')).toHaveLength(3);
  });

  test('records the current spec and gates', async () => {
    await using repo = await newRepo({ 'package.json': '{"name":"a"}' });
    await plain.callTool({ name: 'caws_scaffold', arguments: { workingDirectory: repo.path } });
    await provenance(repo, 'init');
    await repo.commit('chore: spec');
    const { entries } = await provenance(repo, 'update');
    expect(entries[0]).toMatchObject({
      spec: { id: 'FEAT-0001', file: expect.stringMatching(/^sha256:/) },
      gates: { overall_status: expect.stringMatching(/^quality_/) },
    });
  });

  test.each([
    [{ commit: 'abc123' }, 'ENOENT', 'not in this repository'],
    [{ message: 'feat: something else' }, 'EINVAL', 'contradicts git'],
    [{ author: 'user@example.com' }, 'EINVAL', 'contradicts git'],
    [{ commit: '--all' }, 'ENOENT', 'not in this repository'],
    [{ commit: 'HEAD:a.txt' }, 'ENOENT', 'not in this repository'],
  ])('rejects the claim %j', async (claim, code, said) => {
    await using repo = await newRepo({ 'a.txt': '1\n' });
    await provenance(repo, 'init');
    expect(await provenance(repo, 'update', claim)).toMatchObject({
      code,
      error: expect.stringContaining(said),
      command: 'caws provenance update',
    });
    expect((await readFile(chainOf(repo), 'utf8')).split('\n')).toHaveLength(2);
  });

  test('names the step that is missing', async () => {
    await using folder = await newFolder();
    expect((await provenance(folder, 'init')).error).toContain('git init');
    await using repo = await newRepo();
    expect((await provenance(repo, 'update')).error).toContain('commit first');
    for (const subcommand of ['show', 'verify'])
      expect((await provenance(repo, subcommand)).error).toContain('subcommand init');
    await provenance(repo, 'init');
    expect((await provenance(repo, 'init')).error).toContain('already');
    expect(await provenance(repo, 'verify')).toMatchObject({ valid: true });
  });

  test('reports every changed line by number', async () => {
    await using repo = await recorded();
    const text = await readFile(chainOf(repo), 'utf8');
    await writeFile(
      chainOf(repo),
      text
        .replace('"subject":"fix: write 2"', '"subject":"fix: write 9"')
        .replace('"name":"Tester","email"', '"name":"T","email"'),
    );
    const found = await provenance(repo, 'verify');
    expect(found).toMatchObject({ success: false, code: 'EINVAL' });
    expect(codes(found)).toEqual(expect.arrayContaining(['hash_mismatch@2', 'contradicts_git@2']));
    expect(found.error).toMatch(/line 2, byte \d+, entry 2: was changed/);
    expect((await provenance(repo, 'update')).error).toContain('broken');
  });

  test('detects removed, moved and truncated lines even if the remaining digests are valid', async () => {
    await using repo = await recorded();
    const text = await readFile(chainOf(repo), 'utf8');
    const [one, two, three] = text.split('\n');
    const verifyWith = async (...lines: (string | undefined)[]) => {
      await writeFile(chainOf(repo), `${lines.join('\n')}\n`);
      return codes(await provenance(repo, 'verify'));
    };
    expect(await verifyWith(one, two)).toEqual(['head_mismatch@-']);
    expect(await verifyWith(one, three)).toContain('broken_link@2');
    expect(await verifyWith(one, three, two)).toContain('out_of_sequence@2');
    expect(await verifyWith(one, two, two, three)).toContain('out_of_sequence@3');
    await rm(headOf(repo));
    expect(await verifyWith(one, two, three)).toEqual(['no_head@-']);
  });

  test('detects a rewritten chain after it was committed', async () => {
    await using repo = await recorded();
    await repo.commit('chore: keep the chain');
    await rm(join(repo.path, '.caws'), { recursive: true });
    await provenance(repo, 'init');
    const found = await provenance(repo, 'verify');
    expect(codes(found)).toEqual(['history_rewritten@1']);
    expect(found.faults[0].byte).toBeGreaterThan(0);
    await repo.commit('chore: hide it');
    expect((await provenance(repo, 'verify')).error).toMatch(/commit [0-9a-f]{12} removed lines/);
  });

  test('recognises an amended commit and reports unrecorded commits', async () => {
    await using repo = await recorded();
    repo.git('commit', '-q', '--amend', '-m', 'fix: write 3 better');
    const { valid, warnings } = await provenance(repo, 'verify');
    expect([valid, warnings.map(({ code }: { code: string }) => code)]).toEqual([true, ['rewritten', 'not_recorded']]);
  });

  test('rejects a commit that git does not have', async () => {
    await using repo = await recorded();
    await using other = await newRepo({ 'z.txt': '' });
    for (const file of [chainOf, headOf]) {
      await other.write('.caws/provenance/x', '');
      await writeFile(file(other), await readFile(file(repo)));
    }
    expect(codes(await provenance(other, 'verify'))).toEqual(['commit_missing@2', 'commit_missing@3']);
  });

  test('keeps every line of concurrent writers', async () => {
    await using repo = await newRepo({ 'a.txt': '0\n' });
    await provenance(repo, 'init');
    const ids: string[] = [];
    for (let count = 1; count <= 6; count++) ids.push(await repo.commit(`feat: ${count}`, { 'a.txt': `${count}\n` }));
    const processes = ids.slice(0, 2).map(async (id) => {
      const args = [bin, 'call', 'caws_provenance', '--subcommand', 'update', '--commit', id];
      const child = spawn(process.execPath, args, {
        cwd: repo.path,
        stdio: 'ignore',
        env: { PATH: process.env['PATH'], ...isolatedGit },
      });
      expect((await once(child, 'close'))[0]).toBe(0);
    });
    await Promise.all([...processes, ...ids.slice(2).map((commit) => provenance(repo, 'update', { commit }))]);
    expect(await provenance(repo, 'verify')).toMatchObject({ valid: true, totalEntries: 7 });
  });

  test('leaves the chain unchanged if the disk is full', async () => {
    await using repo = await recorded();
    const before = await readFile(chainOf(repo));
    await repo.commit(`feat: ${'long '.repeat(300)}`, { 'a.txt': '4\n' });
    const limited = (blocks: number, ...command: string[]) =>
      spawnSync('sh', ['-c', 'ulimit -f "$1"; shift; "$@"', 'sh', String(blocks), ...command], {
        cwd: repo.path,
        env: { PATH: process.env['PATH'], ...isolatedGit },
      });
    // Shells count in blocks of 512 or of 1024 bytes.
    limited(1, 'cp', '/bin/sh', join(repo.path, 'block'));
    const block = (await readFile(join(repo.path, 'block'))).length;
    const args = [bin, 'call', 'caws_provenance', '--subcommand', 'update'];
    expect(limited(Math.floor(before.length / block) + 1, process.execPath, ...args).status).toBe(1);
    expect(await readFile(chainOf(repo))).toEqual(before);
    expect(await provenance(repo, 'update')).toMatchObject({ success: true, totalEntries: 4 });
    expect(await provenance(repo, 'verify')).toMatchObject({ valid: true });
  });

  test('writes nothing through a link', async () => {
    await using outside = await newFolder();
    await using repo = await newRepo({ 'a.txt': '' });
    await repo.write('.caws/keep', '');
    await symlink(outside.path, join(repo.path, '.caws/provenance'));
    expect(await provenance(repo, 'init')).toMatchObject({ success: false });
    expect(await readdir(outside.path)).toEqual([]);
    await using other = await recorded();
    await rename(chainOf(other), join(outside.path, 'chain'));
    await symlink(join(outside.path, 'chain'), chainOf(other));
    const before = await readFile(join(outside.path, 'chain'));
    expect(await provenance(other, 'update')).toMatchObject({ success: false });
    expect(await readFile(join(outside.path, 'chain'))).toEqual(before);
  });

  test('works in a shallow clone, on a detached head, and in a work tree', async () => {
    await using repo = await recorded();
    await repo.commit('chore: keep the chain');
    await using outside = await newFolder();
    repoAt(outside).git('clone', '-q', '--depth', '1', `file://${repo.path}`, 'clone');
    expect(await provenance({ ...outside, path: join(outside.path, 'clone') }, 'verify')).toMatchObject({
      valid: true,
    });
    repo.git('worktree', 'add', '-q', '--detach', join(outside.path, 'tree'));
    const tree = { ...outside, path: join(outside.path, 'tree') };
    expect(await provenance(tree, 'update')).toMatchObject({ totalEntries: 4 });
    expect(await provenance(tree, 'verify')).toMatchObject({ valid: true });
  });
});

describe('a signed chain', () => {
  test('is signed in every entry and accepts none without the key', async () => {
    await using repo = await recorded(signing);
    expect(await provenance(repo, 'verify', {}, trusting)).toMatchObject({
      valid: true,
      signedBy: expect.stringMatching(/^sha256:/),
    });
    expect(await provenance(repo, 'verify')).toMatchObject({
      valid: true,
      signedBy: expect.stringMatching(/^sha256:/),
    });
    await repo.commit('fix: more', { 'a.txt': '9\n' });
    expect((await provenance(repo, 'update')).error).toContain('ASSAY_SIGNING_KEY');
  });

  test('cannot be replaced by an unsigned chain', async () => {
    await using repo = await recorded();
    expect(await provenance(repo, 'verify')).toMatchObject({ valid: true });
    expect(codes(await provenance(repo, 'verify', {}, trusting))).toEqual(
      expect.arrayContaining(['not_signed@1', 'not_signed@2', 'not_signed@3', 'not_signed@-']),
    );
  });

  test('is exported as a self-contained in-toto statement', async () => {
    await using repo = await recorded(signing);
    const { attestation, output } = await provenance(repo, 'show', { attestation: 'att.json' }, signing);
    expect(output).toContain('att.json');
    expect(JSON.parse(await readFile(join(repo.path, 'att.json'), 'utf8'))).toEqual(attestation);
    expect(attestation.payloadType).toBe('application/vnd.in-toto+json');
    expect(JSON.parse(Buffer.from(attestation.payload, 'base64').toString())).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [{ digest: { gitCommit: repo.git('rev-parse', 'HEAD') } }],
    });
    expect(await provenance(repo, 'verify', { attestation: 'att.json' }, trusting)).toMatchObject({ valid: true });
    const changed = Buffer.from(attestation.payload, 'base64').toString().replace('fix: write 3', 'fix: write 4');
    await repo.write(
      'forged.json',
      JSON.stringify({ ...attestation, payload: Buffer.from(changed).toString('base64') }),
    );
    expect((await provenance(repo, 'verify', { attestation: 'forged.json' }, trusting)).error).toContain(
      'it has no signature of',
    );
    for (const attestation of ['../att.json', '/etc/passwd', 'att.json', '.git/hooks/post-checkout'])
      expect(await provenance(repo, 'show', { attestation }, signing), attestation).toMatchObject({ success: false });
  });

  test('rejects an unreadable key without showing its content', async () => {
    await using repo = await newRepo({ 'a.txt': '' });
    const file = await keys.write('bad.pem', 'PRIVATE nonsense');
    await chmod(file, 0o600);
    await using client = await connectStdio('modern', {
      args: ['--toolsets', 'standards'],
      env: { ...isolatedGit, ASSAY_SIGNING_KEY: file },
    });
    const { error } = await provenance(repo, 'init', {}, client);
    expect(error).toContain('ASSAY_SIGNING_KEY');
    expect(error).not.toContain('nonsense');
  });
});

describe('analyze-ai', () => {
  test('counts signs by confidence and reports other commits as unknown', async () => {
    await using repo = await newRepo({ 'src/a.js': '1\n' });
    await repo.commit('feat: one\n\nCo-authored-by: Claude <noreply@anthropic.com>', {
      'src/a.js': '1\n2\n3\n',
      'test/a.test.js': 'x\n',
    });
    await repo.commit('feat: two\n\nAssisted-by: Cursor', { 'src/b.js': '1\n' });
    await repo.commit('fix: three\n\nThe copilot of the plane is named.', { 'src/c.js': '1\n' });
    const noted = await repo.commit('fix: four', { 'src/d.js': '1\n' });
    repo.git('notes', '--ref=ai', 'add', '-m', 'who wrote what', noted);
    const { analysis, output } = await provenance(repo, 'analyze-ai');
    expect(analysis).toMatchObject({
      commits_analyzed: 5,
      assisted: { commits: 3, lines_added: 5, with_tests: 1 },
      unknown: { commits: 2 },
    });
    expect(
      analysis.by_tool
        .map(({ tool, confidence }: { tool: string; confidence: string }) => `${tool} ${confidence}`)
        .sort(),
    ).toEqual(['Claude high', 'Cursor high', 'unnamed high']);
    expect(analysis.signals).toContainEqual({ signal: 'mention in the message', confidence: 'low', commits: 1 });
    expect(output).not.toMatch(/human/i);
  });

  test('finds no signs in a history without them or without commits', async () => {
    await using repo = await newRepo();
    expect((await provenance(repo, 'analyze-ai')).analysis).toMatchObject({ commits_analyzed: 0 });
    await repo.commit('feat: one', { 'a.js': '1\n' });
    expect((await provenance(repo, 'analyze-ai')).analysis).toMatchObject({
      assisted: { commits: 0 },
      unknown: { commits: 1 },
    });
  });
});
