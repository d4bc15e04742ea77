import type { SourceFile } from './coverage-report.ts';

/** First and last line. */
export type LineRange = readonly [first: number, last: number];

/** Visits the coverable lines of a file in ascending order. */
export function visitCoverableLines(file: SourceFile, visitor: (line: number, hit: boolean) => void): void {
  file.visitLines((word, found, hit) => {
    for (let rest = found; rest !== 0; rest &= rest - 1) {
      const bit = 31 - Math.clz32(rest & -rest);
      visitor(word * 32 + bit, ((hit >>> bit) & 1) === 1);
    }
  });
}

/**
 * Lists the lines that did not run as ranges. A range spans lines without code, as in the reports of common tools, and ends
 * at a line that ran or that `within` excludes.
 */
export function uncoveredRanges(file: SourceFile, within: (line: number) => boolean = () => true): LineRange[] {
  const ranges: [number, number][] = [];
  let open: [number, number] | undefined;
  visitCoverableLines(file, (line, hit) => {
    if (hit || !within(line)) open = undefined;
    else if (open) open[1] = line;
    else {
      open = [line, line];
      ranges.push(open);
    }
  });
  return ranges;
}

export interface FormattedRanges {
  /** `3-7,12` */
  text: string;
  /** Number of ranges that did not fit. */
  more: number;
}

/** About 240 tokens, so that a file with its path and numbers stays below 300. */
const maxTextLength = 360;

export function formatRanges(ranges: readonly LineRange[], limit: number = maxTextLength): FormattedRanges {
  let text = '';
  for (const [index, [first, last]] of ranges.entries()) {
    const range = first === last ? `${first}` : `${first}-${last}`;
    const longer = text === '' ? range : `${text},${range}`;
    if (longer.length > limit) return { text, more: ranges.length - index };
    text = longer;
  }
  return { text, more: 0 };
}
