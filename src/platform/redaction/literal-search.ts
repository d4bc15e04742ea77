/**
 * Finds many literal texts at once, in any case. One pass over the text marks which of them can occur at all, by their first
 * four characters; only those are searched for. Building it and a search are linear in the length of all literals and of the
 * text, for each literal whose start occurs.
 */
export interface LiteralSearch<Entry extends Literal> {
  /** All occurrences, in no order. Occurrences of one literal do not overlap, unless it `mayOverlap`. */
  find(text: string): LiteralMatch<Entry>[];
}

export interface Literal {
  /** At least `SHORTEST_LITERAL` characters. */
  form: string;
  isCaseSensitive?: boolean;
  /** Matches only where this pattern matches neither the character before nor the one after. */
  boundary?: RegExp | undefined;
  mayOverlap?: boolean;
}

interface LiteralMatch<Entry extends Literal> {
  start: number;
  end: number;
  entry: Entry;
}

const SHORTEST_LITERAL = 4;
const HASHES = 1 << 16;
const NO_MATCHES: never[] = [];

export function createLiteralSearch<Entry extends Literal>(entries: readonly Entry[]): LiteralSearch<Entry> {
  const byStart = new Map<string, { folded: string; entry: Entry }[]>();
  const isStart = new Uint8Array(HASHES);
  let shortest = Number.POSITIVE_INFINITY;
  for (const entry of entries) {
    const folded = foldCase(entry.form);
    const start = folded.slice(0, SHORTEST_LITERAL);
    const same = byStart.get(start);
    if (same) same.push({ folded, entry });
    else byStart.set(start, [{ folded, entry }]);
    isStart[hashAt(start, 0)] = 1;
    shortest = Math.min(shortest, folded.length);
  }

  /** Literals whose first characters are in the text. */
  function* candidates(folded: string) {
    const seen = new Set<string>();
    for (let at = 0; at + SHORTEST_LITERAL <= folded.length; at++) {
      if (isStart[hashAt(folded, at)] === 0) continue;
      const start = folded.slice(at, at + SHORTEST_LITERAL);
      if (seen.has(start)) continue;
      seen.add(start);
      yield* byStart.get(start) ?? NO_MATCHES;
    }
  }

  return {
    find(text) {
      if (text.length < shortest) return NO_MATCHES;
      const folded = foldCase(text);
      const found: LiteralMatch<Entry>[] = [];
      for (const { folded: needle, entry } of candidates(folded)) {
        let free = 0;
        for (const start of findPositions(needle, folded)) {
          const end = start + needle.length;
          if (start < free || !isAllowed(entry, text, start, end)) continue;
          found.push({ start, end, entry });
          if (!entry.mayOverlap) free = end;
        }
      }
      return found;
    },
  };
}

function isAllowed({ form, isCaseSensitive, boundary }: Literal, text: string, start: number, end: number): boolean {
  if (isCaseSensitive && !text.startsWith(form, start)) return false;
  return !boundary || !(boundary.test(characterBefore(text, start)) || boundary.test(characterAt(text, end)));
}

function characterAt(text: string, position: number): string {
  const point = text.codePointAt(position);
  return point === undefined ? '' : String.fromCodePoint(point);
}

function characterBefore(text: string, position: number): string {
  const isPair = position > 1 && (text.codePointAt(position - 2) ?? 0) > 0xffff;
  return position === 0 ? '' : text.slice(position - (isPair ? 2 : 1), position);
}

function hashAt(text: string, at: number): number {
  const first = text.charCodeAt(at) * 31 + text.charCodeAt(at + 1);
  const last = text.charCodeAt(at + 2) * 31 + text.charCodeAt(at + 3);
  return (first * 1021 + last) & (HASHES - 1);
}

/** Lower case with the same length, so that positions stay. */
function foldCase(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower.replaceAll('ς', 'σ');
  return text.replaceAll(/./gsu, (character) => {
    const one = character.toLowerCase();
    return one.length === character.length ? one : character;
  });
}

/** A longer text that is searched for with the native search can take time for each of its characters at each position. */
const LONGEST_FOR_NATIVE_SEARCH = 64;

/** Yields the positions of a needle, overlapping ones too. Linear also for periodic needles (Knuth, Morris and Pratt). */
function* findPositions(needle: string, text: string): Generator<number> {
  const first = text.indexOf(needle.slice(0, LONGEST_FOR_NATIVE_SEARCH));
  if (first < 0 || first + needle.length > text.length) return;
  if (needle.length <= LONGEST_FOR_NATIVE_SEARCH) {
    for (let at = first; at >= 0; at = text.indexOf(needle, at + 1)) yield at;
    return;
  }
  const borders = computeBorders(needle);
  for (let [at, matched] = [first, 0]; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    while (matched > 0 && needle.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0;
    if (needle.charCodeAt(matched) === unit) matched++;
    if (matched < needle.length) continue;
    yield at - needle.length + 1;
    matched = borders[matched - 1] ?? 0;
  }
}

/** For each prefix of the needle, the length of its longest proper prefix that is also its suffix. */
function computeBorders(needle: string): Uint32Array {
  const borders = new Uint32Array(needle.length);
  for (let [at, matched] = [1, 0]; at < needle.length; at++) {
    while (matched > 0 && needle.charCodeAt(matched) !== needle.charCodeAt(at)) matched = borders[matched - 1] ?? 0;
    if (needle.charCodeAt(matched) === needle.charCodeAt(at)) matched++;
    borders[at] = matched;
  }
  return borders;
}
