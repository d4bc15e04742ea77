import { limits, tooLarge } from './limits.ts';

/**
 * Distinct things that lie on lines of source files and either ran or did not: branches or functions. A thing is known by its
 * line and a 32-bit fingerprint of its name; names are not kept. 8 bytes a thing.
 */
export interface PartStore {
  add(file: number, line: number, fingerprint: number, hit: boolean): void;
  /** The parts of one file in no particular order. */
  visit(file: number, visitor: (line: number, fingerprint: number, hit: boolean) => void): void;
  has(file: number): boolean;
  /** Counts the parts of one file; undefined when it has none. */
  count(file: number): { found: number; hit: number } | undefined;
}

const hitBit = 0x80000000;
/** Odd, and new in every process, so that no report can be made whose parts all fall on one place of the index. */
const spread = Math.floor(Math.random() * 2 ** 31) * 2 + 1;

export function createPartStore(what: string, maxParts: number = limits.countedParts): PartStore {
  /** What is known of each file: pairs of line (with the hit bit on top) and fingerprint. */
  const stored: (Uint32Array | undefined)[] = [];
  let parts = 0;

  // The file at hand, open for adding: its pairs, and an index into them by open addressing (pair + 1; 0 is empty).
  // Both are used again for the next file, so that reading a report leaves no garbage behind.
  let current = -1;
  let pairs = new Uint32Array(64);
  let count = 0;
  let index = new Uint32Array(64);
  let indexSize = 64;

  function place(line: number, fingerprint: number): number {
    const mask = indexSize - 1;
    const mixed = Math.imul(Math.imul(line, 0x9e3779b1) ^ fingerprint, spread);
    let at = (mixed ^ (mixed >>> 15)) & mask;
    for (;;) {
      const pair = ((index[at] ?? 0) - 1) * 2;
      if (pair < 0 || (pairs[pair + 1] === fingerprint && ((pairs[pair] ?? 0) & ~hitBit) === line)) return at;
      at = (at + 1) & mask;
    }
  }

  function makeIndex(): void {
    indexSize = 64;
    while (indexSize < count * 2 + 2) indexSize *= 2;
    if (indexSize > index.length) index = new Uint32Array(indexSize);
    else index.fill(0, 0, indexSize);
    for (let pair = 0; pair < count; pair++) {
      index[place((pairs[pair * 2] ?? 0) & ~hitBit, pairs[pair * 2 + 1] ?? 0)] = pair + 1;
    }
  }

  function open(file: number): void {
    close();
    current = file;
    const known = stored[file] ?? new Uint32Array(0);
    count = known.length / 2;
    while (pairs.length < known.length) pairs = new Uint32Array(pairs.length * 2);
    pairs.set(known);
    makeIndex();
  }

  function close(): void {
    if (current >= 0) stored[current] = pairs.slice(0, count * 2);
    current = -1;
  }

  function append(line: number, fingerprint: number, hit: boolean): void {
    if (++parts > maxParts) throw tooLarge(`${maxParts} ${what}`);
    if (count * 2 === pairs.length) {
      const larger = new Uint32Array(pairs.length * 2);
      larger.set(pairs);
      pairs = larger;
    }
    pairs[count * 2] = hit ? line | hitBit : line;
    pairs[count * 2 + 1] = fingerprint;
    count += 1;
  }

  return {
    add(file, line, fingerprint, hit) {
      if (file !== current) open(file);
      const at = place(line, fingerprint);
      const known = (index[at] ?? 0) - 1;
      if (known >= 0) {
        if (hit) pairs[known * 2] = line | hitBit;
        return;
      }
      append(line, fingerprint, hit);
      index[at] = count;
      if (count * 2 > indexSize) makeIndex();
    },

    visit(file, visitor) {
      close();
      const known = stored[file] ?? new Uint32Array(0);
      for (let at = 0; at < known.length; at += 2) {
        const line = known[at] ?? 0;
        visitor(line & ~hitBit, known[at + 1] ?? 0, line >= hitBit);
      }
    },

    has(file) {
      return file === current || stored[file] !== undefined;
    },

    count(file) {
      close();
      const known = stored[file];
      if (!known) return undefined;
      let hit = 0;
      for (let at = 0; at < known.length; at += 2) hit += (known[at] ?? 0) >>> 31;
      return { found: known.length / 2, hit };
    },
  };
}
