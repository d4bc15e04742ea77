/** Formats a number with its noun: `1 page`, `1,204 pages`. */
export function formatCount(number: number, noun: string, plural = `${noun}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? noun : plural}`;
}
