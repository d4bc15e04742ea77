import * as z from 'zod';
import { untrusted, untrustedName } from '../../platform/text/untrusted-schema.ts';
import { weakeningKinds } from '../integrity/weakening.ts';

const evidenceSourceSchema = z.object({
  path: untrustedName(z.string()),
  sha256: z.string(),
  modified: z.string(),
  age_seconds: z.number(),
  state: z
    .enum(['fresh', 'stale', 'invalid'])
    .describe('Freshness of the evidence; stale means older than the sources that it covers'),
  note: untrusted(z.string(), { max: 2_000 }).optional(),
  attested: z
    .boolean()
    .optional()
    .describe('Whether a recorded test run (caws_run_tests) wrote it on exactly these files'),
  assurance: z
    .enum(['self-reported', 'isolated', 'ci'])
    .optional()
    .describe('Who saw how it was made: self-reported, signed with a key that is not on this machine, or that in CI'),
  unattested_because: untrusted(z.string()).optional(),
});

export const criterionSchema = z.object({
  id: untrustedName(z.string()).describe('Id of the gate, as policies and waivers name it'),
  name: untrusted(z.string(), { max: 300 }),
  status: z.enum(['passed', 'failed', 'unknown', 'waived', 'not_applicable']),
  blocking: z.boolean().describe('True if the criterion stops the change from passing'),
  score: z.number(),
  weight: z.number(),
  actual: z.number().nullable(),
  threshold: z.number().nullable(),
  unit: z.string(),
  feedback: untrusted(z.string(), { max: 2_000 }),
  details: untrusted(z.array(z.string()), { max: 2_000 }),
  evidence: z.array(evidenceSourceSchema),
  waiver: z.object({ id: untrustedName(z.string()), expires_at: untrusted(z.string(), { max: 100 }) }).optional(),
});

export const problemSchema = z.object({
  severity: z.enum(['error', 'warning']),
  rule: z.string(),
  file: untrustedName(z.string()),
  path: untrustedName(z.string()),
  line: z.number(),
  column: z.number(),
  message: untrusted(z.string(), { max: 2_000 }),
  suggestion: untrusted(z.string(), { max: 2_000 }).optional(),
});

export const weakeningSchema = z.object({
  id: z.string().describe('Digest that an approval names'),
  kind: z.enum(weakeningKinds),
  severity: z.enum(['weakening', 'note']).describe('A weakening needs an approval, a note only a look'),
  file: untrustedName(z.string()),
  line: z.number().optional(),
  what: untrusted(z.string(), { max: 2_000 }),
  approved_by: untrusted(z.string(), { max: 300 }).optional(),
});

export const specSummarySchema = z.object({
  id: untrustedName(z.string()),
  title: untrusted(z.string(), { max: 300 }),
  tier: z.number(),
  mode: untrustedName(z.string()),
  file: untrustedName(z.string()),
  sha256: z.string(),
});
