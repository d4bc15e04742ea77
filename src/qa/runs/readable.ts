import { UNIQUE } from '../cases/unique.ts';

const INSTEAD = '(new each time)';
/** Where a long text was cut off, the token may have lost its end. */
const cutOff = /\{\{u[nique]*\}?…/g;

/** A text for people: what a step is given anew in each run is said in words. */
export function readable(text: string): string {
  return text.replaceAll(UNIQUE, INSTEAD).replaceAll(cutOff, `${INSTEAD}…`);
}
