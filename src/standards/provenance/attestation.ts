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

/** A commit's entry, and where the chain ended, as an in-toto statement in a signed DSSE envelope. */
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

/** Checks an envelope against a key and the chain; gives the commit that it speaks of. */
export function checkAttestation(text: string, key: PublicKey, entries: readonly ChainEntry[]): { commit: string } {
  const envelope = envelopeSchema.safeParse(parseJsonOrUndefined(text));
  if (!envelope.success) throw invalidAttestation('it is no DSSE envelope of an in-toto statement');
  const payload = Buffer.from(envelope.data.payload, 'base64');
  // The name of a key is only a hint; what counts is whether one of the signatures is right.
  if (!envelope.data.signatures.some(({ sig }) => isSignedBy(key, preAuthEncoding(payload), toStandardBase64(sig))))
    throw invalidAttestation(`no signature is by ${keyId(key)}`);
  const statement = statementSchema.safeParse(parseJsonOrUndefined(payload.toString('utf8')));
  if (!statement.success) throw invalidAttestation('its statement is of another kind');
  const { subject, predicate } = statement.data;
  const commit = subject[0]?.digest.gitCommit ?? '';
  const entry = entries.find((candidate) => candidate.event === 'commit' && candidate.commit.id === commit);
  if (!entry) throw invalidAttestation(`the chain has no entry for its commit ${quote(commit)}`);
  if (canonicalJson(entry) !== canonicalJson(predicate.entry))
    throw invalidAttestation('its entry is not the one in the chain');
  if (!entries.some(({ hash }) => hash === predicate.head.hash))
    throw invalidAttestation('the chain never ended where it says');
  return { commit };
}

/** What is signed: type and payload, each with its length, so that nothing can pass for something else. */
function preAuthEncoding(payload: Uint8Array): Buffer {
  const type = Buffer.from(payloadType);
  return Buffer.concat([Buffer.from(`DSSEv1 ${type.length} `), type, Buffer.from(` ${payload.length} `), payload]);
}

/** Envelopes may be written in the alphabet for addresses too. */
const toStandardBase64 = (text: string) => Buffer.from(text, 'base64').toString('base64');

function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const invalidAttestation = (why: string) => new Failure('conflict', 'EINVAL', `The attestation is not right: ${why}`);
