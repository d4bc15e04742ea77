import { join } from 'node:path';
import { hashFile } from '../evidence/evidence-source.ts';
import type { FoundReport } from '../evidence/report-files.ts';
import type { ProjectFileList } from '../git/file-list.ts';
import type { EvidenceKeys } from './evidence-keys.ts';
import { readRunRecords } from './run-record.ts';
import { computeTreeDigest } from './tree-digest.ts';

/**
 * Who saw how a report was made. `self-reported`: no one, or a run signed on this machine, whose keys the author of the change
 * may reach. `isolated`: a run signed with the key of `ASSAY_VERIFY_KEY`, whose private part is not here. `ci`: the same, in a
 * pipeline.
 */
type Assurance = 'self-reported' | 'isolated' | 'ci';

export interface EvidenceOrigin {
  isAttested: boolean;
  assurance: Assurance;
  /** Why it is not attested. */
  reason: string | undefined;
}

/** Tells which reports come from a recorded run on exactly the files that are there now. */
export async function judgeReports(
  root: string,
  reports: readonly FoundReport[],
  {
    listing,
    keys,
    signal,
  }: { listing: ProjectFileList | undefined; keys: EvidenceKeys | undefined; signal: AbortSignal },
): Promise<ReadonlyMap<string, EvidenceOrigin>> {
  const records = listing && keys && reports.length > 0 ? await readRunRecords(root, await keys.trusted()) : [];
  const tree = records.length > 0 && listing ? await digestSources(root, listing, reports, signal) : undefined;
  const origins = new Map<string, EvidenceOrigin>();
  for (const { path } of reports) {
    const sha256 = records.length > 0 ? await hashFile(join(root, path)) : '';
    const ofFile = records.filter(({ run }) => run.reports.some((one) => one.path === path));
    const same = ofFile.filter(({ run }) => run.reports.some((one) => one.path === path && one.sha256 === sha256));
    const record = same.find(({ run }) => run.treeAfter === tree && run.treeBefore === tree);
    const assurance = record?.signedBy === 'remote' ? (record.run.isPipeline ? 'ci' : 'isolated') : 'self-reported';
    const reason = record
      ? undefined
      : same.length > 0
        ? 'files changed after the run that wrote it'
        : ofFile.length > 0
          ? 'it changed after the run that wrote it'
          : 'no recorded test run wrote it';
    origins.set(path, { isAttested: record !== undefined, assurance, reason });
  }
  return origins;
}

/** The digest of all files but untracked reports, which are evidence of the change and not part of it. */
export async function digestSources(
  root: string,
  { tracked, untracked }: ProjectFileList,
  reports: readonly { path: string }[],
  signal: AbortSignal,
): Promise<string> {
  const evidence = new Set(reports.map(({ path }) => path));
  return computeTreeDigest(root, [...tracked, ...untracked.filter((path) => !evidence.has(path))], signal);
}
