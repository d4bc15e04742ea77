import { createHash } from 'node:crypto';

const FEWEST_DIGITS = 6;

const digitsOf = (name: string) => createHash('sha256').update(name).digest('hex');

/**
 * Short names of the tools whose name has more than `most` characters: the beginning of the name, and digits that no other tool
 * has. The same tool always has the same digits. 0 shortens none.
 */
export function shortenNames(names: readonly string[], most: number): Map<string, string> {
  const long = most === 0 ? [] : names.filter((name) => name.length > most);
  let count = FEWEST_DIGITS;
  while (new Set(long.map((name) => digitsOf(name).slice(0, count))).size < long.length) count++;
  return new Map(
    long.map((name) => {
      const begin = name.slice(0, most - count - 1).replace(/_+$/, '');
      return [name, `${begin}_${digitsOf(name).slice(0, count)}`];
    }),
  );
}

/** The specified name for a short name of any length; any other name as it is. */
export function resolveShortName(given: string, names: readonly string[]): string {
  const [, begin = '', digits = ''] = new RegExp(`^(\\w+)_([0-9a-f]{${FEWEST_DIGITS},64})$`).exec(given) ?? [];
  if (begin === '' || names.includes(given)) return given;
  return names.find((name) => name.startsWith(begin) && digitsOf(name).startsWith(digits)) ?? given;
}
