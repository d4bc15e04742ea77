/** A number that stands by itself; that in "401(k)" or "2nd" is a part of a name. */
const numbers = /(?<![\p{L}\p{N}])\d+(?:[,.]\d+)*(?![\p{L}\p{N}(])/gu;

/** A label with `*` for its numbers, which are others for others: "Benefit at age *". */
export function withoutNumbers(label: string): string {
  return label.replaceAll(numbers, '*');
}
