import { fingerprint } from '../lcov/lcov-fields.ts';
import type { CoverageStore } from '../store/coverage-store.ts';
import { reportTooLarge } from '../store/report-limits.ts';

const maxLineNumber = 2 ** 31 - 2;
const maxBranchesPerLine = 10_000;

/** Adds one line. A number that is not a line number is skipped, as in LCOV. */
export function addLine(store: CoverageStore, file: number, line: number, hit: boolean): void {
  if (!isLineNumber(line)) return;
  const bit = 1 << (line & 31);
  store.lines.add(file, line >>> 5, bit, hit ? bit : 0);
}

/** Adds the branches of a line of which a report gives only the numbers. */
export function addCountedBranches(store: CoverageStore, file: number, line: number, hit: number, found: number): void {
  if (!store.branches || !isLineNumber(line) || !Number.isSafeInteger(found)) return;
  if (found > maxBranchesPerLine) throw reportTooLarge(`${maxBranchesPerLine} branches on one line`);
  for (let branch = 0; branch < found; branch++) store.branches.add(file, line, branch, branch < hit);
}

/** Adds a function; `name` distinguishes it from others on its line. */
export function addFunction(store: CoverageStore, file: number, line: number, name: string, hit: boolean): void {
  if (!store.functions) return;
  const bytes = Buffer.from(name);
  store.functions.add(file, isLineNumber(line) ? line : 0, fingerprint(bytes, 0, bytes.length), hit);
}

export function isLineNumber(line: number): boolean {
  return Number.isSafeInteger(line) && line > 0 && line <= maxLineNumber;
}
