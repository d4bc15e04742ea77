/** Parses a constraint; undefined if it is no finite number. */
export function parseFinite(text: string | undefined): number | undefined {
  const number = text === undefined || text === '' || text === 'any' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** Constraints of a number field. */
interface NumberField {
  min?: string;
  max?: string;
  step?: string;
  value?: string;
}

/**
 * The limits and steps of a number, each as a whole count of its smallest place: as numbers of JavaScript, 99.99 is less
 * than 9,998 steps of 0.01 above 0.01.
 */
interface NumberScale {
  low?: bigint | undefined;
  high?: bigint | undefined;
  /** Base and size of the steps. */
  base: bigint;
  size: bigint;
  one: bigint;
  /** Writes a count as a decimal. */
  text(count: bigint): string;
}

export function numberScale({ min, max, value, step }: NumberField): NumberScale {
  const known = [min, max, value, step].map(parseDecimal);
  // One more decimal than any of them, for half a step.
  const decimalPlaces = Math.max(...known.map((one) => one?.decimals ?? 0)) + 1;
  const [low, high, initial, apart] = known.map(
    (one) => one && one.count * 10n ** BigInt(decimalPlaces - one.decimals),
  );
  const one = 10n ** BigInt(decimalPlaces);
  const size = apart !== undefined && apart > 0n ? apart : one;
  return { low, high, base: low ?? initial ?? 0n, size, one, text: (count) => formatDecimal(count, decimalPlaces) };
}

/** The last step that does not exceed a count. */
export function lastStep({ base, size }: Pick<NumberScale, 'base' | 'size'>, count: bigint): bigint {
  const over = (count - base) % size;
  return count - (over < 0n ? over + size : over);
}

/** Limit of decimals: 1e-999999999 would exhaust the memory. */
const MOST_DECIMALS = 300;

interface Decimal {
  count: bigint;
  decimals: number;
}

function parseDecimal(text = ''): Decimal | undefined {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^([-+]?)(\d*)\.?(\d*)(?:e([-+]?\d+))?$/i.exec(text) ?? [];
  const decimalPlaces = fraction.length - Number(exponent);
  if (whole + fraction === '' || Math.abs(decimalPlaces) > MOST_DECIMALS) return undefined;
  const digits = BigInt(`${whole}${fraction}${'0'.repeat(Math.max(0, -decimalPlaces))}`);
  return { count: sign === '-' ? -digits : digits, decimals: Math.max(0, decimalPlaces) };
}

function formatDecimal(count: bigint, decimalPlaces: number): string {
  const digits = String(count < 0n ? -count : count).padStart(decimalPlaces + 1, '0');
  const fraction = digits.slice(-decimalPlaces).replace(/0+$/, '');
  return `${count < 0n ? '-' : ''}${digits.slice(0, -decimalPlaces)}${fraction && `.${fraction}`}`;
}
