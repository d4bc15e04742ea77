import type { Answers, Results } from '../definition.ts';
import { type Random, seededRandom } from './random.ts';

/** User data, and what the site must have received and returned for it. */
export interface DataSet {
  data: Record<string, unknown>;
  record: Answers;
  results: Results;
}

/** The first sets of an endless list that is the same in every run. */
export function dataSets(make: (random: Random) => DataSet, seed: number, count: number): DataSet[] {
  return Array.from({ length: count }, (_, index) => make(seededRandom(seed * 1000 + index)));
}
