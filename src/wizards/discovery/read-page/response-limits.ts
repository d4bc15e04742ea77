import type { PageReading } from '../../../platform/page/page-model.ts';
import { takeWithinBytes } from '../../../platform/text/byte-limit.ts';
import { cleanText } from '../../../platform/text/untrusted-text.ts';
import type { FailedAction } from '../act/run-actions.ts';
import type { DiscoverySession } from '../session/discovery-session.ts';
import { redactSecrets } from './typed-secrets.ts';

export interface PageErrorEntry {
  message: string;
  field: string;
}

/** Together with the controls of a page, these stay below 40 kB. */
const MAX_ERROR_BYTES = 2_000;
const MAX_FAILED_BYTES = 4_000;
/** One item with texts of this length fits, in any script. */
const MAX_ERROR_LENGTH = 500;
const MAX_FIELD_LENGTH = 100;

/** The errors that the page shows, without secrets. */
export function listPageErrors(session: DiscoverySession, { errors }: PageReading): PageErrorEntry[] {
  const all = errors.map(({ text, control }) => ({ message: text, field: control }));
  return redactSecrets(session, all);
}

/** The first errors, each shortened. Redact secrets first: a shortened one is no longer found. */
export function fitErrors(errors: readonly PageErrorEntry[]): PageErrorEntry[] {
  const short = errors.map(({ message, field }) => ({
    message: cleanText(message, { max: MAX_ERROR_LENGTH }),
    field: cleanText(field, { max: MAX_FIELD_LENGTH }),
  }));
  return takeWithinBytes(short, MAX_ERROR_BYTES);
}

/** The first failed actions, each shortened. Redact secrets first. */
export function fitFailedActions(failed: readonly FailedAction[]): FailedAction[] {
  const short = failed.map(({ error, suggestion, ...each }) => ({
    ...each,
    error: cleanText(error, { max: MAX_ERROR_LENGTH }),
    ...(suggestion !== undefined && { suggestion: cleanText(suggestion, { max: MAX_ERROR_LENGTH }) }),
  }));
  return takeWithinBytes(short, MAX_FAILED_BYTES);
}

/** States how much of a list is shown and how to get the rest; empty if nothing is left out. */
export function describeOmission(
  what: string,
  shown: readonly unknown[],
  all: readonly unknown[],
  rest: string,
): string[] {
  if (shown.length === all.length) return [];
  return [`Only ${shown.length} of ${all.length} ${what} fit into the response; ${rest}.`];
}
