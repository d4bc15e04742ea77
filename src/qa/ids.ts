import { randomInt } from 'node:crypto';

/** What an id names is told by its beginning. */
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
/** Far more than the ids of a millisecond need, however large their steps. */
const ROOM_TO_RISE = LETTERS.length ** (HALF - 1);
const LARGEST_STEP = 2 ** 20;

let last = { at: Number.NaN, head: 0 };

/** Ids of one moment rise, so that rows of the same millisecond keep the order in which they were made. */
export function newId(prefix: IdPrefix, at = Date.now()): string {
  const head = at === last.at ? last.head + randomInt(1, LARGEST_STEP) : randomInt(HEADS - ROOM_TO_RISE);
  last = { at, head };
  return `${prefix}_${encodeDigits(head)}${encodeDigits(randomInt(HEADS))}`;
}

function encodeDigits(number: number): string {
  const letter = (place: number) => LETTERS[Math.floor(number / LETTERS.length ** place) % LETTERS.length];
  return Array.from({ length: HALF }, (_, index) => letter(HALF - 1 - index)).join('');
}
