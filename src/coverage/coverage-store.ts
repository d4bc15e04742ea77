import { limits, tooLarge } from './limits.ts';
import { createLineStore, type LineStore } from './line-store.ts';
import { createPartStore, type PartStore } from './part-store.ts';
import { tidyPath } from './source-path.ts';

/** What can be measured beside lines. */
export type Measure = 'branches' | 'functions';

/** Counts of lines, branches or functions: how many there are, and how many of them ran. */
export interface Totals {
  found: number;
  hit: number;
}

/** Reads one report format from chunks that may be cut anywhere, and puts what it finds into a store. */
export interface ReportScanner {
  feed(chunk: Uint8Array): void;
  /** Ends the text; fails when it was no report of this format. */
  end(): void;
}

/**
 * Where a scanner of any format puts what it finds. A source file is a number here; everything about it may come in any order
 * and any number of times, and is united: a thing was hit when any record says so.
 */
export interface CoverageStore {
  readonly lines: LineStore;
  readonly branches: PartStore | undefined;
  readonly functions: PartStore | undefined;
  /** Paths as the report wrote them, by file number. */
  readonly paths: readonly string[];
  /** The number of a source file; different spellings of one path are one file. */
  file(path: string): number;
  /** Totals that the report states itself. They count only for a file about which it gives no detail. */
  state(measure: 'lines' | Measure, part: keyof Totals, file: number, total: number): void;
  /** Those totals, as they came. */
  stated(measure: 'lines' | Measure, file: number): Totals;
  totals(measure: 'lines' | Measure, file: number): Totals;
}

/** Adds everything that is known of one file to another store. */
export function uniteFile(from: CoverageStore, fromFile: number, into: CoverageStore, intoFile: number): void {
  from.lines.visit(fromFile, (word, found, hit) => into.lines.add(intoFile, word, found, hit));
  for (const measure of ['branches', 'functions'] as const) {
    from[measure]?.visit(fromFile, (line, fingerprint, hit) => into[measure]?.add(intoFile, line, fingerprint, hit));
  }
  for (const measure of ['lines', 'branches', 'functions'] as const) {
    if (from[measure]?.has(fromFile)) continue;
    const { found, hit } = from.stated(measure, fromFile);
    if (found > 0) into.state(measure, 'found', intoFile, found);
    if (hit > 0) into.state(measure, 'hit', intoFile, hit);
  }
}

const nothing: Totals = { found: 0, hit: 0 };

export function createCoverageStore(include: readonly Measure[] = []): CoverageStore {
  const paths: string[] = [];
  const numbers = new Map<string, number>();
  const stated = {
    lines: new Map<number, Totals>(),
    branches: new Map<number, Totals>(),
    functions: new Map<number, Totals>(),
  };
  const lines = createLineStore();
  const branches = include.includes('branches') ? createPartStore('branches') : undefined;
  const functions = include.includes('functions') ? createPartStore('functions') : undefined;
  const detail = { lines, branches, functions };
  let pathText = 0;

  function remember(path: string, number: number): void {
    pathText += path.length;
    if (pathText > limits.pathText) throw tooLarge(`${limits.pathText} characters of source paths`);
    numbers.set(path, number);
  }

  return {
    lines,
    branches,
    functions,
    paths,

    file(path) {
      const known = numbers.get(path);
      if (known !== undefined) return known;
      const tidy = tidyPath(path);
      let number = numbers.get(tidy);
      if (number === undefined) {
        number = paths.length;
        if (number >= limits.sourceFiles) throw tooLarge(`${limits.sourceFiles} source files`);
        paths.push(path);
        remember(tidy, number);
      }
      if (tidy !== path) remember(path, number);
      return number;
    },

    state(measure, part, file, total) {
      if (detail[measure]?.has(file)) return;
      const known = stated[measure].get(file) ?? nothing;
      stated[measure].set(file, { ...known, [part]: Math.max(known[part], total) });
    },

    stated(measure, file) {
      return stated[measure].get(file) ?? nothing;
    },

    totals(measure, file) {
      const counted = detail[measure]?.count(file);
      if (counted) return counted;
      const { found, hit } = stated[measure].get(file) ?? nothing;
      return { found, hit: Math.min(hit, found) };
    },
  };
}
