import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';

/** The file that a number was read from. */
export interface EvidenceSource {
  /** Relative to the project. */
  path: string;
  sha256: string;
  /** Modification time. */
  modified: string;
  age_seconds: number;
  /** `stale`: older than the sources, so not evidence; `invalid`: cannot be parsed as its kind. */
  state: 'fresh' | 'stale' | 'invalid';
  note?: string;
  /** Whether a recorded test run wrote it on exactly these files. */
  attested?: boolean;
  assurance?: 'self-reported' | 'isolated' | 'ci';
  /** Why it is not attested. */
  unattested_because?: string;
}

/** A report file that was found but not yet read. */
export interface EvidenceFile {
  path: string;
  bytes: number;
  modifiedMs: number;
}

export async function describeEvidenceSource(
  root: string,
  report: EvidenceFile,
  nowMs: number,
  state: EvidenceSource['state'],
  note?: string,
): Promise<EvidenceSource> {
  return {
    path: report.path,
    sha256: await hashFile(join(root, report.path)),
    modified: new Date(report.modifiedMs).toISOString(),
    age_seconds: Math.max(0, Math.round((nowMs - report.modifiedMs) / 1000)),
    state,
    ...(note && { note }),
  };
}

export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk);
  } catch {
    return '';
  }
  return hash.digest('hex');
}
