import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nextVersion, parseChangelog, readCommits } from '../../scripts/release/changelog.ts';
import { checkedNotes, prepareRelease } from '../../scripts/release/prepare.ts';
import { root } from '../support/assay.ts';
import { newRepo, type Repo } from '../support/git/repos.ts';

const repository = 'https://github.com/assay-mcp/assay';
const heading = '# Changelog\n\nAll notable changes.\n';

/** A repository with a changelog and a manifest. */
function newProject(changelog: string): Promise<Repo> {
  const manifest = { name: 'sample', version: '0.1.0', repository: { type: 'git', url: `git+${repository}.git` } };
  return newRepo({
    'package.json': JSON.stringify(manifest),
    'package-lock.json': JSON.stringify({ version: '0.1.0', packages: { '': { version: '0.1.0' } } }),
    'CHANGELOG.md': changelog,
  });
}

const prepare = ({ path }: Repo, version?: string) =>
  prepareRelease(path, { version, date: '2026-11-18', dryRun: false });

test('CHANGELOG.md is in the Keep a Changelog format, byte for byte as the release script writes it', () => {
  const text = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  expect(parseChangelog(text, repository).toString()).toBe(text);
});

test('writes the section of a version from the commits since the last tag', async () => {
  await using project = await newProject(`${heading}\n## 0.1.0 - 2026-01-01\n\n### Added\n\n- The first version.\n`);
  project.git('tag', 'v0.1.0');
  await project.commit('feat(qa): classify guest books as content\n\nBody text.');
  await project.commit('fix: report a full disk (#12)');
  await project.commit('perf(coverage): read reports in one pass');
  await project.commit('docs: explain tokens');
  await project.commit('A message of another form');
  const mistake = await project.commit('feat(cli): add a flag that was a mistake');
  await project.commit(`Revert "feat(cli): add a flag that was a mistake"\n\nThis reverts commit ${mistake}.`);
  const { version } = await prepare(project);
  expect(version).toBe('0.2.0');
  expect(readFileSync(join(project.path, 'CHANGELOG.md'), 'utf8')).toBe(`${heading}
## [0.2.0] - 2026-11-18

### Added

- qa: classify guest books as content

### Changed

- coverage: read reports in one pass

### Fixed

- report a full disk (#12)

## [0.1.0] - 2026-01-01

### Added

- The first version.

[0.2.0]: ${repository}/compare/v0.1.0...v0.2.0
[0.1.0]: ${repository}/releases/tag/v0.1.0
`);
  for (const name of ['package.json', 'package-lock.json'])
    expect(JSON.parse(readFileSync(join(project.path, name), 'utf8')).version).toBe('0.2.0');
  expect(await checkedNotes(project.path, 'v0.2.0')).toMatch(/^### Added\n\n- qa: classify guest books as content\n/);
});

test('releases the hand-written section as it is while there is no tag', async () => {
  await using project = await newProject(`${heading}\n## Unreleased\n\n### Added\n\n- The server.\n`);
  await project.commit('feat: is described by hand already');
  const { version, section } = await prepare(project);
  expect(version).toBe('0.1.0');
  expect(section).toBe('## [0.1.0] - 2026-11-18\n\n### Added\n\n- The server.');
});

test('refuses a dirty working tree, a bad version, an empty release and a tag that does not match', async () => {
  await using project = await newProject(`${heading}\n## 0.1.0 - 2026-01-01\n\n### Added\n\n- One.\n`);
  project.git('tag', 'v0.1.0');
  await project.commit('test: cover more');
  await expect(prepare(project)).rejects.toThrow('Nothing to release');
  await expect(prepare(project, '1.2')).rejects.toThrow('"1.2" is not a version such as 1.2.3');
  await expect(checkedNotes(project.path, 'v9.9.9')).rejects.toThrow('does not match package.json');
  await project.write('new.txt', 'x');
  await expect(prepare(project)).rejects.toThrow('The working tree has changes');
});

test('raises the version by what the commits say', () => {
  const commits = (...texts: string[]) => readCommits(texts.map((message, index) => ({ hash: `${index}`, message })));
  expect(nextVersion('1.4.2', commits('fix: a'))).toBe('1.4.3');
  expect(nextVersion('1.4.2', commits('fix: a', 'feat: b'))).toBe('1.5.0');
  expect(nextVersion('1.4.2', commits('feat!: drop b'))).toBe('2.0.0');
  expect(nextVersion('0.4.2', commits('fix: a\n\nBREAKING CHANGE: b is removed'))).toBe('0.5.0');
});
