import type { Answers, Results } from '../definition.ts';
import { type Random, seededRandom } from './random.ts';

/** What a person says, and what the site must have received and answered when it was filled in for them. */
export interface DataSet {
  data: Record<string, unknown>;
  record: Answers;
  results: Results;
}

/** The first sets of a list that never ends and never changes. */
export function dataSets(make: (random: Random) => DataSet, seed: number, count: number): DataSet[] {
  return Array.from({ length: count }, (_, index) => make(seededRandom(seed * 1000 + index)));
}
