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
  const numbers = [digitsIn(asked), digitsIn(got)];
  if (numbers[0] !== undefined && numbers[1] !== undefined) return numbers[0] === numbers[1];
  return /\d/.test(asked) && isMasked(plainWords(asked), plainWords(got));
}

/**
 * A number as its digits, without currency, percent sign, thousands and zeros that say nothing: a number of JavaScript would
 * take two long ones for the same. Something like a date or a phone number is none.
 */
function digitsIn(text: string): string | undefined {
  const bare = text
    .trim()
    .replace(/^([-+]?)\s*(?:US)?[$€£¥]\s*/, '$1')
    .replace(/\s*%$/, '');
  // The zero before a postcode or an account is a part of it; that before a month or a day is not.
  if (/^0\d{2}/.test(bare)) return undefined;
  const [, sign, whole, fraction = ''] = /^([-+]?)(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d+))?$/.exec(bare) ?? [];
  if (whole === undefined) return undefined;
  const digits = whole.replaceAll(',', '').replace(/^0+(?=\d)/, '');
  const rest = fraction.replace(/0+$/, '');
  const amount = rest ? `${digits}.${rest}` : digits;
  return sign === '-' && amount !== '0' ? `-${amount}` : amount;
}

const separators = /[\s()\-/._+]+/;
const dateLike = /^(?:\d{1,2}|\d{4})[-/. ]\d{1,2}[-/. ](?:\d{1,2}|\d{4})$/;

/**
 * Whether a mask may have made one of the other: it adds separators, takes others, or leaves them out. Where they stand is a
 * part of what some texts say: 3/4 is not 34, and 1/11 not 11/1.
 */
function isMasked(asked: string, got: string): boolean {
  if (/^-\d/.test(asked) !== /^-\d/.test(got)) return false;
  const groups = asked.split(separators).filter(Boolean);
  const others = got.split(separators).filter(Boolean);
  if (groups.join('') === '') return false;
  if (dateLike.test(asked) && dateLike.test(got)) return String(groups.map(Number)) === String(others.map(Number));
  // 12.5 is no 12-5.
  if (String(groups) === String(others)) return digitsIn(asked) === undefined || !asked.includes('.');
  if (groups.join('') !== others.join('')) return false;
  if (groups.length === 1) return true;
  if (dateLike.test(asked)) return others.length === 1 && groups.every(({ length }) => length !== 1);
  const isWeak = (text: string) => !/[/.]/.test(text);
  return (isWeak(asked) && isWeak(got)) || (others.length === 1 && groups.length > 2 && got.length > 6);
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

/**
 * The same where it is known what the option is called. That says what it means: its value may belong to another by now, and
 * then it is the one of that name, or none.
 */
export function optionCalled<Option extends Choice>(
  options: readonly Option[],
  asked: string,
  label: string,
): Option | undefined {
  const meant = optionMeant(options, asked);
  const words = plainWords(label);
  if (words === '' || (meant && plainWords(meant.label) === words)) return meant;
  const named = options.filter((option) => plainWords(option.label) === words);
  const [shared, only] = [named.find(({ value }) => value === asked), named[0]];
  return shared ?? (new Set(named.map(({ value }) => value)).size === 1 ? only : undefined);
}
