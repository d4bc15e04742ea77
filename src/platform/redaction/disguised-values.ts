import { createLiteralSearch, type Literal, type LiteralSearch } from './literal-search.ts';

/**
 * Finds secret values that a text disguises: separated by blanks, punctuation, line ends, zero-width characters or markup,
 * reversed, in other case or width, escaped character by character. It folds the text to letters and digits with a map to
 * the original positions, and searches for the folded values. Linear in the text for each value whose start occurs in it.
 */
export type DisguiseFinder = (text: string) => DisguiseRange[];

export interface DisguiseRange {
  start: number;
  end: number;
  /** Number of letters and digits of the value. */
  length: number;
}

/** Shorter values with separated characters match by chance. */
const SHORTEST_APART = 4;
/** Shorter values that are reversed, or separated in some gaps only, match by chance. */
const SHORTEST_LOOSE = 6;
/** A shorter reversed word may be another word. */
const SHORTEST_WORD_REVERSED = 8;
const LONGEST_GAP = 32;
const LONGEST_MARKUP = 400;

interface Needle extends Literal {
  isReversed: boolean;
  /** The value has only letters, so adjacent words may spell it by chance. */
  isWord: boolean;
  keepsSymbols: boolean;
}

export function createDisguiseFinder(values: Iterable<string>): DisguiseFinder {
  const needles = [...new Set(values)].flatMap(buildNeedles);
  const searches = [false, true].flatMap((keepsSymbols) => {
    const same = needles.filter((needle) => needle.keepsSymbols === keepsSymbols);
    return same.length === 0 ? [] : [{ keepsSymbols, search: createLiteralSearch(same) }];
  });
  return (text) => {
    if (needles.length === 0 || text.length < SHORTEST_APART) return [];
    const markups = text.includes('<') ? [false, true] : [false];
    return markups.flatMap((skipsMarkup) =>
      searches.flatMap(({ keepsSymbols, search }) => {
        const folded = foldText(text, { keepsSymbols, skipsMarkup });
        return [...occurrences(search, folded, text, skipsMarkup ? LONGEST_MARKUP : LONGEST_GAP)];
      }),
    );
  };
}

/** Replaces each range of a text by a mark; ranges may overlap. */
export function replaceRanges(
  text: string,
  ranges: readonly Pick<DisguiseRange, 'start' | 'end'>[],
  mark: string,
): string {
  let [result, position] = ['', 0];
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (end <= position) continue;
    if (start >= position) result += text.slice(position, start) + mark;
    position = end;
  }
  return result + text.slice(position);
}

/** A value with few letters is searched for with its symbols. */
function buildNeedles(value: string): Needle[] {
  const letters = foldText(value, { keepsSymbols: false, skipsMarkup: false }).text;
  const visible = foldText(value, { keepsSymbols: true, skipsMarkup: false }).text;
  const keepsSymbols = letters.length < SHORTEST_LOOSE && visible.length > letters.length;
  const folded = keepsSymbols ? visible : letters;
  if (folded.length < SHORTEST_APART) return [];
  const isWord = /^\p{L}*$/u.test(value);
  const reversed = folded.split('').reverse().join('');
  const forward = { form: folded, isReversed: false, isWord, keepsSymbols, mayOverlap: true };
  return reversed === folded ? [forward] : [forward, { ...forward, form: reversed, isReversed: true }];
}

function* occurrences(
  search: LiteralSearch<Needle>,
  folded: FoldedText,
  text: string,
  longestGap: number,
): Generator<DisguiseRange> {
  for (const { start, end, entry } of search.find(folded.text)) {
    folded.gaps ??= measureGaps(folded, text, longestGap);
    const { tooLong, seen } = folded.gaps;
    const last = end - 1;
    const isTorn = (tooLong[last] ?? 0) > (tooLong[start] ?? 0);
    if (isTorn || !isLikelyValue(entry, (seen[last] ?? 0) - (seen[start] ?? 0))) continue;
    yield { start: folded.starts[start] ?? 0, end: folded.ends[last] ?? 0, length: end - start };
  }
}

/** For each character, the number of earlier gaps that are too long, and that contain visible characters. */
interface Gaps {
  tooLong: Uint32Array;
  seen: Uint32Array;
}

function measureGaps({ starts, ends, text: { length } }: FoldedText, text: string, longestGap: number): Gaps {
  const [tooLong, seen] = [new Uint32Array(length), new Uint32Array(length)];
  for (let i = 1; i < length; i++) {
    const [from, to] = [ends[i - 1] ?? 0, starts[i] ?? 0];
    const isSeen = to > from && !/^[\p{Cf}\p{M}]*$/u.test(text.slice(from, Math.min(to, from + longestGap)));
    tooLong[i] = (tooLong[i - 1] ?? 0) + (to - from > longestGap ? 1 : 0);
    seen[i] = (seen[i - 1] ?? 0) + (isSeen ? 1 : 0);
  }
  return { tooLong, seen };
}

/** Tells whether a match is the value, and not other words with its letters in this order. */
function isLikelyValue({ form: { length }, isReversed, isWord }: Needle, seen: number): boolean {
  const isApart = seen === length - 1;
  if (isReversed)
    return (
      length >= (isWord && !isApart ? SHORTEST_WORD_REVERSED : SHORTEST_LOOSE) && (!isWord || seen === 0 || isApart)
    );
  if (seen === 0 || isApart) return true;
  return !isWord && length >= SHORTEST_LOOSE;
}

interface FoldedText {
  /** Lower-case letters and digits without accents. */
  text: string;
  /** Start and end of each unit's character in the original text. */
  starts: Uint32Array;
  ends: Uint32Array;
  /** Computed when a value is found. */
  gaps?: Gaps;
}

interface FoldOptions {
  keepsSymbols: boolean;
  skipsMarkup: boolean;
}

const ESCAPES: Record<string, RegExp> = {
  '%': /%(?:25){0,3}([0-9a-f]{2})/iy,
  '&': /&(?:amp;){0,3}(?:#x([0-9a-f]{1,6})|#(\d{1,7})|[a-z]{2,31});/iy,
  '\\': /\\{1,8}(?:[ux]\{?([0-9a-f]{2,6})\}?|[nrtbfv])/iy,
};
const MARKUP = /<[^<>]*>/y;

/** Decomposed letters have at most a few units; longer ones do not occur in passwords. */
const MOST_UNITS = 4;

function foldText(text: string, { keepsSymbols, skipsMarkup }: FoldOptions): FoldedText {
  const units = new Uint16Array(text.length * 2 + MOST_UNITS);
  const starts = new Uint32Array(units.length);
  const ends = new Uint32Array(units.length);
  let count = 0;
  const push = (unit: number, start: number, end: number) => {
    if (count === units.length) return;
    units[count] = unit;
    starts[count] = start;
    ends[count++] = end;
  };
  for (let i = 0; i < text.length; ) {
    const code = text.charCodeAt(i);
    const isLetterOrDigit = (code > 47 && code < 58) || (code > 96 && code < 123);
    if (isLetterOrDigit || (code > 64 && code < 91)) {
      push(isLetterOrDigit ? code : code + 32, i, ++i);
      continue;
    }
    if (skipsMarkup && code === 60) {
      MARKUP.lastIndex = i;
      const markup = MARKUP.exec(text);
      if (markup) {
        i += markup[0].length;
        continue;
      }
    }
    const pattern = code < 128 ? ESCAPES[text.charAt(i)] : undefined;
    if (pattern) pattern.lastIndex = i;
    const escaped = pattern?.exec(text);
    const point = escaped ? decodeEscape(escaped) : (text.codePointAt(i) ?? 0);
    const end = i + (escaped?.[0].length ?? (point > 0xffff ? 2 : 1));
    const plain = foldPoint(point, keepsSymbols);
    for (let unit = 0; unit < Math.min(plain.length, MOST_UNITS); unit++) push(plain.charCodeAt(unit), i, end);
    i = end;
  }
  const used = units.subarray(0, count);
  return { text: new TextDecoder('utf-16le').decode(used), starts, ends };
}

const SEPARATOR = 0x20;

/** Decodes an escape. Named entities, escapes such as \\n and partial UTF-8 bytes count as separators. */
function decodeEscape([whole, hex, decimal]: RegExpExecArray): number {
  const point = hex ? Number.parseInt(hex, 16) : decimal ? Number(decimal) : SEPARATOR;
  return point > (whole.startsWith('%') ? 0x7f : 0x10ffff) ? SEPARATOR : point;
}

const foldedPoints = new Map<number, { letters: string; visible: string }>();

function foldPoint(point: number, keepsSymbols: boolean): string {
  let found = foldedPoints.get(point);
  if (!found) {
    const visible = String.fromCodePoint(point)
      .normalize('NFKD')
      .toLowerCase()
      .replaceAll(/[\p{M}\p{Cf}\p{Z}\p{Cc}\p{Cs}]/gu, '');
    found = { letters: visible.replaceAll(/[^\p{L}\p{N}]/gu, ''), visible };
    // Large enough for texts in many scripts, and bounded for hostile ones.
    if (foldedPoints.size < 50_000) foldedPoints.set(point, found);
  }
  return keepsSymbols ? found.visible : found.letters;
}

/** Longer values get no disguise patterns. */
const LONGEST_IN_PATTERN = 200;

/** Returns pattern sources (flags `iu`) for the same disguises, to be used in a page. */
export function disguisePatterns(value: string): string[] {
  const letters = [...value].filter((character) => /[\p{L}\p{N}]/u.test(character));
  if (letters.length < SHORTEST_APART || letters.length > LONGEST_IN_PATTERN) return [];
  const isWord = letters.length === [...value].length && letters.every((letter) => /\p{L}/u.test(letter));
  const isLoose = !isWord && letters.length >= SHORTEST_LOOSE;
  const apart = `[^\\p{L}\\p{N}]{${isLoose ? 0 : 1},${LONGEST_GAP}}`;
  const joined = (list: readonly string[], by: string) => list.map((letter) => RegExp.escape(letter)).join(by);
  const reversed = letters.toReversed();
  return [
    joined(letters, apart),
    ...(isLoose ? [] : [joined(letters, `[\\p{Cf}\\p{M}]{0,${LONGEST_GAP}}`)]),
    ...(letters.length >= SHORTEST_LOOSE ? [joined(reversed, apart)] : []),
    ...(isWord && letters.length >= SHORTEST_WORD_REVERSED ? [joined(reversed, '')] : []),
  ];
}
