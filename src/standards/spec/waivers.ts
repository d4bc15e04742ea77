import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { Failure } from '../../platform/errors.ts';
import { readProjectFile } from './project-file.ts';
import { problemsFromIssues } from './spec-problems.ts';
import { parseYaml, type SpecProblem } from './yaml-source.ts';

export const waiverFolder = '.caws/waivers';
export const waiverReasons = [
  'emergency_hotfix',
  'legacy_integration',
  'experimental_feature',
  'third_party_constraint',
  'performance_critical',
  'security_patch',
  'infrastructure_limitation',
  'other',
] as const;
export const impactLevels = ['low', 'medium', 'high', 'critical'] as const;

const waiverSchema = z.object({
  id: z.string('must be a text').regex(/^WV-\d{4,}$/, 'must look like WV-0001'),
  title: z.string('must be a text').min(1, 'must not be empty'),
  reason: z.enum(waiverReasons, `must be one of ${waiverReasons.join(', ')}`),
  description: z.string('must be a text'),
  gates: z.array(z.string('must be a text'), 'must be a list').min(1, 'must name a gate'),
  created_at: z.string('must be a time'),
  expires_at: z.iso.datetime({ error: 'must be a time such as 2027-01-31T00:00:00Z', offset: true }),
  approved_by: z.string('must be a text').min(1, 'must not be empty'),
  impact_level: z.enum(impactLevels, `must be one of ${impactLevels.join(', ')}`),
  mitigation_plan: z.string('must be a text'),
  status: z.enum(['active', 'expired', 'revoked'], 'must be active, expired or revoked'),
  /** What a waiver of `budget_limit` adds to the budget; without it the gate is waived entirely. */
  delta: z
    .object({ max_files: z.number().int().min(0).optional(), max_loc: z.number().int().min(0).optional() })
    .optional(),
});

export type Waiver = z.output<typeof waiverSchema>;
/**
 * The effective state of a waiver at a moment, which its file may not reflect. `pending`: the change itself brings it, and no
 * approver agreed.
 */
type WaiverState = 'active' | 'expired' | 'revoked' | 'pending';

export interface LoadedWaiver {
  file: string;
  sha256: string;
  waiver: Waiver;
  state: WaiverState;
}

export interface LoadedWaivers {
  waivers: LoadedWaiver[];
  problems: SpecProblem[];
}

const MAX_WAIVERS = 2000;

/** Loads all waivers of a project with their effective state. An invalid file waives nothing and is listed as a problem. */
export async function loadWaivers(root: string, nowMs: number): Promise<LoadedWaivers> {
  const names = await listWaiverFiles(root);
  const loaded = await Promise.all(names.map((name) => loadWaiver(root, name, nowMs)));
  return {
    waivers: loaded.flatMap((one) => ('waiver' in one ? [one] : [])),
    problems: loaded.flatMap((one) => ('waiver' in one ? [] : one.problems)),
  };
}

export async function listWaiverFiles(root: string): Promise<string[]> {
  const entries = await readdir(join(root, waiverFolder), { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && /^WV-\d{4,}\.ya?ml$/.test(entry.name))
    .map(({ name }) => name)
    .sort()
    .slice(0, MAX_WAIVERS);
}

export async function loadWaiver(
  root: string,
  name: string,
  nowMs: number,
): Promise<LoadedWaiver | { problems: SpecProblem[] }> {
  const path = `${waiverFolder}/${name}`;
  try {
    const { text, sha256 } = await readProjectFile(root, path, { what: 'the waiver', maxBytes: 64 * 1024 });
    const checked = checkWaiver(text, path);
    return 'problems' in checked
      ? checked
      : { file: path, sha256, waiver: checked, state: waiverState(checked, nowMs) };
  } catch (error) {
    if (error instanceof Failure) return { problems: [invalidWaiver(path, error.message)] };
    throw error;
  }
}

/** Checks the text of a waiver. */
export function checkWaiver(text: string, path: string): Waiver | { problems: SpecProblem[] } {
  const source = parseYaml(text, path);
  if (source.problems.length > 0) return { problems: source.problems };
  const parsed = waiverSchema.safeParse(source.value);
  if (!parsed.success) return { problems: problemsFromIssues(parsed.error.issues, source.value, source) };
  if (!path.startsWith(`${waiverFolder}/${parsed.data.id}.`))
    return { problems: [invalidWaiver(path, `Its id is ${parsed.data.id}, but its file name is another`)] };
  return parsed.data;
}

function waiverState({ status, expires_at }: Waiver, nowMs: number): WaiverState {
  if (status !== 'active') return status;
  return Date.parse(expires_at) > nowMs ? 'active' : 'expired';
}

/** The active waivers of a gate. */
export function waiversInForce(waivers: readonly LoadedWaiver[], gate: string): LoadedWaiver[] {
  return waivers.filter(({ state, waiver }) => state === 'active' && waiver.gates.includes(gate));
}

function invalidWaiver(file: string, message: string): SpecProblem {
  return { severity: 'error', rule: 'waiver.invalid', file, path: '', line: 1, column: 1, message };
}
