import { Failure } from '../../platform/errors.ts';
import type { SettingValues } from '../../platform/settings.ts';
import { safeJson } from '../../platform/text/untrusted-text.ts';
import { writeProjectFiles } from '../setup/write-project-files.ts';
import type { GovernedProject } from '../spec/project.ts';
import { readProjectFile } from '../spec/project-file.ts';
import { type AiAnalysis, analyzeAiAuthorship } from './analyze-ai-authorship.ts';
import { checkAttestation, createAttestation } from './attestation.ts';
import type { ChainEntry, CommitEntry, GateFacts } from './chain-entry.ts';
import { chainNotFound, chainPath, readChainFiles } from './chain-file.ts';
import { type ChainProblem, checkChain } from './check-chain.ts';
import type { CommitClaims } from './commit-facts.ts';
import type { DsseEnvelope } from './dsse-envelope.ts';
import { initChain, recordCommit, requireRepository } from './record-commit.ts';
import { keyId, loadSigner, loadTrustedKey } from './signing.ts';
import { verifyChain } from './verify-chain.ts';

export interface ProvenanceResult {
  output: string;
  valid?: boolean;
  warnings?: ChainProblem[];
  entries?: ChainEntry[];
  totalEntries?: number;
  signedBy?: string;
  attestation?: DsseEnvelope;
  analysis?: AiAnalysis;
}

export interface ProvenanceOptions extends CommitClaims {
  /** A file of the project with an in-toto statement in a DSSE envelope. */
  attestation?: string | undefined;
}

interface ProvenanceContext {
  /** Reads the current state of the gates. */
  gates(): Promise<GateFacts | null>;
  signal: AbortSignal;
  setting: SettingValues['get'];
}

type ProvenanceSubcommand = 'init' | 'update' | 'show' | 'verify' | 'analyze-ai';
const MAX_LISTED = 20;

export async function runProvenance(
  subcommand: ProvenanceSubcommand,
  project: GovernedProject,
  options: ProvenanceOptions,
  context: ProvenanceContext,
): Promise<ProvenanceResult> {
  const { attestation } = options;
  if (attestation !== undefined && subcommand !== 'show' && subcommand !== 'verify')
    throw new Failure(
      'bad_input',
      'EINVAL',
      'attestation works only with subcommand show, which writes it, and verify, which checks it; use one of them, or omit it',
    );
  switch (subcommand) {
    case 'init': {
      const entry = await initChain(project, context);
      return {
        output: `Provenance chain started at ${chainPath}\n${formatEntry(entry)}`,
        entries: [entry],
        totalEntries: 1,
      };
    }
    case 'update': {
      const { entry, isDuplicate } = await recordCommit(project, options, context);
      return {
        output: `${isDuplicate ? 'Already recorded' : 'Recorded'}\n${formatEntry(entry)}`,
        entries: [entry],
        totalEntries: entry.seq,
      };
    }
    case 'show':
      return attestation === undefined
        ? showChain(project)
        : exportAttestation(project, options, attestation, context.setting);
    case 'verify':
      return attestation === undefined
        ? verifyProject(project, context.setting)
        : verifyAttestation(project, attestation, context.setting);
    case 'analyze-ai': {
      const analysis = await analyzeAiAuthorship(requireRepository(project));
      return { output: formatAnalysis(analysis), analysis };
    }
  }
}

async function showChain(project: GovernedProject): Promise<ProvenanceResult> {
  const { entries, problems } = await loadChain(project);
  const latest = entries.slice(-MAX_LISTED).reverse();
  const broken = problems.length > 0 ? ['The chain is broken: run subcommand verify to list all problems'] : [];
  const output = [`${entries.length} entries, the latest first`, ...broken, ...latest.map(formatEntry)].join('\n');
  return { output, entries: latest, totalEntries: entries.length, valid: problems.length === 0 };
}

async function verifyProject(project: GovernedProject, setting: SettingValues['get']): Promise<ProvenanceResult> {
  const { problems, warnings, entries, signedBy } = await verifyChain(project, setting);
  const lines = warnings.map((warning) => `warning: ${formatChainProblem(warning)}`);
  if (problems.length > 0) {
    const list = problems.slice(0, MAX_LISTED).map(formatChainProblem).join('; ');
    const more = problems.length > MAX_LISTED ? `; and ${problems.length - MAX_LISTED} more` : '';
    throw new Failure(
      'conflict',
      'EINVAL',
      `Provenance chain is not intact, ${problems.length} problems: ${list}${more}`,
      {
        faults: problems,
        warnings,
        hint: 'Restore .caws/provenance from the last commit whose chain is intact, then record what is missing with subcommand update.',
      },
    );
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
  project: GovernedProject,
  { commit }: ProvenanceOptions,
  file: string,
  setting: SettingValues['get'],
): Promise<ProvenanceResult> {
  const signer = await loadSigner(setting);
  if (!signer)
    throw new Failure(
      'configuration',
      'EINVAL',
      'An attestation needs a signature: set ASSAY_SIGNING_KEY to the PEM file of an Ed25519 key',
    );
  const { entries, problems } = await loadChain(project);
  if (problems.length > 0)
    throw new Failure(
      'conflict',
      'EINVAL',
      'The chain is broken, so nothing can be attested; run subcommand verify to list all problems',
    );
  const recorded = entries.filter((entry): entry is CommitEntry => entry.event === 'commit');
  const entry = commit === undefined ? recorded.at(-1) : recorded.find(({ commit: { id } }) => id.startsWith(commit));
  const head = entries.at(-1);
  if (!entry || !head)
    throw new Failure('not_found', 'ENOENT', 'The chain has no entry for this commit; add it with subcommand update');
  const attestation = createAttestation(entry, head, signer);
  const { skipped } = await writeProjectFiles(project.root, [{ path: file, content: `${safeJson(attestation, 2)}\n` }]);
  if (skipped.length > 0)
    throw new Failure('conflict', 'EINVAL', `attestation ${JSON.stringify(file)} exists already; name another file`);
  return {
    output: `Attestation of ${entry.commit.id} written to ${file}, signed by ${keyId(signer.publicKey)}`,
    attestation,
  };
}

async function verifyAttestation(
  project: GovernedProject,
  file: string,
  setting: SettingValues['get'],
): Promise<ProvenanceResult> {
  const key = await loadTrustedKey(setting);
  if (!key)
    throw new Failure(
      'configuration',
      'EINVAL',
      'No key to check the signature with; set ASSAY_VERIFY_KEY to the PEM file of the public Ed25519 key',
    );
  const { text } = await readProjectFile(project.root, file, { what: 'attestation' });
  const chain = await verifyProject(project, setting);
  const { commit } = checkAttestation(text, key, (await loadChain(project)).entries);
  return {
    ...chain,
    output: `Attestation of ${commit} is valid, signed by ${keyId(key)}\n${chain.output}`,
    signedBy: keyId(key),
  };
}

async function loadChain(project: GovernedProject): Promise<{ entries: ChainEntry[]; problems: ChainProblem[] }> {
  const chainFiles = await readChainFiles(project.root);
  if (!chainFiles) throw chainNotFound();
  return checkChain(chainFiles.chain, chainFiles.head);
}

function formatEntry(entry: ChainEntry): string {
  const spec = entry.spec ? ` under ${entry.spec.id}` : '';
  if (entry.event === 'init') return `#${entry.seq} ${entry.recorded_at} chain started${spec}`;
  const { commit, size, gates, assisted_by } = entry;
  const gatesNote = gates ? `, ${gates.overall_status}` : '';
  const toolsNote =
    assisted_by.length > 0 ? `, signs of ${[...new Set(assisted_by.map(({ tool }) => tool))].join(', ')}` : '';
  return `#${entry.seq} ${commit.id.slice(0, 12)} ${commit.subject} (${commit.author.name}; ${size.files} files, +${size.added} -${size.removed}${gatesNote}${toolsNote})${spec}`;
}

function formatChainProblem({ code, line, byte, seq, message }: ChainProblem): string {
  const where = [
    line !== undefined && `line ${line}`,
    byte !== undefined && `byte ${byte}`,
    seq !== undefined && `entry ${seq}`,
  ];
  const position = where.filter(Boolean).join(', ');
  return `${position ? `${position}: ` : ''}${message} [${code}]`;
}

function formatAnalysis({ commits_analyzed, assisted, unknown, by_tool, signals }: AiAnalysis): string {
  const percent = (part: number, whole: number) => (whole === 0 ? 0 : Math.round((part / whole) * 1000) / 10);
  return [
    `${commits_analyzed} commits analysed, without merges`,
    `signs of AI: ${assisted.commits} commits (${percent(assisted.commits, commits_analyzed)} %), ${assisted.lines_added} lines added, ${assisted.reverted} reverted`,
    `no sign of AI, so unknown: ${unknown.commits} commits, ${unknown.lines_added} lines added, ${unknown.reverted} reverted`,
    ...by_tool.map(
      ({ tool, commits, lines_added, confidence }) =>
        `${tool}: ${commits} commits, ${lines_added} lines (confidence ${confidence})`,
    ),
    ...signals.map(({ signal, confidence, commits }) => `signal ${signal}, ${confidence}: ${commits}`),
  ].join('\n');
}
