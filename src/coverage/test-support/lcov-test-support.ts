import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createLcovScanner } from '../lcov/lcov-scanner.ts';
import { type CoverageStore, createCoverageStore, type Measure, type Totals } from '../store/coverage-store.ts';

/** A folder with some files in it, for the length of one test. */
export async function createTestFolder(files: Record<string, string | Uint8Array> = {}): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'assay-coverage-test-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await addFiles(folder, files);
  return folder;
}

export async function addFiles(folder: string, files: Record<string, string | Uint8Array>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

/** One record: a source file whose lines ran as often as `counts` says, from line 1 on. */
export function lcovRecord(path: string, ...counts: number[]): string {
  return `SF:${path}\n${counts.map((count, index) => `DA:${index + 1},${count}\n`).join('')}end_of_record\n`;
}

/** Scans a text that comes in the given chunks, or in one. */
export function scanLcov(
  text: string | Uint8Array | readonly Uint8Array[],
  include: readonly Measure[] = [],
): CoverageStore {
  const store = createCoverageStore(include);
  const scanner = createLcovScanner(store);
  const chunks = typeof text === 'string' ? [Buffer.from(text)] : text instanceof Uint8Array ? [text] : text;
  for (const chunk of chunks) scanner.feed(chunk);
  scanner.end();
  return store;
}

/** Totals as `hit/found`, by path. */
export function formatTotalsByPath(store: CoverageStore, measure: 'lines' | Measure = 'lines'): Record<string, string> {
  return Object.fromEntries(store.paths.map((path, file) => [path, formatTotals(store.totals(measure, file))]));
}

/** All coverable lines by path: `1+` ran, `2-` did not. */
export function formatLinesByPath(store: CoverageStore): Record<string, string> {
  return Object.fromEntries(
    store.paths.map((path, file) => {
      const lines: string[] = [];
      store.lines.visit(file, (word, found, hit) => {
        for (let bit = 0; bit < 32; bit++) {
          if ((found >>> bit) & 1) lines.push(`${word * 32 + bit}${(hit >>> bit) & 1 ? '+' : '-'}`);
        }
      });
      return [path, lines.join(' ')];
    }),
  );
}

function formatTotals({ hit, found }: Totals): string {
  return `${hit}/${found}`;
}
