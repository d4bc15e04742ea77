/** Words as a person compares them: quotes, dashes, spaces and case do not matter. */
export function normalizeWords(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[\u2018\u2019\u201a\u2032`´]/g, "'")
    .replaceAll(/[\u201c\u201d\u201e\u2033]/g, '"')
    .replaceAll(/[\u2010-\u2015\u2212]/g, '-')
    .replaceAll(/[\s\u200b\u00ad]+/g, ' ')
    .trim()
    .toLowerCase();
}

/**
 * Whether a text field kept what it was given: the same, or what is certainly the same in the field's own format: a mask, a
 * number in another notation, a telephone number with its country, all but the last digits covered.
 */
export function isValueKept(asked: string, got: string): boolean {
  if (asked === got) return true;
  const lines = (text: string) => text.replaceAll(/\r\n?/g, '\n').trimEnd();
  if (lines(asked) === lines(got) || (asked.trim() !== '' && normalizeWords(asked) === normalizeWords(got)))
    return true;
  const [number, shown] = [digitsIn(asked), digitsIn(got) ?? digitsAbroad(got)];
  if (number !== undefined && shown !== undefined) return number === shown;
  if (!/\d/.test(asked)) return false;
  return isMasked(normalizeWords(asked), normalizeWords(got)) || isWithCountry(asked, got) || isCovered(asked, got);
}

const currency = /(?:US)?[$€£¥]|\b(?:USD|EUR|GBP|CHF)\b/;

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
  const [, sign = '', whole, fraction] = /^([-+]?)(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d+))?$/.exec(bare) ?? [];
  return whole === undefined ? undefined : plainDigits(sign, whole, fraction);
}

function plainDigits(sign: string, whole: string, fraction = ''): string {
  const digits = whole.replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '');
  const rest = fraction.replace(/0+$/, '');
  const amount = rest ? `${digits}.${rest}` : digits;
  return sign === '-' && amount !== '0' ? `-${amount}` : amount;
}

/** The same as other countries write it: 60.000,00 € or 60 000,00. Undefined also where it could be two numbers, as 60.000. */
function digitsAbroad(text: string): string | undefined {
  const bare = text.replace(currency, '').trim();
  const [, sign = '', whole, thousands, point, fraction = ''] =
    /^([-+]?)(\d{1,3}(?:([.,'\u2019\s])\d{3})(?:\3\d{3})*|\d+)(?:([.,])(\d+))?$/.exec(bare) ?? [];
  if (whole === undefined || /^0\d/.test(whole) || (point !== undefined && point === thousands)) return undefined;
  const isClear =
    point === ','
      ? thousands !== undefined || fraction.length !== 3
      : point === '.' || thousands !== '.' || whole.split('.').length > 2 || currency.test(text);
  return isClear ? plainDigits(sign, whole, fraction) : undefined;
}

const digitsOnly = (text: string) => text.replaceAll(/\D/g, '');
const isPhone = (text: string) => /^[+\d\s()./-]+$/.test(text.trim());

/** A telephone number that got its country, or is shown without it. */
function isWithCountry(asked: string, got: string): boolean {
  if (!isPhone(asked) || !isPhone(got)) return false;
  const atHome = (text: string) => digitsOnly(text).replace(text.trim().startsWith('+1') ? /^1(?=\d{10}$)/ : '', '');
  return atHome(asked).length === 10 && atHome(asked) === atHome(got);
}

const SHOWN_DIGITS = 4;

/** ***-**-4321: as many places as before, and the last digits are the same. */
function isCovered(asked: string, got: string): boolean {
  const [, covered = '', shown = ''] = /^([*\u2022\u25cf\u2217X#\s()./-]+?)(\d[\d\s./-]*)$/i.exec(got.trim()) ?? [];
  const maskedLength = covered.replaceAll(/[\s()./-]/g, '').length;
  const digits = digitsOnly(shown);
  const before = digitsOnly(asked);
  return (
    /^[\d\s()./-]+$/.test(asked) &&
    maskedLength >= SHOWN_DIGITS - 1 &&
    digits.length >= SHOWN_DIGITS &&
    before.length === maskedLength + digits.length &&
    before.endsWith(digits)
  );
}

const separators = /[\s()\-/._+]+/;
const dateLike = /^(?:\d{1,2}|\d{4})[-/. ]\d{1,2}[-/. ](?:\d{1,2}|\d{4})$/;

/**
 * Whether a mask may have made one of the other: it adds separators, takes others, or leaves them out. Where they stand is a
 * part of what some texts say: 3/4 is not 34, 1/11 not 11/1, and 40-12 Bell Blvd not 4012 Bell Blvd.
 */
function isMasked(asked: string, got: string): boolean {
  if (/^-\d/.test(asked) !== /^-\d/.test(got)) return false;
  const groups = asked.split(separators).filter(Boolean);
  const others = got.split(separators).filter(Boolean);
  if (groups.length === 0) return false;
  if (dateLike.test(asked) && dateLike.test(got)) return String(groups.map(Number)) === String(others.map(Number));
  if (groups.join('') !== others.join('')) return false;
  if (groups.length === 1) return true;
  if (dateLike.test(asked)) return others.length === 1 && groups.every(({ length }) => length !== 1);
  const isWeak = (text: string) => !/[/.]/.test(text);
  if (isNumbered(asked, groups))
    return (
      (isWeak(asked) && isWeak(got)) || String(groups) === String(others) || (others.length === 1 && groups.length > 2)
    );
  return hasSameGaps(asked, got);
}

const lengths = ['3,3,4', '1,3,3,4', '3,4', '3,7', '1,10', '1,3,7', '3,2,4', '2,7', '5,4'];

/** A number of a phone, a person, an account, a card or a postcode, as a whole: it is the same however it is grouped. */
function isNumbered(text: string, groups: readonly string[]): boolean {
  const joined = groups.join('');
  if (!/^\d+$/.test(joined))
    return groups.length > 2 && joined.length >= 10 && isIdentifier(groups) && /^[\p{L}\d\s-]+$/u.test(text);
  if (joined.length < 7) return false;
  const isDialled = /^[+(0]/.test(text);
  return isDialled || groups.length > 2 || lengths.includes(groups.map(({ length }) => length).join());
}

/** de89 3704 0044: it begins with a few letters, and there is no word in it. */
const isIdentifier = (groups: readonly string[]) =>
  /^[a-z]{1,3}\d+$/.test(groups[0] ?? '') && groups.every((group) => /\d/.test(group));

/** Between two digits everything counts, between two letters whether there is anything; a letter and a digit may be apart. */
function hasSameGaps(asked: string, got: string): boolean {
  const comparableText = (text: string) =>
    text.replaceAll(/[\s()\-/._+]+/g, (gap, at: number) => {
      const [before = '', after = ''] = [text[at - 1], text[at + gap.length]];
      if (/\d/.test(before) && /\d/.test(after)) return gap.trim() || ' ';
      return /\p{L}/u.test(before) && /\p{L}/u.test(after) ? ' ' : '';
    });
  return comparableText(asked) === comparableText(got);
}

interface LabelledValue {
  label: string;
  value: string;
}

/** The option that is meant: by exact value or label first, then by the same words. Undefined: none, or not clear which. */
export function findOption<Option extends LabelledValue>(
  options: readonly Option[],
  asked: string,
): Option | undefined {
  const exact = options.find(({ value }) => value === asked);
  if (exact) return exact;
  const named = options.filter(({ label }) => label === asked);
  // Two that say the same and mean something else cannot be told apart.
  if (named.length > 0) return new Set(named.map(({ value }) => value)).size === 1 ? named[0] : undefined;
  const words = normalizeWords(asked);
  const byLabel = options.filter(({ label }) => normalizeWords(label) === words);
  const found = byLabel.length > 0 ? byLabel : options.filter(({ value }) => normalizeWords(value) === words);
  return found.length === 1 ? found[0] : undefined;
}

/**
 * The same where it is known what the option is called. That says what it means: its value may belong to another by now, and
 * then it is the one of that name, or none.
 */
export function findOptionByLabel<Option extends LabelledValue>(
  options: readonly Option[],
  asked: string,
  label: string,
): Option | undefined {
  const meant = findOption(options, asked);
  const words = normalizeWords(label);
  if (words === '' || (meant && normalizeWords(meant.label) === words)) return meant;
  const named = options.filter((option) => normalizeWords(option.label) === words);
  const [shared, only] = [named.find(({ value }) => value === asked), named[0]];
  return shared ?? (new Set(named.map(({ value }) => value)).size === 1 ? only : undefined);
}
