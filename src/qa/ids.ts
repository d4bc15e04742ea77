import { randomInt } from 'node:crypto';

/** The prefix of an id names its kind. */
export type IdPrefix =
  | 'proj'
  | 'prd'
  | 'req'
  | 'sec'
  | 'cand'
  | 'ev'
  | 'gap'
  | 'uc'
  | 'tc'
  | 'ts'
  | 'wfrt'
  | 'wfrun'
  | 'batch'
  | 'item'
  | 'step'
  | 'art'
  | 'pref'
  | 'rep'
  | 'dlv'
  | 'try'
  | 'cost';

const LETTERS = '0123456789abcdefghijkmnopqrstuvwxyz';
const HALF = 8;
const HEADS = LETTERS.length ** HALF;
/** Range that ids of one millisecond can use without overflow. */
const RISING_RANGE = LETTERS.length ** (HALF - 1);
const LARGEST_STEP = 2 ** 20;

/** Creates an id; `at` is the creation time of its row in milliseconds. */
export type CreateId = (prefix: IdPrefix, at?: number) => string;

/** Returns a function that creates ids. Its ids of the same millisecond rise, so that rows keep their order. */
export function createIdSequence(): CreateId {
  let last = { at: Number.NaN, head: 0 };
  return (prefix, at = Date.now()) => {
    const head = at === last.at ? last.head + randomInt(1, LARGEST_STEP) : randomInt(HEADS - RISING_RANGE);
    last = { at, head };
    return `${prefix}_${encodeDigits(head)}${encodeDigits(randomInt(HEADS))}`;
  };
}

function encodeDigits(number: number): string {
  const letter = (digit: number) => LETTERS[Math.floor(number / LETTERS.length ** digit) % LETTERS.length];
  return Array.from({ length: HALF }, (_, index) => letter(HALF - 1 - index)).join('');
}
