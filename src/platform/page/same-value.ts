/** Words as a person compares them: quotes, dashes, spaces and case do not matter. */
export function plainWords(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[\u2018\u2019\u201a\u2032`´]/g, "'")
    .replaceAll(/[\u201c\u201d\u201e\u2033]/g, '"')
    .replaceAll(/[\u2010-\u2015\u2212]/g, '-')
    .replaceAll(/[\s\u200b\u00ad]+/g, ' ')
    .trim()
    .toLowerCase();
}

/** Whether a text field kept what it was given: the same, or the same in the field's own format (a mask, thousands). */
export function isKept(asked: string, got: string): boolean {
  if (asked === got) return true;
  const lines = (text: string) => text.replaceAll(/\r\n?/g, '\n').trimEnd();
  if (lines(asked) === lines(got) || (asked.trim() !== '' && plainWords(asked) === plainWords(got))) return true;
  const numbers = [numberIn(asked), numberIn(got)];
  if (numbers[0] !== undefined && numbers[1] !== undefined) return numbers[0] === numbers[1];
  const bare = (text: string) => plainWords(text).replaceAll(/[\s()\-/.+_]/g, '');
  // What a mask adds are separators; what a person typed has at least some digits.
  return /\d/.test(asked) && bare(asked) === bare(got);
}

/** A number, with its currency, percent sign and thousands left out. Something like a date or a phone number is none. */
function numberIn(text: string): number | undefined {
  const bare = text
    .trim()
    .replace(/^([-+]?)\s*(?:US)?[$€£¥]\s*/, '$1')
    .replace(/\s*%$/, '');
  // The zero before a postcode or an account is a part of it; that before a month or a day is not.
  if (!/^[-+]?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?$/.test(bare) || /^0\d{2}/.test(bare)) return undefined;
  return Number(bare.replaceAll(',', ''));
}

interface Choice {
  label: string;
  value: string;
}

/** The option that is meant: by exact value or label first, then by the same words. Undefined: none, or not clear which. */
export function optionMeant<Option extends Choice>(options: readonly Option[], asked: string): Option | undefined {
  const exact = options.find(({ value }) => value === asked);
  if (exact) return exact;
  const named = options.filter(({ label }) => label === asked);
  // Two that say the same and mean something else cannot be told apart.
  if (named.length > 0) return new Set(named.map(({ value }) => value)).size === 1 ? named[0] : undefined;
  const words = plainWords(asked);
  const byLabel = options.filter(({ label }) => plainWords(label) === words);
  const found = byLabel.length > 0 ? byLabel : options.filter(({ value }) => plainWords(value) === words);
  return found.length === 1 ? found[0] : undefined;
}
