import { isDeepStrictEqual } from 'node:util';
import type { DataSet } from '../../test/sites/forms/data/sets.ts';
import type { Answers, Results } from '../../test/sites/forms/definition.ts';
import type { FormRecord } from '../../test/sites/forms/server.ts';

/** What a run reports. */
export interface WizardReport {
  status: string;
  results: Record<string, unknown>;
  heals: number;
  ms: number;
  /** Code and message of the error, or empty. */
  error: string;
}

export interface WizardVerdict {
  /** The site has exactly the expected record, and the run reported success with the results of the site. */
  correct: boolean;
  /** Number of values that the site accepted and that differ from the data. */
  wrongValues: number;
  /** The run reported success, but the record or the results are wrong. */
  falseSuccess: boolean;
  /** The site has the expected record, but the run reported an error. */
  unreportedSuccess: boolean;
  heals: number;
  ms: number;
  error: string;
}

/** Judges a run by the record of the site; the run's own report can only make the verdict worse. */
export function judgeWizardRun(
  report: WizardReport,
  records: readonly FormRecord[],
  { record, results }: DataSet,
): WizardVerdict {
  const finished = records.filter((each) => each.finished);
  const isRight = finished.length === 1 && isDeepStrictEqual({ ...finished[0]?.data }, record);
  const success = report.status === 'success';
  const correct = success && isRight && sameResults(report.results, results);
  return {
    correct,
    wrongValues: records.reduce((sum, each) => sum + countWrongValues(each, record), 0),
    falseSuccess: success && !correct,
    unreportedSuccess: !success && isRight,
    heals: report.heals,
    ms: report.ms,
    error: report.error,
  };
}

/** Counts wrong values. Missing values count only after the site accepted the whole form. */
function countWrongValues({ data, finished }: FormRecord, expected: Answers): number {
  const received = Object.entries(data).filter(([key, value]) => !isDeepStrictEqual(value, expected[key]));
  const missing = finished ? Object.keys(expected).filter((key) => !(key in data)) : [];
  return received.length + missing.length;
}

function sameResults(report: Record<string, unknown>, expected: Results): boolean {
  return Object.entries(expected).every(([key, value]) => String(report[key]) === String(value));
}
