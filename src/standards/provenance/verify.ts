import type { Repository } from '../git/repository.ts';
import { type LoggedCommit, readLog } from '../history/log.ts';
import type { Project } from '../spec/project.ts';
import { canonicalJson } from './canonical.ts';
import { chainPath, notBegun, readChain } from './chain-file.ts';
import { checkChain, type Fault } from './check-chain.ts';
import { commitsById, factsOf } from './commit-facts.ts';
import type { ChainEntry, CommitEntry } from './entry.ts';
import { repositoryOf } from './record.ts';
import { keyId, type PublicKey, trustedKey } from './signing.ts';

export interface Verified {
  entries: number;
  /** Any of these, and the chain proves nothing. */
  faults: Fault[];
  /** What a careful reader wants to know, and honest work leaves behind. */
  warnings: Fault[];
  signedBy: string | undefined;
}

/** Looks at every byte of the chain, and then at git: what was recorded must be what is there. */
export async function verifyChain(project: Project, env: NodeJS.ProcessEnv): Promise<Verified> {
  const there = await readChain(project.root);
  if (!there) throw notBegun();
  const { entries, lines, faults, key } = checkChain(there.chain, there.head, await pinnedKey(env));
  const repository = repositoryOf(project);
  const warnings: Fault[] = [];
  await againstGit(repository, { entries, lines }, faults, warnings);
  await againstItsPast(repository, project.root, there.chain, faults);
  const notRecorded = await unrecorded(repository, entries);
  const [latest] = notRecorded;
  if (latest)
    warnings.push({
      code: 'not_recorded',
      message: `${notRecorded.length} commits since the chain began are not in it, the latest ${latest.slice(0, 12)}`,
    });
  return { entries: entries.length, faults, warnings, signedBy: key && keyId(key) };
}

/** Only a key that was named for this is trusted: the one that signs new entries need not have signed the old ones. */
async function pinnedKey(env: NodeJS.ProcessEnv): Promise<PublicKey | undefined> {
  return env['ASSAY_VERIFY_KEY'] ? trustedKey(env) : undefined;
}

async function againstGit(
  repository: Repository,
  { entries, lines }: { entries: readonly ChainEntry[]; lines: readonly number[] },
  faults: Fault[],
  warnings: Fault[],
): Promise<void> {
  const recorded = entries.filter((entry) => entry.event === 'commit');
  const known = await commitsById(
    repository,
    recorded.map(({ commit }) => commit.id),
  );
  const reachable = repository.head === undefined ? [] : await readLog(repository, [repository.head, '--']);
  const ids = new Set(reachable.map(({ id }) => id));
  const births = Map.groupBy(reachable, birth);
  for (const [index, entry] of entries.entries()) {
    if (entry.event !== 'commit') continue;
    const at = { line: lines[index] ?? index + 1, seq: entry.seq };
    const commit = known.get(entry.commit.id);
    if (commit) {
      const message = contradiction(entry, commit, repository.shallow);
      if (message) faults.push({ code: 'contradicts_git', ...at, message });
    }
    if (ids.has(entry.commit.id)) continue;
    const twin = births.get(birth(entry.commit))?.find((commit) => isTwin(commit, entry))?.id;
    const short = entry.commit.id.slice(0, 12);
    if (twin)
      warnings.push({
        code: 'rewritten',
        ...at,
        message: `commit ${short} was rewritten, and is ${twin.slice(0, 12)} now`,
      });
    else if (commit || repository.shallow)
      warnings.push({
        code: 'not_in_history',
        ...at,
        message: `commit ${short} is not in the history of what is checked out`,
      });
    else faults.push({ code: 'commit_missing', ...at, message: `commit ${short} is not in this repository` });
  }
}

/** Amending and rebasing keep who wrote a commit, and when, and one of the other things at least. */
const birth = ({ author }: Pick<LoggedCommit, 'author'>) => canonicalJson(author);
const isTwin = (commit: LoggedCommit, { commit: recorded }: CommitEntry) =>
  commit.subject === recorded.subject ||
  commit.tree === recorded.tree ||
  (commit.parents.length > 0 && canonicalJson(commit.parents) === canonicalJson(recorded.parents));

function contradiction({ commit: recorded }: CommitEntry, commit: LoggedCommit, shallow: boolean): string | undefined {
  const actual = factsOf(commit);
  // Where a shallow clone ends, git shows commits without their parents.
  const comparable = shallow && actual.parents.length === 0 ? { ...actual, parents: recorded.parents } : actual;
  const wrong = (['tree', 'parents', 'author', 'committer', 'subject', 'message'] as const).filter(
    (field) => canonicalJson(recorded[field]) !== canonicalJson(comparable[field]),
  );
  return wrong.length > 0
    ? `says of commit ${recorded.id.slice(0, 12)} what git denies: ${wrong.join(', ')}`
    : undefined;
}

/** What is committed of the chain is the beginning of what lies there, and no commit ever took a line away. */
async function againstItsPast(repository: Repository, root: string, chain: Uint8Array, faults: Fault[]): Promise<void> {
  if (repository.head === undefined) return;
  const { code, stdout } = await repository.git('cat-file', ['blob', `HEAD:./${chainPath}`], { cwd: root });
  if (code !== 0) return;
  const now = Buffer.from(chain);
  if (!now.subarray(0, stdout.length).equals(stdout)) {
    const byte = firstDifference(stdout, now);
    const line = stdout.subarray(0, byte).filter((value) => value === 0x0a).length + 1;
    faults.push({ code: 'history_rewritten', line, byte, message: 'differs from the chain that is committed' });
  }
  const log = await readLog(repository, ['--numstat', '--diff-merges=first-parent', 'HEAD', '--', chainPath], root);
  for (const { id, files } of log)
    if (files.some(({ removed }) => removed > 0))
      faults.push({ code: 'history_rewritten', message: `commit ${id.slice(0, 12)} took lines away from the chain` });
}

function firstDifference(one: Uint8Array, other: Uint8Array): number {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at === -1 ? one.length : at;
}

/** Newest first. A shallow clone does not know all of them. */
async function unrecorded(repository: Repository, entries: readonly ChainEntry[]): Promise<string[]> {
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
