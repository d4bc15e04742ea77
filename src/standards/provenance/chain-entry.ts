import * as z from 'zod';
import { digestJson } from './canonical-json.ts';

const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/);
const objectId = z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/);
const personSchema = z.strictObject({ name: z.string(), email: z.string(), date: z.string() });

/** The data of a commit that verification compares with git. */
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

/** The size of the change against the first parent. It depends on git attributes, so verification ignores it. */
const changeSizeSchema = z.strictObject({
  files: z.number().int(),
  added: z.number().int(),
  removed: z.number().int(),
});

/** A sign that a tool took part in a commit; a commit without a sign is unknown. */
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

/** The signature of an entry. The first key of a chain signs all later entries. */
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
  /** HEAD when the chain was started; earlier commits are not recorded. */
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

/** The last entry, stored next to the chain to detect truncation. */
export const chainHeadSchema = z.strictObject({
  version: z.literal(1),
  seq: z.number().int().min(1),
  hash: digest,
  bytes: z.number().int().min(1),
  signature: signatureSchema.nullable(),
});
export type ChainHead = z.output<typeof chainHeadSchema>;

/** The digests of an entry without its seal and of a head without its signature. */
export const digestEntry = (entry: object): string => digestJson('assay.provenance.entry.v1', entry);
export const digestHead = (head: object): string => digestJson('assay.provenance.head.v1', head);
