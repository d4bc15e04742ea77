import { type CoverageStore, createCoverageStore, type Measure, uniteFile } from './coverage-store.ts';
import { createPace } from './pace.ts';
import { pathBelow } from './source-path.ts';

/** Several reports, or several spellings of one, becoming one: files are the same when their identities are. */
export interface Merging {
  readonly store: CoverageStore;
  /** What each file was called first. */
  readonly given: readonly string[];
  /** Adds a report; `identities` are those of its files, in their order. */
  add(report: CoverageStore, identities: readonly string[]): Promise<void>;
  identities(): readonly string[];
  /** What each file is called from one folder, whichever folder its report saw it from. */
  namesFrom(cwd: string): string[];
}

export function createMerging(include: readonly Measure[] | undefined): Merging {
  const store = createCoverageStore(include);
  const given: string[] = [];
  return {
    store,
    given,

    async add(report, identities) {
      const pace = createPace();
      for (const [number, path] of report.paths.entries()) {
        const file = store.file(identities[number] ?? path);
        given[file] ??= path;
        uniteFile(report, number, store, file);
        const pause = pace();
        if (pause) await pause;
      }
    },

    identities: () => store.paths,
    namesFrom: (cwd) => store.paths.map((identity) => pathBelow(cwd, identity) ?? identity),
  };
}
