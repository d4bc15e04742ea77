import type { CoverageStore, Measure, Totals } from '../store/coverage-store.ts';
import { createEventLoopYield } from '../store/event-loop-yield.ts';
import type { LineVisitor } from '../store/line-store.ts';

/** One source file of a report. */
export interface SourceFile {
  /** As in the report; for merged reports relative to the working directory, or absolute outside of it. */
  readonly path: string;
  readonly lines: Totals;
  readonly branches?: Totals;
  readonly functions?: Totals;
  /** Visits the coverable lines, 32 at a time (see LineStore). None if the report has only totals for the file. */
  visitLines(visitor: LineVisitor): void;
}

/** A coverage report, independent of its format. */
export interface CoverageReport {
  readonly files: readonly SourceFile[];
  readonly lines: Totals;
  /** Present if requested. */
  readonly branches?: Totals;
  readonly functions?: Totals;
  /** Line coverage of everything together, in percent. */
  readonly overall: number;
  /** Base of relative paths, normalized and real. */
  readonly cwd: string;
  /** The files that the report was read from. */
  readonly origins: readonly ReportOrigin[];
  /** Sentences about how the figures were counted. */
  readonly notes: readonly string[];
  /** Absolute path of each file in the order of `files`, equal across reports. May access the disk. */
  identities(): Promise<readonly string[]>;
}

export interface ReportOrigin {
  /** Absolute and normalized. */
  readonly path: string;
  readonly writtenAtMs: number;
}

interface CoverageReportParts {
  store: CoverageStore;
  names: readonly string[];
  cwd: string;
  origins: readonly ReportOrigin[];
  notes: readonly string[];
  identities(): Promise<readonly string[]>;
}

export async function createCoverageReport({
  store,
  names,
  cwd,
  origins,
  notes,
  identities,
}: CoverageReportParts): Promise<CoverageReport> {
  let files: readonly SourceFile[] | undefined;
  const lines = await sumTotals(store, 'lines');
  return {
    // Created on first use, because totals of a large report need no object per file.
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
    notes,
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

/** Percentage with one decimal: 100 only if everything was hit, 0 only if nothing was or nothing was found. */
export function percent(hit: number, found: number): number {
  if (found === 0 || hit === 0) return 0;
  if (hit === found) return 100;
  return Math.min(99.9, Math.max(0.1, Math.round((1000 * hit) / found) / 10));
}

/** The difference of two rounded percentages, so that before plus change equals after. */
export function percentagePointChange(after: number, before: number): number {
  // Adding 0 turns -0 into 0.
  return Math.round((after - before) * 10) / 10 + 0;
}
