import { Failure } from '../../platform/errors.ts';
import type { Repository } from '../git/repository.ts';
import { writeFiles } from '../setup/write-files.ts';
import type { Project } from '../spec/project.ts';
import { loadWorkingSpec } from '../spec/working-spec.ts';
import { authorshipSignals } from './authorship.ts';
import { appendEntry, chainFolder, lockChain, notBegun, readChain, sealed } from './chain-file.ts';
import { checkChain } from './check-chain.ts';
import { type CommitClaims, claimedCommit, factsOf } from './commit-facts.ts';
import { type ChainEntry, chainHead, type GateFacts, type SpecFacts } from './entry.ts';
import { commitsWithNotes } from './notes.ts';
import { type Signer, signerFrom } from './signing.ts';

interface Recording {
  signal: AbortSignal;
  env: NodeJS.ProcessEnv;
}

/** The repository of a project; without git there is nothing that a chain could speak of. */
export function repositoryOf({ repository }: Project): Repository {
  if (repository) return repository;
  throw new Failure(
    'not_found',
    'ENOENT',
    'Provenance is about commits, and this folder is in no git repository; run "git init" first',
  );
}

export async function beginChain(project: Project, { signal, env }: Recording): Promise<ChainEntry> {
  const repository = repositoryOf(project);
  const spec = await specFacts(project.root);
  const signer = await signerFrom(env);
  using _lock = await lockChain(repository, signal);
  if (await readChain(project.root))
    throw new Failure('conflict', 'EINVAL', 'There is a provenance chain already; add to it with subcommand update');
  await writeFiles(project.root, [{ path: `${chainFolder}/README.md`, content: guide }]);
  const entry = sealed(
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

export interface Recorded {
  entry: ChainEntry;
  /** It was in the chain already. */
  wasThere: boolean;
}

/** Adds a commit to the chain: what git says of it, under which spec, and how it stood at the gates. */
export async function recordCommit(
  project: Project,
  claims: CommitClaims,
  { signal, env, gates }: Recording & { gates(): Promise<GateFacts | null> },
): Promise<Recorded> {
  const repository = repositoryOf(project);
  const commit = await claimedCommit(repository, claims);
  const noted = await commitsWithNotes(repository);
  const [spec, signer] = [await specFacts(project.root), await signerFrom(env)];
  const standing = await gates();
  using _lock = await lockChain(repository, signal);
  const { last, bytes, known } = await soundChain(project.root, signer);
  const there = known.find((entry) => entry.event === 'commit' && entry.commit.id === commit.id);
  if (there) return { entry: there, wasThere: true };
  const entry = sealed(
    {
      version: 1,
      seq: last.seq + 1,
      recorded_at: new Date().toISOString(),
      previous_hash: last.hash,
      event: 'commit',
      commit: factsOf(commit),
      size: {
        files: commit.files.length,
        added: commit.files.reduce((sum, { added }) => sum + added, 0),
        removed: commit.files.reduce((sum, { removed }) => sum + removed, 0),
      },
      spec,
      gates: standing,
      assisted_by: authorshipSignals(commit, noted.has(commit.id)),
    },
    signer,
  );
  await appendEntry(project.root, entry, bytes, signer);
  return { entry, wasThere: false };
}

/** The chain as far as it can be added to: on a broken one nothing more is built. */
async function soundChain(
  root: string,
  signer: Signer | undefined,
): Promise<{ last: ChainEntry; bytes: number; known: ChainEntry[] }> {
  const there = await readChain(root);
  if (!there) throw notBegun();
  const { entries, faults, key } = checkChain(there.chain, there.head);
  const last = entries.at(-1);
  const bad = faults.filter(({ code }) => code !== 'head_mismatch' || !isOneBehind(entries, there.head));
  if (!last || bad.length > 0)
    throw new Failure(
      'conflict',
      'EINVAL',
      `The provenance chain is broken (${bad[0]?.code ?? 'empty'}), so nothing is added to it; subcommand verify names every fault`,
    );
  if (key && signer?.publicKey !== key)
    throw new Failure(
      'configuration',
      'EACCES',
      'This chain is signed: set ASSAY_SIGNING_KEY to the key that signs it',
    );
  return { last, bytes: there.chain.length, known: entries };
}

/** A process that died between its line and the head leaves this; the next one mends it. */
function isOneBehind(entries: readonly ChainEntry[], head: Uint8Array | undefined): boolean {
  const { data } = chainHead.safeParse(JSON.parse(Buffer.from(head ?? []).toString('utf8') || 'null'));
  const before = entries.at(-2);
  return data !== undefined && before !== undefined && data.seq === before.seq && data.hash === before.hash;
}

/** The spec that the work is done under, if there is a valid one. */
async function specFacts(root: string): Promise<SpecFacts | null> {
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

const guide = `Each line of chain.jsonl is a commit, sealed by a digest that covers the line before it; head.json names the last one.
Lines are only ever added. Check with: assay call caws_provenance --subcommand verify
`;
