import { foldText } from '../validation/read-values.ts';

/** A number that stands by itself; that in "401(k)" or "2nd" is a part of a name. */
const numbers = /(?<![\p{L}\p{N}])\d+(?:[,.]\d+)*(?![\p{L}\p{N}(])/gu;

/** A label with `*` for its numbers, which are others for others: "Benefit at age *". */
export function maskNumbers(label: string): string {
  return label.replaceAll(numbers, '*');
}

/** Whether a text is what a file says, which may have `*` for a number. */
export function matchesLabel(text: string, known: string): boolean {
  return foldText(text) === foldText(known) || (known.includes('*') && foldText(maskNumbers(text)) === foldText(known));
}
