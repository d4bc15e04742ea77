import { CommitParser } from 'conventional-commits-parser';
import { type Changelog, parser, Release } from 'keep-a-changelog';

export interface ConventionalCommit {
  type: string;
  scope: string | undefined;
  subject: string;
  breaking: boolean;
}

/** Section of the changelog for a commit type. Other types do not change what a user of the package sees. */
const sectionOf: Readonly<Record<string, 'added' | 'changed' | 'fixed'>> = {
  feat: 'added',
  fix: 'fixed',
  perf: 'changed',
};

const messages = new CommitParser({
  headerPattern: /^(\w+)(?:\(([^)]+)\))?(!)?: (.+)$/,
  headerCorrespondence: ['type', 'scope', 'mark', 'subject'],
});

/** Parses the Conventional Commits of a log, newest first as in `git log`. Other messages and reverted commits are left out. */
export function readCommits(log: readonly { hash: string; message: string }[]): ConventionalCommit[] {
  const parsed = log.map(({ hash, message }) => ({ hash, commit: messages.parse(message) }));
  const reverted = parsed.flatMap(({ commit }) => commit.revert?.['hash'] ?? []);
  return parsed.flatMap(({ hash, commit }) => {
    const { type, scope, mark, subject, notes } = commit;
    if (!type || !subject || reverted.some((start) => hash.startsWith(start))) return [];
    return [{ type, scope: scope ?? undefined, subject, breaking: Boolean(mark) || notes.length > 0 }];
  });
}

/** Parses a version such as 1.2.3; throws on a prerelease and on anything that is not a semantic version. */
export function parseVersion(version: string): [major: number, minor: number, patch: number] {
  const numbers = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.exec(version);
  if (!numbers) throw new Error(`"${version}" is not a version such as 1.2.3`);
  return [Number(numbers[1]), Number(numbers[2]), Number(numbers[3])];
}

/** Semantic Versioning: before 1.0.0 a breaking change raises the minor version, as npm's caret ranges expect. */
export function nextVersion(current: string, commits: readonly ConventionalCommit[]): string {
  const [major, minor, patch] = parseVersion(current);
  const breaks = commits.some(({ breaking }) => breaking);
  if (breaks && major > 0) return `${major + 1}.0.0`;
  const adds = commits.some(({ type }) => type === 'feat');
  return breaks || adds ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

/** Parses a file in the Keep a Changelog format; throws with the line number when the format is different. */
export function parseChangelog(text: string, repository: string): Changelog {
  const changelog = parser(text);
  changelog.format = 'markdownlint';
  changelog.url = repository;
  return changelog;
}

/** Turns the unreleased section into the section of a version and adds an entry for each commit that users notice. */
export function addVersion(
  changelog: Changelog,
  { version, date, commits }: { version: string; date: string; commits: readonly ConventionalCommit[] },
): Release {
  if (changelog.findRelease(version)) throw new Error(`CHANGELOG.md already has a section for ${version}`);
  const release = changelog.findRelease() ?? new Release();
  if (!changelog.releases.includes(release)) changelog.addRelease(release);
  for (const { type, scope, subject, breaking } of commits) {
    const section = breaking ? 'changed' : sectionOf[type];
    if (section === undefined) continue;
    const text = `${scope === undefined ? '' : `${scope}: `}${subject}`;
    release.addChange(section, breaking ? `**Breaking:** ${text}` : text);
  }
  if (release.isEmpty()) throw new Error(`Nothing to release: no commit since the last tag changes what a user sees`);
  release.setVersion(version);
  release.setDate(date);
  return release;
}

/** The section of a version without its heading, for the GitHub release. */
export function releaseNotes(changelog: Changelog, version: string): string {
  const release = changelog.findRelease(version);
  if (!release?.date)
    throw new Error(`CHANGELOG.md has no dated section for ${version}. Run: npm run release -- ${version}`);
  return `${release.toString(changelog).split('\n').slice(1).join('\n').trim()}\n`;
}
