import * as z from 'zod';
import { Failure, quote } from '../../platform/errors.ts';
import { canonicalJson } from './canonical-json.ts';
import type { ChainEntry, CommitEntry } from './chain-entry.ts';
import { isSignedBy, keyId, type PublicKey, type Signer } from './signing.ts';

const payloadType = 'application/vnd.in-toto+json';
const statementType = 'https://in-toto.io/Statement/v1';
const predicateType = 'urn:assay:standards:provenance:v1';

const envelopeSchema = z.object({
  payloadType: z.literal(payloadType),
  payload: z.string(),
  signatures: z.array(z.object({ keyid: z.string().optional(), sig: z.string() })).min(1),
});
export type AttestationEnvelope = z.output<typeof envelopeSchema>;

const statementSchema = z.object({
  _type: z.literal(statementType),
  subject: z.array(z.object({ name: z.string(), digest: z.object({ gitCommit: z.string() }) })).length(1),
  predicateType: z.literal(predicateType),
  predicate: z.looseObject({ entry: z.looseObject({ hash: z.string() }), head: z.looseObject({ hash: z.string() }) }),
});

/** Creates an in-toto statement of a commit's entry and the chain's end in a signed DSSE envelope. */
export function createAttestation(entry: CommitEntry, head: ChainEntry, signer: Signer): AttestationEnvelope {
  const statement = {
    _type: statementType,
    subject: [{ name: 'commit', digest: { gitCommit: entry.commit.id } }],
    predicateType,
    predicate: { entry, head: { seq: head.seq, hash: head.hash } },
  };
  const payload = Buffer.from(canonicalJson(statement));
  return {
    payloadType,
    payload: payload.toString('base64'),
    signatures: [{ keyid: keyId(signer.publicKey), sig: signer.sign(preAuthEncoding(payload)) }],
  };
}

/** Checks an envelope against a key and the chain. Returns its commit; throws if anything differs. */
export function checkAttestation(text: string, key: PublicKey, entries: readonly ChainEntry[]): { commit: string } {
  const envelope = envelopeSchema.safeParse(parseJsonOrUndefined(text));
  if (!envelope.success) throw invalidAttestation('it is not a DSSE envelope of an in-toto statement');
  const payload = Buffer.from(envelope.data.payload, 'base64');
  // The key id is only a hint; one of the signatures must be valid.
  if (!envelope.data.signatures.some(({ sig }) => isSignedBy(key, preAuthEncoding(payload), toStandardBase64(sig))))
    throw invalidAttestation(`it has no signature of ${keyId(key)}`);
  const statement = statementSchema.safeParse(parseJsonOrUndefined(payload.toString('utf8')));
  if (!statement.success) throw invalidAttestation('its statement has another type');
  const { subject, predicate } = statement.data;
  const commit = subject[0]?.digest.gitCommit ?? '';
  const entry = entries.find((candidate) => candidate.event === 'commit' && candidate.commit.id === commit);
  if (!entry) throw invalidAttestation(`the chain has no entry for its commit ${quote(commit)}`);
  if (canonicalJson(entry) !== canonicalJson(predicate.entry))
    throw invalidAttestation('its entry is not the one in the chain');
  if (!entries.some(({ hash }) => hash === predicate.head.hash))
    throw invalidAttestation('its head is not in the chain');
  return { commit };
}

/** The signed bytes: type and payload, each with its length, so that they cannot be confused. */
function preAuthEncoding(payload: Uint8Array): Buffer {
  const type = Buffer.from(payloadType);
  return Buffer.concat([Buffer.from(`DSSEv1 ${type.length} `), type, Buffer.from(` ${payload.length} `), payload]);
}

/** Envelopes may use URL-safe base64. */
const toStandardBase64 = (text: string) => Buffer.from(text, 'base64').toString('base64');

function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const invalidAttestation = (why: string) =>
  new Failure('conflict', 'EINVAL', `The attestation is not valid: ${why}`, {
    hint: 'Do not trust the file. Write a new one from the intact chain with subcommand show.',
  });
