import { folded } from '../validation/words.ts';

/** A number that stands by itself; that in "401(k)" or "2nd" is a part of a name. */
const numbers = /(?<![\p{L}\p{N}])\d+(?:[,.]\d+)*(?![\p{L}\p{N}(])/gu;

/** A label with `*` for its numbers, which are others for others: "Benefit at age *". */
export function withoutNumbers(label: string): string {
  return label.replaceAll(numbers, '*');
}

/** Whether a text is what a file says, which may have `*` for a number. */
export function isSaidAs(text: string, known: string): boolean {
  return folded(text) === folded(known) || (known.includes('*') && folded(withoutNumbers(text)) === folded(known));
}
