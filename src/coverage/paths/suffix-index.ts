import type { SourceFile } from '../report/coverage-report.ts';
import { normalizePath } from './source-path.ts';

/** Finds files by the end of their path, in whole segments. */
export interface SuffixIndex {
  /** At most two files: with more than one the path is ambiguous. */
  endingWith(path: string): SourceFile[];
}

export function createSuffixIndex(files: readonly SourceFile[]): SuffixIndex {
  // Sorted by reversed path, so that all paths with one ending are adjacent.
  const entries = files
    .map((file) => ({ file, reversed: reverseText(normalizePath(file.path)) }))
    .sort((a, b) => (a.reversed < b.reversed ? -1 : a.reversed > b.reversed ? 1 : 0));

  return {
    endingWith(path) {
      const start = `${reverseText(path)}/`;
      let low = 0;
      let high = entries.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((entries[middle]?.reversed ?? '') < start) low = middle + 1;
        else high = middle;
      }
      return entries
        .slice(low, low + 2)
        .filter(({ reversed }) => reversed.startsWith(start))
        .map(({ file }) => file);
    },
  };
}

function reverseText(text: string): string {
  return Array.from(text).reverse().join('');
}
