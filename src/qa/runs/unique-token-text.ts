import { UNIQUE_TOKEN } from '../cases/values/unique-token.ts';

const UNIQUE_TEXT = '(new each time)';
/** Where a long text was cut off, the token may have lost its end. */
const truncatedToken = /\{\{u[nique]*\}?…/g;

/** A text for people: what a step is given anew in each run is said in words. */
export function describeUniqueToken(text: string): string {
  return text.replaceAll(UNIQUE_TOKEN, UNIQUE_TEXT).replaceAll(truncatedToken, `${UNIQUE_TEXT}…`);
}
