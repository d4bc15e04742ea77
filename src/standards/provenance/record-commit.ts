import { Failure } from '../../platform/errors.ts';
import type { SettingValues } from '../../platform/settings.ts';
import type { ProjectRepository } from '../git/repository.ts';
import { writeProjectFiles } from '../setup/write-project-files.ts';
import type { GovernedProject } from '../spec/project.ts';
import { loadWorkingSpec } from '../spec/working-spec.ts';
import { listCommitsWithAiNotes } from './ai-notes.ts';
import { findAuthorshipSignals } from './authorship.ts';
import { type ChainEntry, chainHeadSchema, type GateFacts, type SpecFacts } from './chain-entry.ts';
import { appendEntry, chainFolder, chainNotFound, lockChain, readChainFiles, sealEntry } from './chain-file.ts';
import { checkChain } from './check-chain.ts';
import { type CommitClaims, resolveClaimedCommit, toCommitFacts } from './commit-facts.ts';
import { loadSigner, type Signer } from './signing.ts';

interface RecordingContext {
  signal: AbortSignal;
  setting: SettingValues['get'];
}

/** Returns the repository of a project. Throws outside of git. */
export function requireRepository({ repository }: GovernedProject): ProjectRepository {
  if (repository) return repository;
  throw new Failure('not_found', 'ENOENT', 'Provenance needs a git repository; run "git init" first');
}

export async function initChain(project: GovernedProject, { signal, setting }: RecordingContext): Promise<ChainEntry> {
  const repository = requireRepository(project);
  const spec = await readSpecFacts(project.root);
  const signer = await loadSigner(setting);
  using _lock = await lockChain(repository, signal);
  if (await readChainFiles(project.root))
    throw new Failure('conflict', 'EINVAL', 'A provenance chain exists already; add to it with subcommand update');
  await writeProjectFiles(project.root, [{ path: `${chainFolder}/README.md`, content: chainReadme }]);
  const entry = sealEntry(
    {
      version: 1,
      seq: 1,
      recorded_at: new Date().toISOString(),
      previous_hash: null,
      event: 'init',
      since: repository.head ?? null,
      spec,
    },
    signer,
  );
  await appendEntry(project.root, entry, 0, signer);
  return entry;
}

export interface RecordedCommit {
  entry: ChainEntry;
  /** Whether the chain already contained the commit. */
  isDuplicate: boolean;
}

/** Adds a commit to the chain with its data from git, the spec and the state of the gates. */
export async function recordCommit(
  project: GovernedProject,
  claims: CommitClaims,
  { signal, setting, gates }: RecordingContext & { gates(): Promise<GateFacts | null> },
): Promise<RecordedCommit> {
  const repository = requireRepository(project);
  const commit = await resolveClaimedCommit(repository, claims);
  const commitsWithNotes = await listCommitsWithAiNotes(repository);
  const [spec, signer] = [await readSpecFacts(project.root), await loadSigner(setting)];
  const gateFacts = await gates();
  using _lock = await lockChain(repository, signal);
  const { last, bytes, known } = await loadIntactChain(project.root, signer);
  const recorded = known.find((entry) => entry.event === 'commit' && entry.commit.id === commit.id);
  if (recorded) return { entry: recorded, isDuplicate: true };
  const entry = sealEntry(
    {
      version: 1,
      seq: last.seq + 1,
      recorded_at: new Date().toISOString(),
      previous_hash: last.hash,
      event: 'commit',
      commit: toCommitFacts(commit),
      size: {
        files: commit.files.length,
        added: commit.files.reduce((sum, { added }) => sum + added, 0),
        removed: commit.files.reduce((sum, { removed }) => sum + removed, 0),
      },
      spec,
      gates: gateFacts,
      assisted_by: findAuthorshipSignals(commit, commitsWithNotes.has(commit.id)),
    },
    signer,
  );
  await appendEntry(project.root, entry, bytes, signer);
  return { entry, isDuplicate: false };
}

/** Loads a chain for appending. Throws if it is broken. */
async function loadIntactChain(
  root: string,
  signer: Signer | undefined,
): Promise<{ last: ChainEntry; bytes: number; known: ChainEntry[] }> {
  const there = await readChainFiles(root);
  if (!there) throw chainNotFound();
  const { entries, problems, key } = checkChain(there.chain, there.head);
  const last = entries.at(-1);
  const problemsFound = problems.filter(
    ({ code }) => code !== 'head_mismatch' || !isHeadOneBehind(entries, there.head),
  );
  if (!last || problemsFound.length > 0)
    throw new Failure(
      'conflict',
      'EINVAL',
      `The provenance chain is broken (${problemsFound[0]?.code ?? 'empty'}), so nothing is added to it; run subcommand verify to list all problems`,
    );
  if (key && signer?.publicKey !== key)
    throw new Failure(
      'configuration',
      'EACCES',
      'This chain is signed: set ASSAY_SIGNING_KEY to the key that signs it',
    );
  return { last, bytes: there.chain.length, known: entries };
}

/** A process that ended between its line and the head leaves this state; the next entry repairs it. */
function isHeadOneBehind(entries: readonly ChainEntry[], head: Uint8Array | undefined): boolean {
  const { data } = chainHeadSchema.safeParse(JSON.parse(Buffer.from(head ?? []).toString('utf8') || 'null'));
  const before = entries.at(-2);
  return data !== undefined && before !== undefined && data.seq === before.seq && data.hash === before.hash;
}

/** Reads the working spec, if it is valid. */
async function readSpecFacts(root: string): Promise<SpecFacts | null> {
  try {
    const { spec, sha256 } = await loadWorkingSpec(root);
    if (!spec) return null;
    const { id, title, risk_tier, mode } = spec;
    return { id, title, risk_tier, mode, file: `sha256:${sha256}` };
  } catch (error) {
    if (error instanceof Failure && error.code === 'ENOENT') return null;
    throw error;
  }
}

const chainReadme = `Each line of chain.jsonl is a commit, sealed by a digest that covers the line before it; head.json names the last one.
The file is append-only. Check with: assay call caws_provenance --subcommand verify
`;
