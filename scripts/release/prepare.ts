import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { addVersion, nextVersion, parseChangelog, parseVersion, readCommits, releaseNotes } from './changelog.ts';

const run = promisify(execFile);

interface Manifest {
  version: string;
  repository: { url: string };
}

export interface PreparedRelease {
  version: string;
  /** Section of CHANGELOG.md, in Markdown. */
  section: string;
}

/**
 * Writes the changelog section and the number of the next version into the files of a repository. Before the first tag, the
 * section is the content of "Unreleased" and the version is that of package.json.
 */
export async function prepareRelease(
  root: string,
  { version, date, dryRun }: { version?: string | undefined; date: string; dryRun: boolean },
): Promise<PreparedRelease> {
  if (version !== undefined) parseVersion(version);
  if (!dryRun && (await git(root, ['status', '--porcelain'])) !== '')
    throw new Error('The working tree has changes. Commit or stash them first.');
  const manifest: Manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const tag = await lastTag(root);
  const commits = tag === undefined ? [] : readCommits(await commitsSince(root, tag));
  const next = version ?? (tag === undefined ? manifest.version : nextVersion(manifest.version, commits));
  const changelog = await readChangelog(root, manifest);
  const release = addVersion(changelog, { version: next, date, commits });
  if (!dryRun) {
    await writeFile(join(root, 'CHANGELOG.md'), changelog.toString());
    await setVersion(root, next);
  }
  return { version: next, section: release.toString(changelog) };
}

/** The release notes of a tag. Throws unless the tag, package.json and CHANGELOG.md have the same version. */
export async function checkedNotes(root: string, tag: string): Promise<string> {
  const manifest: Manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  if (tag !== `v${manifest.version}`)
    throw new Error(`The tag ${tag} does not match package.json, which has the version ${manifest.version}`);
  return releaseNotes(await readChangelog(root, manifest), manifest.version);
}

async function readChangelog(root: string, { repository }: Manifest) {
  const url = repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
  return parseChangelog(await readFile(join(root, 'CHANGELOG.md'), 'utf8'), url);
}

async function setVersion(root: string, version: string): Promise<void> {
  for (const name of ['package.json', 'package-lock.json']) {
    const file = JSON.parse(await readFile(join(root, name), 'utf8'));
    file.version = version;
    if (file.packages?.['']) file.packages[''].version = version;
    await writeFile(join(root, name), `${JSON.stringify(file, null, 2)}\n`);
  }
}

async function lastTag(root: string): Promise<string | undefined> {
  const tags = await git(root, ['tag', '--list', 'v*', '--merged', 'HEAD', '--sort=-version:refname']);
  return tags.split('\n')[0] || undefined;
}

async function commitsSince(root: string, tag: string): Promise<{ hash: string; message: string }[]> {
  const log = await git(root, ['log', `${tag}..HEAD`, '--no-merges', '-z', '--format=%H%n%B']);
  return log
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => ({ hash: entry.slice(0, entry.indexOf('\n')), message: entry.slice(entry.indexOf('\n') + 1) }));
}

async function git(root: string, args: readonly string[]): Promise<string> {
  const { stdout } = await run('git', args, { cwd: root, maxBuffer: 64 * 1024 * 1024 });
  return stdout.trim();
}
