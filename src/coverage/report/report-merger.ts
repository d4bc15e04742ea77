import { pathBelow } from '../paths/source-path.ts';
import { type CoverageStore, createCoverageStore, type Measure, mergeFile } from '../store/coverage-store.ts';
import { createEventLoopYield } from '../store/event-loop-yield.ts';

/** Merges several reports, or several spellings of one path, by the identities of the files. */
export interface ReportMerger {
  readonly store: CoverageStore;
  /** The first name of each file. */
  readonly originalNames: readonly string[];
  /** Adds a report; `identities` are those of its files, in their order. */
  add(report: CoverageStore, identities: readonly string[]): Promise<void>;
  identities(): readonly string[];
  /** Names of all files relative to one folder. */
  namesFrom(cwd: string): string[];
}

export function createReportMerger(include: readonly Measure[] | undefined): ReportMerger {
  const store = createCoverageStore(include);
  const originalNames: string[] = [];
  return {
    store,
    originalNames,

    async add(report, identities) {
      const pace = createEventLoopYield();
      for (const [number, path] of report.paths.entries()) {
        const file = store.fileNumber(identities[number] ?? path);
        originalNames[file] ??= path;
        mergeFile(report, number, store, file);
        const pause = pace();
        if (pause) await pause;
      }
    },

    identities: () => store.paths,
    namesFrom: (cwd) => store.paths.map((identity) => pathBelow(cwd, identity) ?? identity),
  };
}
