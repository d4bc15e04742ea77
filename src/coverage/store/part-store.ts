import { createPairIndex } from './pair-index.ts';
import { coverageLimits, reportTooLarge } from './report-limits.ts';

/**
 * Stores branches or functions with whether they ran. A part is identified by its line and a 32-bit fingerprint of its name
 * and takes 8 bytes; names are not stored.
 */
export interface PartStore {
  add(file: number, line: number, fingerprint: number, hit: boolean): void;
  /** The parts of one file in no particular order. */
  visit(file: number, visitor: (line: number, fingerprint: number, hit: boolean) => void): void;
  has(file: number): boolean;
  /** Counts the parts of one file; undefined when it has none. */
  count(file: number): { found: number; hit: number } | undefined;
}

/** The parts of a file that is not current: pairs of line (with the hit bit on top) and fingerprint. */
interface StoredParts {
  pairs: Uint32Array;
  count: number;
  /** The first `distinct` pairs are distinct; later ones may repeat them. */
  distinct: number;
}

const hitBit = 0x80000000;

export function createPartStore(
  what: string,
  maxParts: number = coverageLimits.countedParts,
  maxPerFile: number = coverageLimits.partsPerFile,
): PartStore {
  const stored: (StoredParts | undefined)[] = [];
  /** Number of stored parts, including possible repetitions. */
  let parts = 0;

  // Parts added since the current file was selected, without its stored ones. The index is reused for the next file, so that
  // reading a report creates no garbage.
  let current = -1;
  const index = createPairIndex();
  let hits = new Uint8Array(64);

  function addPart(line: number, fingerprint: number, hit: boolean): void {
    const before = index.size;
    const number = index.numberOf(line, fingerprint);
    if (number < before) {
      if (hit) hits[number] = 1;
      return;
    }
    if (++parts > maxParts) throw reportTooLarge(`${maxParts} ${what}`);
    if (number >= maxPerFile) throw reportTooLarge(`${maxPerFile} ${what} in one source file`);
    if (number === hits.length) {
      const larger = new Uint8Array(hits.length * 2);
      larger.set(hits);
      hits = larger;
    }
    hits[number] = hit ? 1 : 0;
  }

  /** Writes the parts of the index in their stored form. */
  function writeParts(into: Uint32Array, from: number): void {
    index.copyTo(into, from);
    const count = index.size;
    for (let number = 0, at = from; number < count; number++, at += 2) {
      if (hits[number] === 1) into[at] = (into[at] ?? 0) | hitBit;
    }
  }

  /**
   * Stores the parts of the current file. New parts are appended and deduplicated only when they double the stored ones:
   * otherwise a report that alternates between two files would take quadratic time.
   */
  function storeCurrentFile(): void {
    if (current < 0) return;
    const known = stored[current] ?? { pairs: new Uint32Array(index.size * 2), count: 0, distinct: index.size };
    stored[current] = known;
    current = -1;
    const count = known.count + index.size;
    if (count * 2 > known.pairs.length) {
      const larger = new Uint32Array(Math.max(count, known.count * 2) * 2);
      larger.set(known.pairs);
      known.pairs = larger;
    }
    writeParts(known.pairs, known.count * 2);
    known.count = count;
    if (count >= known.distinct * 2) removeDuplicates(known);
  }

  /** Removes repeated parts of a file. */
  function removeDuplicates(known: StoredParts): void {
    if (known.count === known.distinct) return;
    const { pairs, count } = known;
    index.clear();
    parts -= count;
    for (let at = 0; at < count * 2; at += 2) {
      const line = pairs[at] ?? 0;
      addPart(line & ~hitBit, pairs[at + 1] ?? 0, line >= hitBit);
    }
    known.pairs = new Uint32Array(index.size * 2);
    known.count = index.size;
    known.distinct = index.size;
    writeParts(known.pairs, 0);
  }

  function distinctParts(file: number): StoredParts | undefined {
    storeCurrentFile();
    const known = stored[file];
    if (known) removeDuplicates(known);
    return known;
  }

  return {
    add(file, line, fingerprint, hit) {
      if (file !== current) {
        storeCurrentFile();
        index.clear();
        current = file;
      }
      addPart(line, fingerprint, hit);
    },

    visit(file, visitor) {
      const { pairs, count } = distinctParts(file) ?? { pairs: new Uint32Array(0), count: 0 };
      for (let at = 0; at < count * 2; at += 2) {
        const line = pairs[at] ?? 0;
        visitor(line & ~hitBit, pairs[at + 1] ?? 0, line >= hitBit);
      }
    },

    has(file) {
      return file === current || stored[file] !== undefined;
    },

    count(file) {
      const known = distinctParts(file);
      if (!known) return undefined;
      let hit = 0;
      for (let at = 0; at < known.count * 2; at += 2) hit += (known.pairs[at] ?? 0) >>> 31;
      return { found: known.count, hit };
    },
  };
}
