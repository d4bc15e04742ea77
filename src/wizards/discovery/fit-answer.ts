import { fitting } from '../../platform/fit.ts';
import type { PageReading } from '../../platform/page/model.ts';
import { cleanText } from '../../platform/untrusted-text.ts';
import type { FailedAction } from './actions.ts';
import { withoutSecrets } from './secrets.ts';
import type { Session } from './session.ts';

export interface ShownError {
  message: string;
  field: string;
}

/** Together with the controls of a page these stay below 40 kB. */
const MOST_ERROR_BYTES = 2_000;
const MOST_FAILED_BYTES = 4_000;
/** One item with texts of this length fits, in any script. */
const LONGEST_ERROR = 500;
const LONGEST_FIELD = 100;

/** What the page says is wrong, without secrets. */
export function errorsOn(session: Session, { errors }: PageReading): ShownError[] {
  const all = errors.map(({ text, control }) => ({ message: text, field: control }));
  return withoutSecrets(session, all);
}

/** The first errors, each cut. Secrets must be removed before, since a cut one is no longer found. */
export function fitErrors(errors: readonly ShownError[]): ShownError[] {
  const short = errors.map(({ message, field }) => ({
    message: cleanText(message, { max: LONGEST_ERROR }),
    field: cleanText(field, { max: LONGEST_FIELD }),
  }));
  return fitting(short, MOST_ERROR_BYTES);
}

/** The first failed actions, each cut. Secrets must be removed before. */
export function fitFailedActions(failed: readonly FailedAction[]): FailedAction[] {
  const short = failed.map(({ error, suggestion, ...each }) => ({
    ...each,
    error: cleanText(error, { max: LONGEST_ERROR }),
    ...(suggestion !== undefined && { suggestion: cleanText(suggestion, { max: LONGEST_ERROR }) }),
  }));
  return fitting(short, MOST_FAILED_BYTES);
}

/** A remark about a list that was cut, with the way to get the rest. */
export function leftOut(what: string, shown: readonly unknown[], all: readonly unknown[], rest: string): string[] {
  if (shown.length === all.length) return [];
  return [`Only ${shown.length} of ${all.length} ${what} fit into the answer; ${rest}.`];
}
