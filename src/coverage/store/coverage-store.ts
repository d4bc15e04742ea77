import { normalizePath } from '../paths/source-path.ts';
import { createLineStore, type LineStore } from './line-store.ts';
import { createPartStore, type PartStore } from './part-store.ts';
import { reportLimits, reportTooLarge } from './report-limits.ts';

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
  fileNumber(path: string): number;
  /** Totals that the report states itself. They count only for a file about which it gives no detail. */
  addStatedTotal(measure: 'lines' | Measure, part: keyof Totals, file: number, total: number): void;
  /** Those totals, as they came. */
  statedTotals(measure: 'lines' | Measure, file: number): Totals;
  totals(measure: 'lines' | Measure, file: number): Totals;
}

/** Adds everything that is known of one file to another store. */
export function mergeFile(from: CoverageStore, fromFile: number, into: CoverageStore, intoFile: number): void {
  from.lines.visit(fromFile, (word, found, hit) => into.lines.add(intoFile, word, found, hit));
  for (const measure of ['branches', 'functions'] as const) {
    from[measure]?.visit(fromFile, (line, fingerprint, hit) => into[measure]?.add(intoFile, line, fingerprint, hit));
  }
  for (const measure of ['lines', 'branches', 'functions'] as const) {
    if (from[measure]?.has(fromFile)) continue;
    const { found, hit } = from.statedTotals(measure, fromFile);
    if (found > 0) into.addStatedTotal(measure, 'found', intoFile, found);
    if (hit > 0) into.addStatedTotal(measure, 'hit', intoFile, hit);
  }
}

const noTotals: Totals = { found: 0, hit: 0 };

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
  let pathTextLength = 0;

  function assignNumber(path: string, number: number): void {
    pathTextLength += path.length;
    if (pathTextLength > reportLimits.pathText)
      throw reportTooLarge(`${reportLimits.pathText} characters of source paths`);
    numbers.set(path, number);
  }

  return {
    lines,
    branches,
    functions,
    paths,

    fileNumber(path) {
      const known = numbers.get(path);
      if (known !== undefined) return known;
      const tidy = normalizePath(path);
      let number = numbers.get(tidy);
      if (number === undefined) {
        number = paths.length;
        if (number >= reportLimits.sourceFiles) throw reportTooLarge(`${reportLimits.sourceFiles} source files`);
        paths.push(path);
        assignNumber(tidy, number);
      }
      if (tidy !== path) assignNumber(path, number);
      return number;
    },

    addStatedTotal(measure, part, file, total) {
      if (detail[measure]?.has(file)) return;
      const known = stated[measure].get(file) ?? noTotals;
      stated[measure].set(file, { ...known, [part]: Math.max(known[part], total) });
    },

    statedTotals(measure, file) {
      return stated[measure].get(file) ?? noTotals;
    },

    totals(measure, file) {
      const counted = detail[measure]?.count(file);
      if (counted) return counted;
      const { found, hit } = stated[measure].get(file) ?? noTotals;
      return { found, hit: Math.min(hit, found) };
    },
  };
}
