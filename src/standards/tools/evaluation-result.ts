import * as z from 'zod';

const source = z.object({
  path: z.string(),
  sha256: z.string(),
  modified: z.string(),
  age_seconds: z.number(),
  state: z.enum(['fresh', 'stale', 'invalid']).describe('Stale: older than the sources it speaks of'),
  note: z.string().optional(),
});

export const criterion = z.object({
  id: z.string().describe('The gate, as policies and waivers name it'),
  name: z.string(),
  status: z.enum(['passed', 'failed', 'unknown', 'waived', 'not_applicable']),
  blocking: z.boolean().describe('Keeps the change from passing'),
  score: z.number(),
  weight: z.number(),
  actual: z.number().nullable(),
  threshold: z.number().nullable(),
  unit: z.string(),
  feedback: z.string(),
  details: z.array(z.string()),
  evidence: z.array(source),
  waiver: z.object({ id: z.string(), expires_at: z.string() }).optional(),
});

export const problem = z.object({
  severity: z.enum(['error', 'warning']),
  rule: z.string(),
  file: z.string(),
  path: z.string(),
  line: z.number(),
  column: z.number(),
  message: z.string(),
  suggestion: z.string().optional(),
});

export const specSummary = z.object({
  id: z.string(),
  title: z.string(),
  tier: z.number(),
  mode: z.string(),
  file: z.string(),
  sha256: z.string(),
});
