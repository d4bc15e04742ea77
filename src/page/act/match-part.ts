import { normalizeWords } from '../../platform/page/act/value-comparison.ts';

/**
 * The part that a person means by a value: by its name or text, or by what it submits. A number also means the option that counts so
 * many, such as `4 stars`, or the position in a row of equal symbols.
 */
export function matchPart<Part extends MatchedPart>(parts: readonly Part[], value: string): Part | undefined {
  const wanted = normalizeWords(value);
  const says = (text: string) => normalizeWords(text) === wanted;
  const same =
    parts.find(({ name, text = '' }) => says(name) || says(text)) ?? only(parts.filter(({ code }) => says(code)));
  if (same || !/^\d{1,2}$/.test(wanted)) return same;
  const words = parts.map(({ name, text = '' }) => normalizeWords(name || text));
  if (words.every((each) => /\d/.test(each)))
    return only(parts.filter((_, index) => includesWords(words[index] ?? '', wanted)));
  return new Set(words).size === 1 ? parts[Number(wanted) - 1] : undefined;
}

interface MatchedPart {
  name: string;
  text?: string;
  code: string;
}

const only = <Part>(parts: readonly Part[]): Part | undefined => (parts.length === 1 ? parts[0] : undefined);

/** Whether a text has a value as whole words. */
export function includesWords(text: string, value: string): boolean {
  if (value === '') return false;
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const [before = ' ', after = ' '] = [text[at - 1], text[at + value.length]];
    if (!/[\p{L}\p{N}]/u.test(before) && !/[\p{L}\p{N}]/u.test(after)) return true;
  }
  return false;
}

export const isDateText = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value);
export const isTimeText = (value: unknown): value is string =>
  typeof value === 'string' && /^\d\d:\d\d(?::\d\d)?$/.test(value);
