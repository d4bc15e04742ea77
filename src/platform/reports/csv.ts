import { cleanText } from '../text/untrusted-text.ts';

/**
 * Matches the start of a formula, before and after its apostrophes: at the start of a cell, and where a cell starts for a
 * spreadsheet with another separator (`;` in many countries, a tab). Such a spreadsheet takes quotes within a line for text.
 */
const formula = /((?:^|[;|\t\r\n])[ \t\r\n"]*)('*[=+\-@＝＋－＠])/g;
const inertFormula = /((?:^|[;|\t\r\n])[ \t\r\n"]*)'('*[=+\-@＝＋－＠])/g;
const number = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i;

/**
 * Formats one line of a CSV file, without its line end. Text is cleaned. What a spreadsheet would evaluate gets a leading
 * apostrophe, which makes it text; numbers such as -5 stay numbers. `restoreCsvCell` reverses this.
 */
export function formatCsvLine(values: readonly (string | number)[]): string {
  return values.map(formatCell).join(',');
}

function formatCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const clean = cleanText(value, { max: Number.POSITIVE_INFINITY });
  const text = number.test(clean) ? clean : clean.replaceAll(formula, "$1'$2");
  return /[",;|\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Removes the apostrophes that `formatCsvLine` added to a cell. */
export function restoreCsvCell(cell: string): string {
  return cell.replaceAll(inertFormula, '$1$2');
}
