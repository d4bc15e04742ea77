import { cleanText } from '../text/untrusted-text.ts';

/** What a spreadsheet takes for a formula, however many apostrophes stand before it. */
const formula = /^'*[=+\-@\t\r＝＋－＠]/;
const number = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i;

/**
 * One line of a CSV file, without its end. Text is cleaned. A cell that a spreadsheet would compute gets an apostrophe before
 * it, which makes it text there; numbers such as -5 stay numbers. `originalCell` gives back what was written.
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

/** A cell that `csvLine` wrote, without the apostrophe that it put there. */
export function restoreCsvCell(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;
}
