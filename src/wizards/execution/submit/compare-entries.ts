import type { FormEntry } from '../../../platform/page/act/set-many.ts';
import type {
  compareSubmittedValue,
  SubmittedValueMatch,
  ValueMeaning,
} from '../../../platform/page/in-page/submitted-value.ts';
import type { entryWords } from '../../vocabulary/sent-entries.ts';

/** An entry that a form would send for a field. */
export interface ExpectedEntry extends FormEntry {
  field_id: string;
  label: string;
  /** The name that a script of the page used for the field at the discovery. */
  alias?: string | undefined;
  /** The typed text, if the field shows it in another format. */
  asked?: string | undefined;
  meaning?: ValueMeaning;
  /** User data does not mention the field: its value must not change, and need not be sent. */
  isUnanswered?: boolean;
}

/** The entries of a page that was passed before. */
export interface EarlierPage {
  entries: readonly ExpectedEntry[];
  /** All entries have already been sent as given. */
  isSent: boolean;
}

/** The properties of a request that decide how it is compared. */
interface RequestKind {
  /** The browser sends the request as a form. */
  isForm: boolean;
  /** The request only reads data, so a value in it may have another meaning. */
  isReading: boolean;
  /** All entries have already been sent as given. */
  isAgain: boolean;
  /** The request has too few entries to identify its subject. */
  isLoose?: boolean;
}

interface EntryComparison {
  /** The first entry with another value. */
  changed: ExpectedEntry | undefined;
  /** `isCompared`: at least one entry could be compared. `isWhole`: all entries were present. */
  isCompared: boolean;
  isWhole: boolean;
  /** Entries in a format that cannot be compared. */
  opaque: ExpectedEntry[];
}

/**
 * Compares the entries of a request with the values of the fields. Self-contained, because its source is sent to pages.
 * Every entry with the name of a field is compared.
 */
export function entryTools(how: typeof compareSubmittedValue, words: typeof entryWords) {
  const [yes, no, commonName] = [new RegExp(words.yes), new RegExp(words.no), new RegExp(words.commonName, 'i')];

  /** The entries of a request body, by name; empty if the body cannot be parsed. */
  function pairsIn(body: string): [string, unknown][] {
    if (!/^\s*[{[]/.test(body))
      return [...new URLSearchParams(body)].flatMap(([name, value]) => leavesOf(name, value, 0));
    try {
      return leavesOf('', JSON.parse(body), 0);
    } catch {
      return [];
    }
  }

  /** The leaf values of an object at any depth, each with its last key. */
  function leavesOf(name: string, value: unknown, depth: number): [string, unknown][] {
    if (typeof value === 'string' && /^\s*[{[].*[}\]]\s*$/s.test(value) && depth < 3) {
      const inner = pairsIn(value);
      if (inner.length > 0) return inner;
    }
    if (['string', 'number', 'boolean'].includes(typeof value)) return [[name, value]];
    if (typeof value !== 'object' || value === null || depth > 5) return [];
    const inner = Object.entries(value);
    return inner.flatMap(([key, part]) => leavesOf(Array.isArray(value) ? name : key, part, depth + 1));
  }

  const plain = (value: unknown) => String(value).normalize('NFKC').replaceAll(/\s+/g, ' ').trim().toLowerCase();
  /** The boolean that a sent value stands for, if any. */
  function isYes(value: unknown): boolean | undefined {
    if (yes.test(plain(value))) return true;
    return no.test(plain(value)) ? false : undefined;
  }

  function ofChoice(
    { value, own = [], others = [], checked }: ExpectedEntry,
    now: unknown,
    isForm: boolean,
  ): SubmittedValueMatch {
    if (now === value || own.map(plain).includes(plain(now))) return 'same';
    if (others.map(plain).includes(plain(now))) return 'other';
    const said = isYes(now);
    const isSwitch = checked === true && others.length === 0;
    const meant = isSwitch ? true : own.map(isYes).find((each) => each !== undefined);
    const isPair = isSwitch || others.map(isYes).includes(meant === undefined ? meant : !meant);
    if (said !== undefined && meant !== undefined && isPair) return said === meant ? 'same' : 'other';
    // A script may encode a choice in its own words. A browser sends the value as it is, unless it has characters
    // outside ASCII.
    return isForm && !/[^ -~]/.test(value) ? 'other' : 'unknown';
  }

  /** A checkbox that is off is not sent, or is sent as a "no"; one of several radio buttons may stand for "no". */
  function ofOff(
    sending: ExpectedEntry,
    values: readonly unknown[],
    expected: readonly ExpectedEntry[],
  ): SubmittedValueMatch {
    const isShared = expected.some((other) => other !== sending && other.name === sending.name);
    const isOneOf = (sending.others ?? []).length > 0;
    const isOn = (now: unknown) => plain(now) === plain(sending.value) || (!isShared && isYes(now) === true);
    return values.some((now) => (isOneOf || isYes(now) !== false) && isOn(now)) ? 'other' : 'same';
  }

  function ofText({ value, asked, meaning = {} }: ExpectedEntry, now: unknown): SubmittedValueMatch {
    const verdict = how(value, String(now), meaning);
    return verdict !== 'same' && asked !== undefined && how(asked, String(now), meaning) === 'same' ? 'same' : verdict;
  }

  /** The best match of all values with this name: a form often has a hidden field beside the visible one. */
  function verdictOf(
    sending: ExpectedEntry,
    values: readonly unknown[],
    expected: readonly ExpectedEntry[],
    { isForm, isStrict, isAgain }: { isForm: boolean; isStrict: boolean; isAgain: boolean },
  ): SubmittedValueMatch {
    if (sending.checked === false) return ofOff(sending, values, expected);
    const verdicts = values.map((now): SubmittedValueMatch => {
      // An empty value was either cleared after a complete submission, or is not filled in yet.
      if (now === '' && sending.value !== '' && (isAgain || !isStrict)) return 'unknown';
      if (typeof now === 'boolean' && sending.isText) return 'unknown';
      const verdict = sending.isText ? ofText(sending, now) : ofChoice(sending, now, isForm);
      if (verdict === 'other' && !isStrict && sending.meaning?.isProposal) return 'unknown';
      return verdict === 'unlike' ? (isStrict ? 'other' : 'unknown') : verdict;
    });
    return (['same', 'unknown', 'opaque'] as const).find((each) => verdicts.includes(each)) ?? 'other';
  }

  /** Returns undefined if the request does not concern the fields. */
  function compare(
    pairs: Iterable<readonly [string, unknown]>,
    expected: readonly ExpectedEntry[],
    { isForm, isReading, isAgain, isLoose = false }: RequestKind,
    beside: readonly ExpectedEntry[] = [],
  ): EntryComparison | undefined {
    const sent = new Map<string, unknown[]>();
    for (const [name, value] of pairs) sent.set(name, [...(sent.get(name) ?? []), value]);
    const valuesFor = ({ name, alias }: ExpectedEntry) =>
      sent.get(name) ?? (alias === undefined ? undefined : sent.get(alias));
    const on = expected.filter(({ checked, isUnanswered }) => checked !== false && !isUnanswered);
    // A script with names of its own need not send the names of the elements.
    const isOwn = !isForm && on.some(({ alias }) => alias !== undefined);
    const needed = isOwn ? on.filter(({ isText }) => isText) : on;
    const isWhole = !isLoose && needed.length > 0 && needed.every((sending) => valuesFor(sending) !== undefined);
    const known = expected.filter((sending) => valuesFor(sending) !== undefined);
    if (known.length === 0 || (isReading && !isWhole)) return undefined;
    if (!isWhole && !isForm && known.every(({ name }) => commonName.test(name))) return undefined;
    const isStrict = isWhole || isForm;
    const judged = known.map((sending) => ({
      sending,
      verdict: verdictOf(sending, valuesFor(sending) ?? [], expected, { isForm, isStrict, isAgain }),
    }));
    // A name that only the script uses may belong to another value by now; the entered value is then sent under another
    // name.
    const isElsewhere = (sending: ExpectedEntry) =>
      sending.alias !== undefined && [...sent.values()].flat().some((now) => ofText(sending, now) === 'same');
    // The value of a field without a name may be sent under this name.
    const isAnothers = (sending: ExpectedEntry) =>
      beside.some(
        (other) =>
          valuesFor(other) === undefined &&
          (valuesFor(sending) ?? []).some((now) => plain(now) === plain(other.value) || ofText(other, now) === 'same'),
      );
    const isChanged = ({ sending, verdict }: (typeof judged)[number]) =>
      verdict === 'other' && !isElsewhere(sending) && !isAnothers(sending);
    return {
      changed: judged.find(isChanged)?.sending,
      isCompared: judged.some(
        ({ sending, verdict }) => verdict === 'same' && sending.checked !== false && !sending.isUnanswered,
      ),
      isWhole,
      opaque: judged.filter(({ verdict }) => verdict === 'opaque').map(({ sending }) => sending),
    };
  }

  /**
   * The first entry of an earlier page that a later request sends with another value. A name that the current page also
   * uses belongs to the current page. A text that the site has already received may be reworded by the site.
   */
  function changedSince(
    pairs: Iterable<readonly [string, unknown]>,
    earlier: readonly EarlierPage[],
    expected: readonly ExpectedEntry[],
    isReading: boolean,
  ): ExpectedEntry | undefined {
    const all = [...pairs];
    const sent = new Set(all.map(([name]) => name));
    const namesOf = ({ name, alias = name }: ExpectedEntry) => [name, alias];
    const own = new Set(expected.flatMap(namesOf));
    const isOwnToo = [...own].some((name) => sent.has(name));
    // A value in a request that only reads data may have another meaning.
    if (isReading && !isOwnToo) return undefined;
    const before = earlier.flatMap(({ entries }) => entries.map(({ name }) => name));
    const isLoose = [...new Set([...own, ...before])].filter((name) => sent.has(name)).length < 2;
    for (const { entries, isSent } of earlier) {
      const isSure = ({ isText, value }: ExpectedEntry) => !isSent || !isText || !/\p{L}/u.test(value);
      const left = entries.filter((one) => isSure(one) && !namesOf(one).some((name) => own.has(name)));
      const compared = compare(all, left, { isForm: false, isReading, isAgain: isSent, isLoose }, expected);
      if (compared?.changed) return compared.changed;
    }
    return undefined;
  }

  return { pairsIn, compare, changedSince };
}

export type EntryTools = ReturnType<typeof entryTools>;
