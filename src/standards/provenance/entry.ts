import * as z from 'zod';
import { digestOf } from './canonical.ts';

const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/);
const objectId = z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/);
const person = z.strictObject({ name: z.string(), email: z.string(), date: z.string() });

/** What git says of a commit, and what a later look at git must find again. */
const commitFacts = z.strictObject({
  id: objectId,
  tree: objectId,
  parents: z.array(objectId),
  author: person,
  committer: person,
  subject: z.string(),
  message: digest,
});
export type CommitFacts = z.output<typeof commitFacts>;

/** The size of the change against the first parent. Git's attributes may count it differently one day, so it is no proof. */
const changeSize = z.strictObject({ files: z.number().int(), added: z.number().int(), removed: z.number().int() });

/** Somebody other than the author may have had a hand in it; without a sign nothing is known. */
const signal = z.strictObject({
  tool: z.string(),
  signal: z.string(),
  confidence: z.enum(['high', 'medium', 'low']),
});
export type AuthorshipSignal = z.output<typeof signal>;

const specFacts = z.strictObject({
  id: z.string(),
  title: z.string(),
  risk_tier: z.number(),
  mode: z.string(),
  file: digest,
});
export type SpecFacts = z.output<typeof specFacts>;

const gateFacts = z.strictObject({
  overall_status: z.string(),
  quality_score: z.number(),
  evidence: z.array(z.strictObject({ path: z.string(), digest })),
});
export type GateFacts = z.output<typeof gateFacts>;

/** Who sealed it. Whoever signed first signs all that follows. */
const signature = z.strictObject({ public_key: z.string(), value: z.string() });

const common = {
  version: z.literal(1),
  seq: z.number().int().min(1),
  recorded_at: z.iso.datetime(),
  previous_hash: digest.nullable(),
};

const beginning = z.strictObject({
  ...common,
  event: z.literal('init'),
  /** The commit that the repository was at; those before it are nobody's business. */
  since: objectId.nullable(),
  spec: specFacts.nullable(),
});

const recorded = z.strictObject({
  ...common,
  event: z.literal('commit'),
  commit: commitFacts,
  size: changeSize,
  spec: specFacts.nullable(),
  gates: gateFacts.nullable(),
  assisted_by: z.array(signal),
});

const seal = { hash: digest, signature: signature.nullable() };

/** One line of the chain. */
export const chainEntry = z.discriminatedUnion('event', [beginning.extend(seal), recorded.extend(seal)]);
export type ChainEntry = z.output<typeof chainEntry>;
export type CommitEntry = Extract<ChainEntry, { event: 'commit' }>;
export type UnsealedEntry = z.output<typeof beginning> | z.output<typeof recorded>;

/** The last entry, kept beside the chain: a chain that lost its end still looks whole. */
export const chainHead = z.strictObject({
  version: z.literal(1),
  seq: z.number().int().min(1),
  hash: digest,
  bytes: z.number().int().min(1),
  signature: signature.nullable(),
});
export type ChainHead = z.output<typeof chainHead>;

/** Of an entry without its seal, and of a head without its signature. */
export const entryDigest = (entry: object): string => digestOf('assay.provenance.entry.v1', entry);
export const headDigest = (head: object): string => digestOf('assay.provenance.head.v1', head);
