import { foldText } from '../validation/read-values.ts';

/** A separate number. Those in "401(k)" and "2nd" are parts of a name. */
const numbers = /(?<![\p{L}\p{N}])\d+(?:[,.]\d+)*(?![\p{L}\p{N}(])/gu;

/** A label with `*` for its numbers, which differ between users: "Benefit at age *". */
export function maskNumbers(label: string): string {
  return label.replaceAll(numbers, '*');
}

/** Whether a text equals a label of a file, which may have `*` for a number. */
export function matchesLabel(text: string, known: string): boolean {
  return foldText(text) === foldText(known) || (known.includes('*') && foldText(maskNumbers(text)) === foldText(known));
}
