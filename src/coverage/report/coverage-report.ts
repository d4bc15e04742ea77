import type { CoverageStore, Measure, Totals } from '../store/coverage-store.ts';
import { createEventLoopYield } from '../store/event-loop-yield.ts';
import type { LineVisitor } from '../store/line-store.ts';

/** One source file of a report. */
export interface SourceFile {
  /** As the report wrote it; of several reports, seen from the working directory, or absolute outside of it. */
  readonly path: string;
  readonly lines: Totals;
  readonly branches?: Totals;
  readonly functions?: Totals;
  /** The coverable lines, 32 at a time (see LineStore). None for a file of which the report states totals only. */
  visitLines(visitor: LineVisitor): void;
}

/** What a report says, whatever its format. */
export interface CoverageReport {
  readonly files: readonly SourceFile[];
  readonly lines: Totals;
  /** Only when asked for. */
  readonly branches?: Totals;
  readonly functions?: Totals;
  /** Line coverage of everything together, in percent. */
  readonly overall: number;
  /** The working directory that relative paths are seen from, tidy and real. */
  readonly cwd: string;
  /** The report files it was read from. */
  readonly origins: readonly ReportOrigin[];
  /** For each file, in the order of `files`, the absolute path that it is known by across reports. May look at the disk. */
  identities(): Promise<readonly string[]>;
}

export interface ReportOrigin {
  /** Absolute and tidy. */
  readonly path: string;
  readonly writtenAtMs: number;
}

interface CoverageReportParts {
  store: CoverageStore;
  names: readonly string[];
  cwd: string;
  origins: readonly ReportOrigin[];
  identities(): Promise<readonly string[]>;
}

export async function createCoverageReport({
  store,
  names,
  cwd,
  origins,
  identities,
}: CoverageReportParts): Promise<CoverageReport> {
  let files: readonly SourceFile[] | undefined;
  const lines = await sumTotals(store, 'lines');
  return {
    // Made on first use: the totals of a large report need no object for each of its files.
    get files() {
      files ??= names.map((path, number) => createSourceFile(store, path, number));
      return files;
    },
    lines,
    ...(store.branches && { branches: await sumTotals(store, 'branches') }),
    ...(store.functions && { functions: await sumTotals(store, 'functions') }),
    overall: percent(lines.hit, lines.found),
    cwd,
    origins,
    identities,
  };
}

function createSourceFile(store: CoverageStore, path: string, number: number): SourceFile {
  return {
    path,
    lines: store.totals('lines', number),
    ...(store.branches && { branches: store.totals('branches', number) }),
    ...(store.functions && { functions: store.totals('functions', number) }),
    visitLines: (visitor) => store.lines.visit(number, visitor),
  };
}

async function sumTotals(store: CoverageStore, measure: 'lines' | Measure): Promise<Totals> {
  const pace = createEventLoopYield();
  let found = 0;
  let hit = 0;
  for (let number = 0; number < store.paths.length; number++) {
    const totals = store.totals(measure, number);
    found += totals.found;
    hit += totals.hit;
    const pause = pace();
    if (pause) await pause;
  }
  return { found, hit };
}

/** One decimal; never 100 unless everything was hit, never 0 unless nothing was. Nothing to hit is 0. */
export function percent(hit: number, found: number): number {
  if (found === 0 || hit === 0) return 0;
  if (hit === found) return 100;
  return Math.min(99.9, Math.max(0.1, Math.round((1000 * hit) / found) / 10));
}

/** The difference of two percentages as they are shown, so that before plus change is always after. */
export function percentagePointChange(after: number, before: number): number {
  // Adding 0 turns -0 into 0.
  return Math.round((after - before) * 10) / 10 + 0;
}
