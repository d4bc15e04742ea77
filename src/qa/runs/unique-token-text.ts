import { UNIQUE_TOKEN } from '../cases/values/unique-token.ts';

const UNIQUE_TEXT = '(new each time)';
/** A token at the end of a truncated text may be incomplete. */
const truncatedToken = /\{\{u[nique]*\}?…/g;

/** Replaces the unique token of a run with readable text. */
export function describeUniqueToken(text: string): string {
  return text.replaceAll(UNIQUE_TOKEN, UNIQUE_TEXT).replaceAll(truncatedToken, `${UNIQUE_TEXT}…`);
}
