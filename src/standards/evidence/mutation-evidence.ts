import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { percent } from '../../coverage/index.ts';
import { describeEvidenceSource, type EvidenceSource } from './evidence-source.ts';
import { describeStaleness, type SourceClock } from './freshness.ts';
import type { FoundReport } from './report-files.ts';

export interface MutationEvidence {
  sources: EvidenceSource[];
  measured: { percent: number; detected: number; valid: number; survivors: string[] } | undefined;
  reason: string;
}

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_SURVIVORS = 20;

/** The part of a Stryker report that its score is computed from. */
const strykerReportSchema = z.object({
  files: z.record(
    z.string(),
    z.object({
      mutants: z.array(
        z.object({
          status: z.string(),
          mutatorName: z.string().optional(),
          location: z.object({ start: z.object({ line: z.number() }) }).optional(),
        }),
      ),
    }),
  ),
});

/** Reads the mutation score of the newest report, if it is fresh: the share of valid mutants that a test detected. */
export async function readMutationEvidence(
  found: readonly FoundReport[],
  { root, clock, nowMs }: { root: string; clock: SourceClock; nowMs: number },
): Promise<MutationEvidence> {
  const reports = found.filter(({ kind }) => kind === 'mutation').sort((a, b) => b.modifiedMs - a.modifiedMs);
  const [newest] = reports;
  if (!newest)
    return { sources: [], measured: undefined, reason: 'no mutation report: run Stryker with its JSON reporter' };
  const stale = describeStaleness(newest, clock, nowMs);
  if (stale) {
    const sources = [await describeEvidenceSource(root, newest, nowMs, 'stale', stale)];
    return { sources, measured: undefined, reason: `${newest.path} is ${stale}: run the mutation tests again` };
  }
  try {
    if (newest.bytes > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`);
    const measured = scoreMutants(await readFile(join(root, newest.path), 'utf8'));
    const sources = [await describeEvidenceSource(root, newest, nowMs, 'fresh')];
    return { sources, measured, reason: measured ? '' : `${newest.path} has no valid mutants` };
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it cannot be read';
    const sources = [await describeEvidenceSource(root, newest, nowMs, 'invalid', why)];
    return { sources, measured: undefined, reason: `${newest.path} cannot be read: ${why}` };
  }
}

/** Killed and timed-out mutants count as detected, survived and uncovered ones as missed, all others not at all. */
export function scoreMutants(text: string): MutationEvidence['measured'] {
  const parsed = strykerReportSchema.safeParse(JSON.parse(text));
  if (!parsed.success) throw new Error('it is not a Stryker report');
  let detected = 0;
  let missed = 0;
  const survivors: string[] = [];
  for (const [path, { mutants }] of Object.entries(parsed.data.files)) {
    for (const { status, mutatorName, location } of mutants) {
      if (status === 'Killed' || status === 'Timeout') detected++;
      else if (status === 'Survived' || status === 'NoCoverage') {
        missed++;
        if (survivors.length < MAX_SURVIVORS)
          survivors.push(`${path}:${location?.start.line ?? '?'} (${mutatorName ?? 'mutant'} ${status})`);
      }
    }
  }
  const valid = detected + missed;
  return valid === 0 ? undefined : { percent: percent(detected, valid), detected, valid, survivors };
}
