/** Numbers that look random and are the same in every run. */
export interface Random {
  /** From least to most, both included. */
  whole(least: number, most: number): number;
  pick<T>(values: readonly [T, ...T[]] | readonly T[]): T;
  chance(of: number): boolean;
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  // Mulberry32.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    whole: (least, most) => least + Math.floor(next() * (most - least + 1)),
    pick(values) {
      const value = values[Math.floor(next() * values.length)];
      if (value === undefined) throw new Error('nothing to pick from');
      return value;
    },
    chance: (of) => next() < of,
  };
}

export const two = (number: number) => String(number).padStart(2, '0');
