import type { SettingValues } from '../../platform/settings.ts';
import type { ProjectRepository } from '../git/repository.ts';
import { type LoggedCommit, readGitLog } from '../history/git-log.ts';
import { standardsSettings } from '../settings.ts';
import type { GovernedProject } from '../spec/project.ts';
import { canonicalJson } from './canonical-json.ts';
import type { ChainEntry, CommitEntry } from './chain-entry.ts';
import { chainNotFound, chainPath, readChainFiles } from './chain-file.ts';
import { type ChainProblem, checkChain } from './check-chain.ts';
import { readCommitsById, toCommitFacts } from './commit-facts.ts';
import { requireRepository } from './record-commit.ts';
import { keyId, loadTrustedKey, type PublicKey } from './signing.ts';

export interface VerifiedChain {
  entries: number;
  /** With any of these the chain proves nothing. */
  problems: ChainProblem[];
  /** Results of normal work that a reviewer may want to know. */
  warnings: ChainProblem[];
  signedBy: string | undefined;
}

/** Checks every byte of the chain and compares its entries with git. */
export async function verifyChain(project: GovernedProject, setting: SettingValues['get']): Promise<VerifiedChain> {
  const chainFiles = await readChainFiles(project.root);
  if (!chainFiles) throw chainNotFound();
  const { entries, lines, problems, key } = checkChain(chainFiles.chain, chainFiles.head, await loadPinnedKey(setting));
  const repository = requireRepository(project);
  const warnings: ChainProblem[] = [];
  await compareWithGit(repository, { entries, lines }, problems, warnings);
  await compareWithCommitted(repository, project.root, chainFiles.chain, problems);
  const notRecorded = await listUnrecordedCommits(repository, entries);
  const [latest] = notRecorded;
  if (latest)
    warnings.push({
      code: 'not_recorded',
      message: `${notRecorded.length} commits since the start of the chain are not recorded, the latest is ${latest.slice(0, 12)}`,
    });
  return { entries: entries.length, problems, warnings, signedBy: key && keyId(key) };
}

/** Only an explicit key is pinned: the current signing key need not have signed old entries. */
async function loadPinnedKey(setting: SettingValues['get']): Promise<PublicKey | undefined> {
  return setting(standardsSettings.verifyKey) ? loadTrustedKey(setting) : undefined;
}

async function compareWithGit(
  repository: ProjectRepository,
  { entries, lines }: { entries: readonly ChainEntry[]; lines: readonly number[] },
  problems: ChainProblem[],
  warnings: ChainProblem[],
): Promise<void> {
  const recorded = entries.filter((entry) => entry.event === 'commit');
  const known = await readCommitsById(
    repository,
    recorded.map(({ commit }) => commit.id),
  );
  const reachable = repository.head === undefined ? [] : await readGitLog(repository, [repository.head, '--']);
  const ids = new Set(reachable.map(({ id }) => id));
  const commitsByAuthor = Map.groupBy(reachable, authorKey);
  for (const [index, entry] of entries.entries()) {
    if (entry.event !== 'commit') continue;
    const at = { line: lines[index] ?? index + 1, seq: entry.seq };
    const commit = known.get(entry.commit.id);
    if (commit) {
      const message = describeContradiction(entry, commit, repository.shallow);
      if (message) problems.push({ code: 'contradicts_git', ...at, message });
    }
    if (ids.has(entry.commit.id)) continue;
    const rewrittenTo = commitsByAuthor.get(authorKey(entry.commit))?.find((commit) => isRewriteOf(commit, entry))?.id;
    const short = entry.commit.id.slice(0, 12);
    if (rewrittenTo)
      warnings.push({
        code: 'rewritten',
        ...at,
        message: `commit ${short} was rewritten as ${rewrittenTo.slice(0, 12)}`,
      });
    else if (commit || repository.shallow)
      warnings.push({
        code: 'not_in_history',
        ...at,
        message: `commit ${short} is not in the history of HEAD`,
      });
    else problems.push({ code: 'commit_missing', ...at, message: `commit ${short} is not in this repository` });
  }
}

/** Amending and rebasing keep the author and the author date, and at least one of subject, tree and parents. */
const authorKey = ({ author }: Pick<LoggedCommit, 'author'>) => canonicalJson(author);
const isRewriteOf = (commit: LoggedCommit, { commit: recorded }: CommitEntry) =>
  commit.subject === recorded.subject ||
  commit.tree === recorded.tree ||
  (commit.parents.length > 0 && canonicalJson(commit.parents) === canonicalJson(recorded.parents));

function describeContradiction(
  { commit: recorded }: CommitEntry,
  commit: LoggedCommit,
  shallow: boolean,
): string | undefined {
  const actual = toCommitFacts(commit);
  // At the end of a shallow clone git shows commits without parents.
  const comparable = shallow && actual.parents.length === 0 ? { ...actual, parents: recorded.parents } : actual;
  const wrong = (['tree', 'parents', 'author', 'committer', 'subject', 'message'] as const).filter(
    (field) => canonicalJson(recorded[field]) !== canonicalJson(comparable[field]),
  );
  return wrong.length > 0 ? `contradicts git about commit ${recorded.id.slice(0, 12)}: ${wrong.join(', ')}` : undefined;
}

/** The committed chain must be a prefix of the current one, and no commit may have removed a line. */
async function compareWithCommitted(
  repository: ProjectRepository,
  root: string,
  chain: Uint8Array,
  problems: ChainProblem[],
): Promise<void> {
  if (repository.head === undefined) return;
  const { code, stdout } = await repository.git('cat-file', ['blob', `HEAD:./${chainPath}`], { cwd: root });
  if (code !== 0) return;
  const now = Buffer.from(chain);
  if (!now.subarray(0, stdout.length).equals(stdout)) {
    const byte = firstDifference(stdout, now);
    const line = stdout.subarray(0, byte).filter((value) => value === 0x0a).length + 1;
    problems.push({ code: 'history_rewritten', line, byte, message: 'differs from the chain that is committed' });
  }
  const log = await readGitLog(repository, ['--numstat', '--diff-merges=first-parent', 'HEAD', '--', chainPath], root);
  for (const { id, files } of log)
    if (files.some(({ removed }) => removed > 0))
      problems.push({ code: 'history_rewritten', message: `commit ${id.slice(0, 12)} removed lines from the chain` });
}

function firstDifference(one: Uint8Array, other: Uint8Array): number {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at === -1 ? one.length : at;
}

/** Newest first; incomplete in a shallow clone. */
async function listUnrecordedCommits(repository: ProjectRepository, entries: readonly ChainEntry[]): Promise<string[]> {
  const [first] = entries;
  if (repository.head === undefined || first?.event !== 'init') return [];
  const since = first.since === null ? [] : [`^${first.since}`];
  const { code, stdout } = await repository.git('rev-list', ['--no-merges', repository.head, ...since, '--']);
  if (code !== 0) return [];
  const recorded = new Set(entries.flatMap((entry) => (entry.event === 'commit' ? [entry.commit.id] : [])));
  return stdout
    .toString('utf8')
    .split('\n')
    .filter((id) => id !== '' && !recorded.has(id));
}
