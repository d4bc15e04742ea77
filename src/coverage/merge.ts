import { type CoverageStore, createCoverageStore, type Measure, uniteFile } from './coverage-store.ts';
import { pathBelow, tidyPath } from './source-path.ts';

/** Several reports becoming one: files are the same when their identities are. */
export interface Merging {
  readonly store: CoverageStore;
  /** Adds a report; `identities` are those of its files, in their order. */
  add(report: CoverageStore, identities: readonly string[]): void;
  identities(): readonly string[];
  /** What each file is called: as its report says, unless that would be the name of two files. */
  names(cwd: string): string[];
}

export function createMerging(include: readonly Measure[] | undefined): Merging {
  const store = createCoverageStore(include);
  const given: string[] = [];
  return {
    store,

    add(report, identities) {
      report.paths.forEach((path, number) => {
        const file = store.file(identities[number] ?? path);
        given[file] ??= path;
        uniteFile(report, number, store, file);
      });
    },

    identities: () => store.paths,

    names(cwd) {
      const fromCwd = store.paths.map((identity) => pathBelow(cwd, identity) ?? identity);
      const names = renameTwins(given, fromCwd);
      return renameTwins(names, [...store.paths]);
    },
  };
}

function renameTwins(names: readonly string[], others: readonly string[]): string[] {
  const uses = new Map<string, number>();
  for (const name of names) uses.set(tidyPath(name), (uses.get(tidyPath(name)) ?? 0) + 1);
  return names.map((name, index) => ((uses.get(tidyPath(name)) ?? 0) > 1 ? (others[index] ?? name) : name));
}
