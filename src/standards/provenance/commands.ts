import { Failure } from '../../platform/errors.ts';
import { safeJson } from '../../platform/untrusted-text.ts';
import { writeFiles } from '../setup/write-files.ts';
import type { Project } from '../spec/project.ts';
import { readProjectFile } from '../spec/project-file.ts';
import { type AiAnalysis, analyzeAi } from './analyze-ai.ts';
import { attest, checkAttestation, type Envelope } from './attestation.ts';
import { chainPath, notBegun, readChain } from './chain-file.ts';
import { checkChain, type Fault } from './check-chain.ts';
import type { CommitClaims } from './commit-facts.ts';
import type { ChainEntry, CommitEntry, GateFacts } from './entry.ts';
import { beginChain, recordCommit, repositoryOf } from './record.ts';
import { keyId, signerFrom, trustedKey } from './signing.ts';
import { verifyChain } from './verify.ts';

export interface ProvenanceAnswer {
  output: string;
  valid?: boolean;
  warnings?: Fault[];
  entries?: ChainEntry[];
  totalEntries?: number;
  signedBy?: string;
  attestation?: Envelope;
  analysis?: AiAnalysis;
}

export interface ProvenanceWishes extends CommitClaims {
  /** A file of the project that holds an in-toto statement in a DSSE envelope. */
  attestation?: string | undefined;
}

interface Doing {
  /** How the project stands at its gates now. */
  gates(): Promise<GateFacts | null>;
  signal: AbortSignal;
  env: NodeJS.ProcessEnv;
}

type Subcommand = 'init' | 'update' | 'show' | 'verify' | 'analyze-ai';
const LATEST = 20;

export async function runProvenance(
  subcommand: Subcommand,
  project: Project,
  wishes: ProvenanceWishes,
  doing: Doing,
): Promise<ProvenanceAnswer> {
  const { attestation } = wishes;
  if (attestation !== undefined && subcommand !== 'show' && subcommand !== 'verify')
    throw new Failure(
      'bad_input',
      'EINVAL',
      'attestation is for subcommand show, which writes it, and verify, which checks it',
    );
  switch (subcommand) {
    case 'init': {
      const entry = await beginChain(project, doing);
      return { output: `Provenance chain begun at ${chainPath}\n${told(entry)}`, entries: [entry], totalEntries: 1 };
    }
    case 'update': {
      const { entry, wasThere } = await recordCommit(project, wishes, doing);
      return {
        output: `${wasThere ? 'Already recorded' : 'Recorded'}\n${told(entry)}`,
        entries: [entry],
        totalEntries: entry.seq,
      };
    }
    case 'show':
      return attestation === undefined ? show(project) : exportAttestation(project, wishes, attestation, doing.env);
    case 'verify':
      return attestation === undefined
        ? verify(project, doing.env)
        : verifyAttestation(project, attestation, doing.env);
    case 'analyze-ai': {
      const analysis = await analyzeAi(repositoryOf(project));
      return { output: tellAnalysis(analysis), analysis };
    }
  }
}

async function show(project: Project): Promise<ProvenanceAnswer> {
  const { entries, faults } = await theChain(project);
  const latest = entries.slice(-LATEST).reverse();
  const broken = faults.length > 0 ? ['The chain is broken: subcommand verify names every fault'] : [];
  const output = [`${entries.length} entries, the latest first`, ...broken, ...latest.map(told)].join('\n');
  return { output, entries: latest, totalEntries: entries.length, valid: faults.length === 0 };
}

async function verify(project: Project, env: NodeJS.ProcessEnv): Promise<ProvenanceAnswer> {
  const { faults, warnings, entries, signedBy } = await verifyChain(project, env);
  const lines = warnings.map((warning) => `warning: ${tellFault(warning)}`);
  if (faults.length > 0) {
    const list = faults.slice(0, LATEST).map(tellFault).join('; ');
    const more = faults.length > LATEST ? `; and ${faults.length - LATEST} more` : '';
    throw new Failure('conflict', 'EINVAL', `Provenance chain is not intact, ${faults.length} faults: ${list}${more}`, {
      faults,
      warnings,
      hint: faults.map(tellFault).join('\n'),
    });
  }
  const signature = signedBy ? `signed by ${signedBy}` : 'not signed';
  return {
    output: [`Provenance chain is intact: ${entries} entries, ${signature}`, ...lines].join('\n'),
    valid: true,
    warnings,
    totalEntries: entries,
    ...(signedBy && { signedBy }),
  };
}

async function exportAttestation(
  project: Project,
  { commit }: ProvenanceWishes,
  file: string,
  env: NodeJS.ProcessEnv,
): Promise<ProvenanceAnswer> {
  const signer = await signerFrom(env);
  if (!signer)
    throw new Failure(
      'configuration',
      'EINVAL',
      'An attestation needs a signature: set ASSAY_SIGNING_KEY to the PEM file of an Ed25519 key',
    );
  const { entries, faults } = await theChain(project);
  if (faults.length > 0)
    throw new Failure(
      'conflict',
      'EINVAL',
      'The chain is broken, so there is nothing to attest; subcommand verify names every fault',
    );
  const recorded = entries.filter((entry): entry is CommitEntry => entry.event === 'commit');
  const entry = commit === undefined ? recorded.at(-1) : recorded.find(({ commit: { id } }) => id.startsWith(commit));
  const head = entries.at(-1);
  if (!entry || !head)
    throw new Failure('not_found', 'ENOENT', 'The chain has no entry for this commit; add it with subcommand update');
  const attestation = attest(entry, head, signer);
  const { skipped } = await writeFiles(project.root, [{ path: file, content: `${safeJson(attestation, 2)}\n` }]);
  if (skipped.length > 0)
    throw new Failure('conflict', 'EINVAL', `attestation ${JSON.stringify(file)} exists already; name another file`);
  return {
    output: `Attestation of ${entry.commit.id} written to ${file}, signed by ${keyId(signer.publicKey)}`,
    attestation,
  };
}

async function verifyAttestation(project: Project, file: string, env: NodeJS.ProcessEnv): Promise<ProvenanceAnswer> {
  const key = await trustedKey(env);
  if (!key)
    throw new Failure(
      'configuration',
      'EINVAL',
      'Whose signature? Set ASSAY_VERIFY_KEY to the PEM file of the public Ed25519 key',
    );
  const { text } = await readProjectFile(project.root, file, { what: 'attestation' });
  const chain = await verify(project, env);
  const { commit } = checkAttestation(text, key, (await theChain(project)).entries);
  return {
    ...chain,
    output: `Attestation of ${commit} is right, signed by ${keyId(key)}\n${chain.output}`,
    signedBy: keyId(key),
  };
}

async function theChain(project: Project): Promise<{ entries: ChainEntry[]; faults: Fault[] }> {
  const there = await readChain(project.root);
  if (!there) throw notBegun();
  return checkChain(there.chain, there.head);
}

function told(entry: ChainEntry): string {
  const spec = entry.spec ? ` under ${entry.spec.id}` : '';
  if (entry.event === 'init') return `#${entry.seq} ${entry.recorded_at} chain begun${spec}`;
  const { commit, size, gates, assisted_by } = entry;
  const standing = gates ? `, ${gates.overall_status}` : '';
  const hands =
    assisted_by.length > 0 ? `, signs of ${[...new Set(assisted_by.map(({ tool }) => tool))].join(', ')}` : '';
  return `#${entry.seq} ${commit.id.slice(0, 12)} ${commit.subject} (${commit.author.name}; ${size.files} files, +${size.added} -${size.removed}${standing}${hands})${spec}`;
}

function tellFault({ code, line, byte, seq, message }: Fault): string {
  const where = [
    line !== undefined && `line ${line}`,
    byte !== undefined && `byte ${byte}`,
    seq !== undefined && `entry ${seq}`,
  ];
  const place = where.filter(Boolean).join(', ');
  return `${place ? `${place}: ` : ''}${message} [${code}]`;
}

function tellAnalysis({ commits_analyzed, assisted, unknown, by_tool, signals }: AiAnalysis): string {
  const percent = (part: number, whole: number) => (whole === 0 ? 0 : Math.round((part / whole) * 1000) / 10);
  return [
    `${commits_analyzed} commits looked at, merges left out`,
    `signs of AI: ${assisted.commits} commits (${percent(assisted.commits, commits_analyzed)} %), ${assisted.lines_added} lines added, ${assisted.reverted} reverted`,
    `no sign, so unknown: ${unknown.commits} commits, ${unknown.lines_added} lines added, ${unknown.reverted} reverted`,
    ...by_tool.map(
      ({ tool, commits, lines_added, confidence }) =>
        `${tool}: ${commits} commits, ${lines_added} lines (confidence ${confidence})`,
    ),
    ...signals.map(({ signal, confidence, commits }) => `signal ${signal}, ${confidence}: ${commits}`),
  ].join('\n');
}
