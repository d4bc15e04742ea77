import * as z from 'zod';
import { Failure, quote } from '../../platform/errors.ts';
import { canonicalJson } from './canonical-json.ts';
import type { ChainEntry, CommitEntry } from './chain-entry.ts';
import { type DsseEnvelope, openEnvelope, signStatement } from './dsse-envelope.ts';
import { keyId, type PublicKey, type Signer } from './signing.ts';

const statementType = 'https://in-toto.io/Statement/v1';
const predicateType = 'urn:assay:standards:provenance:v1';

const statementSchema = z.object({
  _type: z.literal(statementType),
  subject: z.array(z.object({ name: z.string(), digest: z.object({ gitCommit: z.string() }) })).length(1),
  predicateType: z.literal(predicateType),
  predicate: z.looseObject({ entry: z.looseObject({ hash: z.string() }), head: z.looseObject({ hash: z.string() }) }),
});

/** Creates an in-toto statement of a commit's entry and the chain's end in a signed DSSE envelope. */
export function createAttestation(entry: CommitEntry, head: ChainEntry, signer: Signer): DsseEnvelope {
  const statement = {
    _type: statementType,
    subject: [{ name: 'commit', digest: { gitCommit: entry.commit.id } }],
    predicateType,
    predicate: { entry, head: { seq: head.seq, hash: head.hash } },
  };
  return signStatement(statement, signer);
}

/** Checks an envelope against a key and the chain. Returns its commit; throws if anything differs. */
export function checkAttestation(text: string, key: PublicKey, entries: readonly ChainEntry[]): { commit: string } {
  const opened = openEnvelope(text, [key]);
  if (opened === 'not-an-envelope') throw invalidAttestation('it is not a DSSE envelope of an in-toto statement');
  if (opened === 'not-signed') throw invalidAttestation(`it has no signature of ${keyId(key)}`);
  const statement = statementSchema.safeParse(opened.statement);
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

const invalidAttestation = (why: string) =>
  new Failure('conflict', 'EINVAL', `The attestation is not valid: ${why}`, {
    hint: 'Do not trust the file. Write a new one from the intact chain with subcommand show.',
  });
