import type { Totals } from './coverage-store.ts';
import { type ReadOptions, readReport } from './read.ts';
import { change, percent, type Report } from './report.ts';
import { loadSnapshot, type Snapshot, type SnapshotPlace } from './snapshots.ts';
import { tidyPath } from './source-path.ts';

export interface Comparison {
  /** Changes in percentage points: after minus before, of the values as they are shown. */
  overallChange: number;
  fileChanges: Record<string, number>;
  newFiles: string[];
  removedFiles: string[];
  /** Only what the snapshot measured. */
  branchesChange?: number;
  functionsChange?: number;
}

interface Side {
  path: string;
  identity: string;
  lines: Totals;
}

/** What happened to coverage since a snapshot, which stays valid. */
export async function compareSnapshot(
  snapshotId: string,
  paths: string | readonly string[],
  options: Omit<ReadOptions, 'include'> & SnapshotPlace & { changedOnly?: boolean | undefined },
): Promise<Comparison> {
  const before = await loadSnapshot(snapshotId, options);
  const include = (['branches', 'functions'] as const).filter((measure) => before[measure]);
  const after = await readReport(paths, { ...options, include });
  const { changes, newFiles, removedFiles } = compareFiles(before.files, await sides(after));
  return {
    overallChange: difference(after.lines, before.lines),
    fileChanges: Object.fromEntries(options.changedOnly ? changes.filter(([, points]) => points !== 0) : changes),
    newFiles,
    removedFiles,
    ...measureChange('branchesChange', after.branches, before.branches),
    ...measureChange('functionsChange', after.functions, before.functions),
  };
}

function measureChange(name: 'branchesChange' | 'functionsChange', after?: Totals, before?: Snapshot['branches']) {
  return after && before ? { [name]: difference(after, before) } : {};
}

async function sides(report: Report): Promise<Side[]> {
  const identities = await report.identities();
  return report.files.map(({ path, lines }, index) => ({ path, lines, identity: identities[index] ?? path }));
}

function compareFiles(before: readonly Side[], after: readonly Side[]) {
  const changes: [string, number][] = [];
  const newFiles: string[] = [];
  const gone = pairUp(before, after);
  const names = new Set(after.map(({ path }) => path));
  for (const file of after) {
    const old = gone.pairs.get(file);
    changes.push([file.path, difference(file.lines, old?.lines ?? { found: 0, hit: 0 })]);
    if (!old) newFiles.push(file.path);
  }
  const removedFiles = gone.unpaired.map((file) => {
    // A file that is gone may have borne the name of one that is there now.
    const name = names.has(file.path) ? file.identity : file.path;
    changes.push([name, difference({ found: 0, hit: 0 }, file.lines)]);
    return name;
  });
  return { changes, newFiles: newFiles.sort(), removedFiles: removedFiles.sort() };
}

/** Files are the same by identity; what is left, by name, for reports that were written from different folders. */
function pairUp(before: readonly Side[], after: readonly Side[]) {
  const pairs = new Map<Side, Side>();
  let unpaired = before;
  for (const key of [(file: Side) => file.identity, (file: Side) => tidyPath(file.path)]) {
    const waiting = new Map(after.filter((file) => !pairs.has(file)).map((file) => [key(file), file]));
    unpaired = unpaired.filter((old) => {
      const file = waiting.get(key(old));
      if (!file || pairs.has(file)) return true;
      pairs.set(file, old);
      return false;
    });
  }
  return { pairs, unpaired };
}

function difference(after: Totals, before: Totals): number {
  return change(percent(after.hit, after.found), percent(before.hit, before.found));
}
