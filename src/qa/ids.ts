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

const LETTERS = 'abcdefghijkmnopqrstuvwxyz0123456789';
const LENGTH = 16;

export function newId(prefix: IdPrefix): string {
  const random = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]);
  return `${prefix}_${random.join('')}`;
}
