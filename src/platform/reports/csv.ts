import { cleanText } from '../text/untrusted-text.ts';

/** Matches text that a spreadsheet evaluates as a formula, after any number of apostrophes. */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/;
const number = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i;

/**
 * Formats one line of a CSV file, without its line end. Text is cleaned. A cell that a spreadsheet would evaluate gets a
 * leading apostrophe, which makes it text; numbers such as -5 stay numbers. `restoreCsvCell` reverses this.
 */
export function formatCsvLine(values: readonly (string | number)[]): string {
  return values.map(formatCell).join(',');
}

function formatCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const clean = cleanText(value, { max: Number.POSITIVE_INFINITY });
  const text = formula.test(clean) && !number.test(clean) ? `'${clean}` : clean;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Removes the apostrophe that `formatCsvLine` added to a cell. */
export function restoreCsvCell(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;
}
