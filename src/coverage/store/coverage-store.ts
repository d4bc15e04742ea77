import { normalizePath } from '../paths/source-path.ts';
import { createLineStore, type LineStore } from './line-store.ts';
import { createPartStore, type PartStore } from './part-store.ts';
import { coverageLimits, reportTooLarge } from './report-limits.ts';

/** Measures in addition to lines. */
export type Measure = 'branches' | 'functions';

/** Number of lines, branches or functions, and of those that ran. */
export interface Totals {
  found: number;
  hit: number;
}

/** Reads a report format from chunks that may end anywhere, and fills a store. */
export interface ReportScanner {
  feed(chunk: Uint8Array): void;
  /** Ends the text. Throws if it was not a report of this format. */
  end(): ReportFacts;
}

/** What a report says besides the data of its files. */
export interface ReportFacts {
  /** Folders that its relative paths are relative to, as written. */
  readonly sourceFolders?: readonly string[];
  /** Sentences for the reader of the figures, e.g. that the tool counts something else than lines. */
  readonly notes?: readonly string[];
}

/**
 * Stores the result of a scanner of any format. A source file is a number. Its data may arrive in any order and repeatedly,
 * and is merged: a line, branch or function was hit if any record says so.
 */
export interface CoverageStore {
  readonly lines: LineStore;
  readonly branches: PartStore | undefined;
  readonly functions: PartStore | undefined;
  /** Paths as in the report, by file number. */
  readonly paths: readonly string[];
  /** The number of a source file; different spellings of one path are one file. */
  fileNumber(path: string): number;
  /** Adds a total that the report states. It counts only for a file without detail records. */
  addStatedTotal(measure: 'lines' | Measure, part: keyof Totals, file: number, total: number): void;
  /** The totals that the report states. */
  statedTotals(measure: 'lines' | Measure, file: number): Totals;
  totals(measure: 'lines' | Measure, file: number): Totals;
}

/** Adds all data of one file to another store. */
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
    if (pathTextLength > coverageLimits.pathText)
      throw reportTooLarge(`${coverageLimits.pathText} characters of source paths`);
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
        if (number >= coverageLimits.sourceFiles) throw reportTooLarge(`${coverageLimits.sourceFiles} source files`);
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
