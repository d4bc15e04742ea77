import { normalizePath } from '../paths/source-path.ts';
import { type CoverageReport, percent, percentagePointChange } from '../report/coverage-report.ts';
import { type ReadReportOptions, readReport } from '../report/read-report.ts';
import type { Totals } from '../store/coverage-store.ts';
import { loadSnapshot, type Snapshot, type SnapshotLocation } from './snapshot-store.ts';

export interface SnapshotComparison {
  /** Changes in percentage points: after minus before, of the values as they are shown. */
  overallChange: number;
  fileChanges: Record<string, number>;
  newFiles: string[];
  removedFiles: string[];
  /** Present if the snapshot measured it. */
  branchesChange?: number;
  functionsChange?: number;
}

interface ComparedFile {
  path: string;
  identity: string;
  lines: Totals;
}

/** Compares current reports with a snapshot, which stays valid. */
export async function compareSnapshot(
  snapshotId: string,
  paths: string | readonly string[],
  options: Omit<ReadReportOptions, 'include'> & SnapshotLocation & { changedOnly?: boolean | undefined },
): Promise<SnapshotComparison> {
  const before = await loadSnapshot(snapshotId, options);
  const include = (['branches', 'functions'] as const).filter((measure) => before[measure]);
  const after = await readReport(paths, { ...options, include });
  const { changes, newFiles, removedFiles } = compareFiles(before.files, await listComparedFiles(after));
  return {
    overallChange: totalsChange(after.lines, before.lines),
    fileChanges: Object.fromEntries(options.changedOnly ? changes.filter(([, points]) => points !== 0) : changes),
    newFiles,
    removedFiles,
    ...measureChange('branchesChange', after.branches, before.branches),
    ...measureChange('functionsChange', after.functions, before.functions),
  };
}

function measureChange(name: 'branchesChange' | 'functionsChange', after?: Totals, before?: Snapshot['branches']) {
  return after && before ? { [name]: totalsChange(after, before) } : {};
}

async function listComparedFiles(report: CoverageReport): Promise<ComparedFile[]> {
  const identities = await report.identities();
  return report.files.map(({ path, lines }, index) => ({ path, lines, identity: identities[index] ?? path }));
}

function compareFiles(before: readonly ComparedFile[], after: readonly ComparedFile[]) {
  const changes: [string, number][] = [];
  const newFiles: string[] = [];
  const pairing = pairFiles(before, after);
  const names = new Set(after.map(({ path }) => path));
  for (const file of after) {
    const old = pairing.pairs.get(file);
    changes.push([file.path, totalsChange(file.lines, old?.lines ?? { found: 0, hit: 0 })]);
    if (!old) newFiles.push(file.path);
  }
  const removedFiles = pairing.unpaired.map((file) => {
    // A removed file may have had the name of a file that exists now.
    const name = names.has(file.path) ? file.identity : file.path;
    changes.push([name, totalsChange({ found: 0, hit: 0 }, file.lines)]);
    return name;
  });
  return { changes, newFiles: newFiles.sort(), removedFiles: removedFiles.sort() };
}

/** Pairs files by identity, then the rest by name, for reports that were written in different folders. */
function pairFiles(before: readonly ComparedFile[], after: readonly ComparedFile[]) {
  const pairs = new Map<ComparedFile, ComparedFile>();
  let unpaired = before;
  for (const key of [(file: ComparedFile) => file.identity, (file: ComparedFile) => normalizePath(file.path)]) {
    const candidates = new Map(after.filter((file) => !pairs.has(file)).map((file) => [key(file), file]));
    unpaired = unpaired.filter((old) => {
      const file = candidates.get(key(old));
      if (!file || pairs.has(file)) return true;
      pairs.set(file, old);
      return false;
    });
  }
  return { pairs, unpaired };
}

function totalsChange(after: Totals, before: Totals): number {
  return percentagePointChange(percent(after.hit, after.found), percent(before.hit, before.found));
}
