/** What is known of a text that a page sends. */
export interface ValueMeaning {
  /** Powers of ten by which the unit that the page shows may make another number of it: 2 where it is sent in cents. */
  scales?: readonly number[];
  /** The day that it stands for: 2007-05-16. */
  day?: string | undefined;
  /** How the field has its dates written; `any`: that is not known. */
  order?: 'mdy' | 'dmy' | 'any' | undefined;
  /** It was taken from proposals, which may have codes of their own. */
  isProposal?: boolean;
}

/** `unlike`: of another kind, so that it may be about something else. `unknown`, `opaque`: a code or a cipher. */
export type SubmittedValueMatch = 'same' | 'other' | 'unlike' | 'unknown' | 'opaque';

/**
 * How a text is sent: as another that means the same (without its commas, in other letters, a date in another notation, a
 * number in another unit that is shown, a telephone number with its country), or not. Stands alone, since its text travels
 * to pages.
 */
export function compareSubmittedValue(entered: string, sent: string, meaning: ValueMeaning = {}): SubmittedValueMatch {
  const { scales = [], day, order, isProposal = false } = meaning;
  const digits = (text: string) => text.replaceAll(/\D/g, '');

  /** A number in one notation only; undefined for what is none, also where a zero before it is a part of it. */
  function numberIn(text: string): string | undefined {
    const bare = text.replaceAll(/\s|US\$|[$€£¥%]|\b(?:USD|EUR|GBP|CHF)\b/gi, '');
    if (/^0\d{2}/.test(bare)) return undefined;
    if (/^[-+]?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?$/.test(bare)) return scaled(bare.replaceAll(',', ''), 0);
    if (/^[-+]?(?:\d{1,3}(?:[.'’]\d{3})+|\d+)(?:,\d+)?$/.test(bare))
      return scaled(bare.replaceAll(/[.'’]/g, '').replace(',', '.'), 0);
    return undefined;
  }

  /** Digit by digit, since a number of JavaScript would take two long ones for the same. */
  function scaled(text: string, positions: number): string {
    const [, sign, whole = '', fraction = ''] = /^([-+]?)(\d*)\.?(\d*)$/.exec(text) ?? [];
    const all = `${'0'.repeat(9)}${whole}${fraction.padEnd(9, '0')}`;
    const at = 9 + whole.length + positions;
    const before = all.slice(0, at).replace(/^0+(?=\d)/, '');
    const after = all.slice(at).replace(/0+$/, '');
    const amount = after ? `${before}.${after}` : before;
    return sign === '-' && amount !== '0' ? `-${amount}` : amount;
  }

  function isSameNumber(): boolean {
    const [one, other] = [numberIn(entered), numberIn(sent)];
    if (one === undefined || other === undefined) return false;
    const isInCents = /\.\d\d$/.test(entered.trim());
    return (
      one === other || [...scales, ...(isInCents ? [2] : [])].some((positions) => scaled(one, positions) === other)
    );
  }

  /** The day that a text names, in ISO. */
  function dayIn(text: string, how: 'mdy' | 'dmy'): string | undefined {
    const [, year, month, date] =
      /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]\d.*)?$/.exec(text) ??
      /^((?:19|20)\d\d)(\d\d)(\d\d)$/.exec(text) ??
      [];
    if (year !== undefined) return isoDay(year, month, date);
    const [, first, second, last] = /^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4})(?:[T ,]+\d.*)?$/.exec(text) ?? [];
    // 16/05 is the same in both orders.
    const [month1, date1] =
      (how === 'mdy') === Number(how === 'mdy' ? first : second) <= 12 ? [first, second] : [second, first];
    if (last !== undefined) return isoDay(last, month1, date1);
    const [, name, on, of] = /([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})\b/i.exec(text) ?? [];
    const [, on2, name2, of2] = /\b(\d{1,2})(?:st|nd|rd|th)?\.? ([a-z]{3,9})\.?,? (\d{4})\b/i.exec(text) ?? [];
    const at = Date.parse(`${name ?? name2} ${on ?? on2} ${of ?? of2} UTC`);
    return Number.isNaN(at) ? undefined : new Date(at).toISOString().slice(0, 10);
  }

  function isoDay(year: string, month = '', date = ''): string | undefined {
    const isDay = Number(month) >= 1 && Number(month) <= 12 && Number(date) >= 1 && Number(date) <= 31;
    return isDay ? `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}` : undefined;
  }

  /** The days that it can be, by the order that its field has; the day that it is known for shows that order. */
  function daysEntered(): { day: string; how: 'mdy' | 'dmy' }[] {
    if (/^\d+$/.test(entered) && day === undefined) return [];
    const usual = /^\d{1,2}\./.test(entered) ? 'dmy' : 'mdy';
    const hows = [order === 'any' || day ? ['mdy', 'dmy'] : [order ?? usual, usual === 'mdy' ? 'dmy' : 'mdy']].flat();
    const read = (['mdy', 'dmy'] as const)
      .filter((how) => hows.includes(how))
      .sort((a, b) => hows.indexOf(a) - hows.indexOf(b))
      .flatMap((how) => {
        const named = dayIn(entered, how);
        return named === undefined ? [] : [{ day: named, how }];
      });
    const known = read.filter((each) => each.day === day);
    if (day !== undefined)
      return known.length > 0 ? known.slice(0, 1) : [{ day, how: order === 'dmy' ? 'dmy' : 'mdy' }];
    return order === 'any' ? read : read.slice(0, 1);
  }

  /** Midnight of a day is on another in other parts of the world. */
  function isSameDay(): boolean {
    const instants = /^-?\d+$/.test(sent) ? [Number(sent), Number(sent) * 1_000] : [];
    if (/T.*(?:Z|[+-]\d\d:?\d\d)$/.test(sent)) instants.push(Date.parse(sent));
    return daysEntered().some(
      (each) =>
        dayIn(sent, each.how) === each.day ||
        instants.some((instant) => Math.abs(instant - Date.parse(each.day)) <= 14 * 3_600_000),
    );
  }

  function minutesIn(text: string): number | undefined {
    const [, hour, minute, half] =
      /^(\d{1,2}):(\d{2})(?::\d{2}(?:\.\d+)?)?\s*(?:([ap])\.?\s?m\.?)?$/i.exec(text.trim()) ?? [];
    if (hour === undefined) return undefined;
    const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0);
    return hours * 60 + Number(minute);
  }

  function isSamePhone(): boolean {
    const isPhone = (text: string) => /^[+\d\s()./-]+$/.test(text);
    if (!isPhone(entered) || !isPhone(sent)) return false;
    const atHome = (text: string) => digits(text).replace(/^1(?=\d{10}$)/, '');
    if (atHome(entered).length === 10 && atHome(entered) === atHome(sent)) return true;
    const own = digits(entered).replace(/^0+/, '');
    return (
      own.length >= 7 &&
      /^\+\d{1,3}$/.test(sent.replaceAll(/[\s()./-]/g, '').slice(0, -own.length)) &&
      digits(sent).endsWith(own)
    );
  }

  /** What is between two digits is a part of what they say, unless all of it is one long number. */
  function normalized(text: string): string {
    const plain = text
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/[\u2010-\u2015\u2212]/g, '-')
      .trim();
    const groups = plain.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
    const joined = groups.join('');
    const isLoose = /^\d{1,2}\D\d{1,2}\D\d{4}$/.test(plain) && !/^\d\d\D\d\d\D/.test(plain);
    const isCode = /^[a-z]{1,3}\d/.test(joined) && joined.length >= 10 && groups.every((group) => /\d/.test(group));
    if (isCode || (/^[+\d\s()./-]+$/.test(plain) && !plain.startsWith('-') && joined.length >= 7 && !isLoose))
      return joined;
    return plain.replaceAll(/[^\p{L}\p{N}]+/gu, (gap, at: number) => {
      const isBetween = /\d/.test(plain[at - 1] ?? '') && /\d/.test(plain[at + gap.length] ?? '');
      const isSign = at === 0 && /-$/.test(gap);
      return isBetween ? gap.replaceAll(/[\s,;]+/g, ' ').trim() || ' ' : isSign ? '-' : '';
    });
  }

  /** The last digits where the others are covered: ***-**-4321. */
  const uncovered = (text: string) => /^[*\u2022\u25cf\u2217X#\s()./-]{3,}?(\d{2,})$/i.exec(text.trim())?.[1];
  const kindOf = (text: string) =>
    isMoment(text) ? 'digits' : /\p{L}/u.test(text) ? 'words' : /\d/.test(text) ? 'digits' : 'signs';
  const isMoment = (text: string) => minutesIn(text) !== undefined || dayIn(text, 'mdy') !== undefined;
  const isCode = /\d/.test(sent) || /[_:]/.test(sent) || /^[A-Z]{1,6}$|^[a-z]{1,3}$/.test(sent);

  const [one, other] = [minutesIn(entered), minutesIn(sent)];
  const isSame =
    entered === sent ||
    isSameNumber() ||
    isSameDay() ||
    (one !== undefined && one === other) ||
    isSamePhone() ||
    (numberIn(entered) === undefined || numberIn(sent) === undefined
      ? normalized(entered) === normalized(sent) && normalized(entered) !== ''
      : false);
  if (isSame) return 'same';
  // Pages in old encodings send what nobody can read back here.
  if (/[^ -~\s]/.test(entered) && /\ufffd|&#\d+;/.test(sent)) return 'same';
  const [shown, shownThen] = [uncovered(entered), uncovered(sent)];
  if (shown !== undefined && digits(sent).endsWith(shown)) return 'same';
  if (shownThen !== undefined && digits(entered).endsWith(shownThen)) return 'unknown';
  if (isProposal && isCode && !/\s/.test(sent)) return 'unknown';
  const isCipher = /^[\w+/=.$:-]{24,}$/.test(sent) && /\d/.test(sent) && /[a-z]/i.test(sent);
  if (isCipher && sent.length > entered.length && !sent.includes(entered)) return 'opaque';
  return sent !== '' && kindOf(entered) !== kindOf(sent) ? 'unlike' : 'other';
}
