import { isDeepStrictEqual } from 'node:util';
import type { DataSet } from '../../test/sites/forms/data/sets.ts';
import type { Answers, Results } from '../../test/sites/forms/definition.ts';
import type { FormRecord } from '../../test/sites/forms/server.ts';

/** What a run said of itself. */
export interface Told {
  status: string;
  results: Record<string, unknown>;
  heals: number;
  ms: number;
  /** In a few words, for whoever reads the table. */
  error: string;
}

export interface Verdict {
  /** The site has exactly the right record, and the run reported success with the site's own results. */
  correct: boolean;
  /** Values that the site accepted and that are not what was asked for. */
  wrongValues: number;
  /** Success was reported, and the record or the results are not right. */
  falseSuccess: boolean;
  /** The site has the whole right record, and the run reported an error. */
  unseenSuccess: boolean;
  heals: number;
  ms: number;
  error: string;
}

/** Judges by the site's record; what the run says of itself counts only against it. */
export function judge(told: Told, records: readonly FormRecord[], { record, results }: DataSet): Verdict {
  const finished = records.filter((each) => each.finished);
  const isRight = finished.length === 1 && isDeepStrictEqual({ ...finished[0]?.data }, record);
  const success = told.status === 'success';
  const correct = success && isRight && sameResults(told.results, results);
  return {
    correct,
    wrongValues: records.reduce((sum, each) => sum + wrongIn(each, record), 0),
    falseSuccess: success && !correct,
    unseenSuccess: !success && isRight,
    heals: told.heals,
    ms: told.ms,
    error: told.error,
  };
}

/** What is missing is wrong only once the site took the whole form. */
function wrongIn({ data, finished }: FormRecord, expected: Answers): number {
  const received = Object.entries(data).filter(([key, value]) => !isDeepStrictEqual(value, expected[key]));
  const missing = finished ? Object.keys(expected).filter((key) => !(key in data)) : [];
  return received.length + missing.length;
}

function sameResults(told: Record<string, unknown>, expected: Results): boolean {
  return Object.entries(expected).every(([key, value]) => String(told[key]) === String(value));
}
