import { randomFillSync } from 'node:crypto';

/** Numbers pairs of 32-bit numbers in the order in which they first come: 0, 1, 2 and so on. */
export interface PairIndex {
  /** Number of distinct pairs. */
  readonly size: number;
  /** The number of a pair; a new pair gets the next number. */
  numberOf(one: number, other: number): number;
  /** The second half of the pair with this number. */
  other(number: number): number;
  /** Writes all pairs in their order, half after half. */
  copyTo(target: Uint32Array, at: number): void;
  /** Removes all pairs and keeps the allocated memory. */
  clear(): void;
}

const minSlots = 64;

/** A hash table with open addressing; at most half of its slots are used. */
export function createPairIndex(): PairIndex {
  let pairs = new Uint32Array(minSlots);
  let size = 0;
  /** The number of a pair + 1; 0 is an empty slot. Only the first `slotCount` slots are in use. */
  let slots = new Uint32Array(minSlots);
  let slotCount = minSlots;

  function slotOf(one: number, other: number): number {
    let slot = hashPair(one, other) & (slotCount - 1);
    for (;;) {
      const pair = ((slots[slot] ?? 0) - 1) * 2;
      if (pair < 0 || (pairs[pair] === one && pairs[pair + 1] === other)) return slot;
      slot = (slot + 1) & (slotCount - 1);
    }
  }

  function grow(): void {
    slotCount *= 2;
    if (slotCount > slots.length) slots = new Uint32Array(slotCount);
    else slots.fill(0, 0, slotCount);
    for (let number = 0; number < size; number++) {
      slots[slotOf(pairs[number * 2] ?? 0, pairs[number * 2 + 1] ?? 0)] = number + 1;
    }
  }

  return {
    get size() {
      return size;
    },

    numberOf(one, other) {
      const slot = slotOf(one, other);
      const known = slots[slot] ?? 0;
      if (known > 0) return known - 1;
      if (size * 2 === pairs.length) {
        const larger = new Uint32Array(pairs.length * 2);
        larger.set(pairs);
        pairs = larger;
      }
      pairs[size * 2] = one;
      pairs[size * 2 + 1] = other;
      size += 1;
      slots[slot] = size;
      if (size * 2 > slotCount) grow();
      return size - 1;
    },

    other: (number) => pairs[number * 2 + 1] ?? 0,
    copyTo: (target, at) => target.set(pairs.subarray(0, size * 2), at),

    clear() {
      size = 0;
      slotCount = minSlots;
      slots.fill(0, 0, minSlots);
    },
  };
}

const randomTables = randomFillSync(new Uint32Array(8 * 256));

/**
 * Hashes a pair to 32 bits with random tables, one per byte (tabulation hashing). A hostile report chooses its pairs, but the
 * tables differ in every process, so it cannot cause collisions.
 */
export function hashPair(one: number, other: number): number {
  return (
    (randomTables[one & 255] ?? 0) ^
    (randomTables[0x100 | ((one >>> 8) & 255)] ?? 0) ^
    (randomTables[0x200 | ((one >>> 16) & 255)] ?? 0) ^
    (randomTables[0x300 | (one >>> 24)] ?? 0) ^
    (randomTables[0x400 | (other & 255)] ?? 0) ^
    (randomTables[0x500 | ((other >>> 8) & 255)] ?? 0) ^
    (randomTables[0x600 | ((other >>> 16) & 255)] ?? 0) ^
    (randomTables[0x700 | (other >>> 24)] ?? 0)
  );
}
