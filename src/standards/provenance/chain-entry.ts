import * as z from 'zod';
import { digestJson } from './canonical-json.ts';

const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/);
const objectId = z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/);
const personSchema = z.strictObject({ name: z.string(), email: z.string(), date: z.string() });

/** What git says of a commit, and what a later look at git must find again. */
const commitFactsSchema = z.strictObject({
  id: objectId,
  tree: objectId,
  parents: z.array(objectId),
  author: personSchema,
  committer: personSchema,
  subject: z.string(),
  message: digest,
});
export type CommitFacts = z.output<typeof commitFactsSchema>;

/** The size of the change against the first parent. Git's attributes may count it differently one day, so it is no proof. */
const changeSizeSchema = z.strictObject({
  files: z.number().int(),
  added: z.number().int(),
  removed: z.number().int(),
});

/** Somebody other than the author may have had a hand in it; without a sign nothing is known. */
const signalSchema = z.strictObject({
  tool: z.string(),
  signal: z.string(),
  confidence: z.enum(['high', 'medium', 'low']),
});
export type AuthorshipSignal = z.output<typeof signalSchema>;

const specFactsSchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  risk_tier: z.number(),
  mode: z.string(),
  file: digest,
});
export type SpecFacts = z.output<typeof specFactsSchema>;

const gateFactsSchema = z.strictObject({
  overall_status: z.string(),
  quality_score: z.number(),
  evidence: z.array(z.strictObject({ path: z.string(), digest })),
});
export type GateFacts = z.output<typeof gateFactsSchema>;

/** Who sealed it. Whoever signed first signs all that follows. */
const signatureSchema = z.strictObject({ public_key: z.string(), value: z.string() });

const commonFields = {
  version: z.literal(1),
  seq: z.number().int().min(1),
  recorded_at: z.iso.datetime(),
  previous_hash: digest.nullable(),
};

const initEntrySchema = z.strictObject({
  ...commonFields,
  event: z.literal('init'),
  /** The commit that the repository was at; those before it are nobody's business. */
  since: objectId.nullable(),
  spec: specFactsSchema.nullable(),
});

const commitEntrySchema = z.strictObject({
  ...commonFields,
  event: z.literal('commit'),
  commit: commitFactsSchema,
  size: changeSizeSchema,
  spec: specFactsSchema.nullable(),
  gates: gateFactsSchema.nullable(),
  assisted_by: z.array(signalSchema),
});

const sealFields = { hash: digest, signature: signatureSchema.nullable() };

/** One line of the chain. */
export const chainEntrySchema = z.discriminatedUnion('event', [
  initEntrySchema.extend(sealFields),
  commitEntrySchema.extend(sealFields),
]);
export type ChainEntry = z.output<typeof chainEntrySchema>;
export type CommitEntry = Extract<ChainEntry, { event: 'commit' }>;
export type UnsealedEntry = z.output<typeof initEntrySchema> | z.output<typeof commitEntrySchema>;

/** The last entry, kept beside the chain: a chain that lost its end still looks whole. */
export const chainHeadSchema = z.strictObject({
  version: z.literal(1),
  seq: z.number().int().min(1),
  hash: digest,
  bytes: z.number().int().min(1),
  signature: signatureSchema.nullable(),
});
export type ChainHead = z.output<typeof chainHeadSchema>;

/** Of an entry without its seal, and of a head without its signature. */
export const digestEntry = (entry: object): string => digestJson('assay.provenance.entry.v1', entry);
export const digestHead = (head: object): string => digestJson('assay.provenance.head.v1', head);
