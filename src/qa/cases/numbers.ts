/** What a constraint says as a number; undefined where it says none. */
export function finite(text: string | undefined): number | undefined {
  const number = text === undefined || text === '' || text === 'any' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** Without the noise of binary fractions. */
export function plain(number: number): string {
  return String(Number(number.toFixed(10)));
}
